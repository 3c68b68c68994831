"""HTML as a Document: the file's own text, with everything that a browser does not print masked.

The scanner follows the tokenisation rules of browsers (WHATWG HTML, section 13.2.5) in linear time;
the parser of the standard library is quadratic on hostile pages and loses the offsets of entities.
"""

from __future__ import annotations

import re

from veridical.errors import DocumentParsingError
from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits, Span
from veridical.sources.elements import (
    ESCAPABLE,
    RAW_TEXT,
    REFERENCE,
    SHOWN,
    UNSEEN,
    VOID,
    ElementStack,
    read_attributes,
    read_style,
    resolve,
)
from veridical.sources.headings import with_sections
from veridical.sources.masks import MaskBuilder
from veridical.sources.patterns import lazy
from veridical.sources.superscript import LONGEST_UNIT, letters_before

# What stands between a word and its superscript or subscript.


_TAGS = lazy(r"(?:<[^<>]{0,400}+>){1,4}")
_MAX_TAGS = 4
_MAX_TAG_CHARS = 200
_ORDINAL_LETTERS = "aeo"


def raised_mark(text: str, name: str, start: int, end: int, *, closing: bool) -> str:
    """What the `sup` or `sub` tag at `text[start:end]` shows: nothing, a space, "^" or "_"."""
    word_end = _past_tags_before(text, start)
    before, after = text[word_end - 1 : word_end], _after(text, end)
    if closing:
        joins = not (before.isalnum() and after.isalnum())
        return "" if joins or (name == "sub" and not after.isdigit()) else " "
    if not before.isalnum():
        return ""
    if name == "sub":
        return "_" if before.isdigit() and after.isdigit() else ""
    if after in "([":
        return " "
    is_unit = 0 < letters_before(text, word_end) <= LONGEST_UNIT
    if after.isdigit():
        return "^" if before.isdigit() or is_unit else " "
    # "M<sup>lle</sup>" is one word; the single letter of "x<sup>n</sup>" or of a note is not.
    is_single = after.isalpha() and not text[end + 1 : end + 2].isalpha()
    is_ordinal = before.isdigit() and after.lower() in _ORDINAL_LETTERS
    return "^" if is_single and not is_ordinal else ""


def _past_tags_before(text: str, at: int) -> int:
    """Where the text before `at` ends, past a few tags."""
    for _ in range(_MAX_TAGS):
        if at == 0 or text[at - 1] != ">":
            break
        opened = text.rfind("<", max(0, at - _MAX_TAG_CHARS), at)
        if opened < 0:
            break
        at = opened
    return at


def _after(text: str, at: int) -> str:
    """The character shown after `at`, past a few tags; a space at the end of the text."""
    tags = _TAGS().match(text, at)
    at = tags.end() if tags else at
    return text[at : at + 1] or " "


_WS = r" \t\n\r\f"
_TOKEN = re.compile(rf"<(?:(/?)([a-zA-Z][^{_WS}/>]*+)|[!?]|/(?!\Z))|({REFERENCE})")
_REFERENCE = lazy(REFERENCE)
_COMMENT_END = lazy(r"--!?>")


def _any_case(name: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


_RAW_END = {name: lazy(rf"</{_any_case(name)}(?=[{_WS}/>])") for name in RAW_TEXT}
_SCRIPT_EDGE = lazy(rf"<!--|-->|<(/?){_any_case('script')}(?=[{_WS}/>])")


def read_html(
    text: str, name: str, *, size_bytes: int, limits: SourceLimits = DEFAULT_LIMITS
) -> Document:
    """Read an HTML page or fragment. Offsets are code points of `text`, which is kept as it is.

    Tags, comments, hidden elements and what only scripts see are masked; h1 to h6 become sections.
    Raises DocumentParsingError where elements nest deeper than `limits.max_nesting`.
    """
    is_xml = text[:200].lstrip("\ufeff \t\r\n").startswith("<?xml")
    scanner = HtmlScanner(text, name, limits, is_xml=is_xml)
    scanner.scan(0, len(text))
    scanner.finish(len(text))
    masks = scanner.masks.build()
    warnings = () if scanner.shows_text else ("The page shows no text to a reader.",)
    document = Document(
        name, text, Format.HTML, masks=masks, size_bytes=size_bytes, warnings=warnings
    )
    return with_sections(document, scanner.headings)


class HtmlScanner:
    """Reads markup in the order of the text.

    `masks` collects each piece that is not shown as written; the mask of a hidden element comes
    when it ends. `headings` collects (level, span) of h1 to h6.
    """

    def __init__(self, text: str, name: str, limits: SourceLimits, *, is_xml: bool = False) -> None:
        self.masks = MaskBuilder()
        self.headings: list[tuple[int, Span]] = []
        self.stack = ElementStack()
        self.shows_text = False
        self.hidden_from = -1
        self._text = text
        self._name = name
        self._max_nesting = limits.max_nesting
        self._is_xml = is_xml
        self._hidden_shown = ""
        self._heading: tuple[int, int] | None = None
        self._sizes: list[tuple[int, int]] = []
        self._unsized_from = -1

    @property
    def unseen_from(self) -> int:
        """Where words start that are not seen and whose mask is still to come; -1 if none do."""
        return self.hidden_from if self.hidden_from >= 0 else self._unsized_from

    def scan(self, start: int, end: int) -> None:
        """Read `text[start:end]` as HTML; what is unclosed at `end` goes on in the next scan."""
        text, search, stack = self._text, _TOKEN.search, self.stack
        at = start
        while (token := search(text, at, end)) is not None:
            here = token.start()
            if here > at and (not self.shows_text or stack.hidden >= 0):
                self._words(at, here)
            name = token[2]
            if name:
                at = self.tag(here, token.end(), name, closing=bool(token[1]), limit=end)
            elif token[3]:
                at = self._reference(here, token[3])
            else:
                at = self._declaration(here, end)
        if at < end:
            self._words(at, end)

    def finish(self, end: int) -> None:
        """Close what is still open at the end of the text."""
        self.leave(0, end)

    def leave(self, height: int, at: int) -> None:
        """Close the elements opened since the stack had `height`: their block ended at `at`."""
        self._end_unsized(at)
        if len(self.stack.names) > height:
            self.stack.cut(height)
            self._after_change(at)
        self._start_unsized(at)

    def _reference(self, start: int, token: str) -> int:
        """Mask the character reference that `token` may be; returns where to read on."""
        resolved = resolve(token)
        if resolved is None:
            return start + len(token)
        end = start + resolved[0]
        if self.unseen_from < 0:
            self.masks.add(start, end, resolved[1], False)
        return end

    def _comment(self, start: int, end: int) -> None:
        """Mask a comment, a declaration or a processing instruction."""
        if self.unseen_from < 0:
            self.masks.add(start, end, "", True)

    def tag(self, start: int, name_end: int, name: str, *, closing: bool, limit: int) -> int:
        """Read the tag at `start`, whose name ends at `name_end`; returns where to read on."""
        text, stack = self._text, self.stack
        at, is_hidden, written, self_closing = name_end, False, "", False
        if at < limit and text[at] != ">":
            at, is_hidden, written, self_closing = read_attributes(text, at, limit)
        self._end_unsized(start)
        if at >= limit:
            # The file ends inside the tag: a browser drops it, with whatever it swallowed.
            self._comment(start, limit)
            return limit
        at, name, style = at + 1, name.lower(), read_style(written)
        if closing:
            stack.close(name)
        else:
            stack.make_room(name)
        if self.hidden_from >= 0 or self._heading:
            self._after_change(start)
        shown = SHOWN.get(name, "")
        if name in {"sup", "sub"}:
            shown = raised_mark(text, name, start, at, closing=closing)
        is_hidden = (is_hidden or style.hides) and not closing
        if closing or name in VOID or (self_closing and self._honours_self_closing()):
            if self.hidden_from < 0:
                self.masks.add(start, at, "" if is_hidden else shown, False)
        else:
            if style.size is not None:
                self._sizes.append((len(stack.names), style.size))
            at = self._open(name, start, at, limit, shown=shown, is_hidden=is_hidden)
        self._start_unsized(at)
        return at

    def _open(
        self, name: str, start: int, at: int, limit: int, *, shown: str, is_hidden: bool
    ) -> int:
        stack = self.stack
        in_svg = name == "title" and stack.is_open("svg")
        shows_title = name == "title" and not in_svg and stack.names[-1:] == ["head"]
        shows_title = shows_title and stack.hidden == len(stack.names) - 1
        stack.push(name, hidden=is_hidden or name in UNSEEN or in_svg)
        if len(stack.names) > self._max_nesting:
            raise DocumentParsingError(
                f"{self._name}: elements are nested more than {self._max_nesting} deep "
                f"(at character {start}). Simplify the page, or save it as plain text.",
                Format.HTML,
            )
        if shows_title:
            self.masks.add(self.hidden_from, at, shown, True)
            self.hidden_from = -1
        elif self.hidden_from < 0 and stack.hidden >= 0:
            self.hidden_from, self._hidden_shown = start, shown
        elif self.hidden_from < 0:
            self.masks.add(start, at, shown, False)
            if name[0] == "h" and name[1:] in {"1", "2", "3", "4", "5", "6"} and not self._heading:
                self._heading = int(name[1]), at
        if name not in RAW_TEXT or in_svg:
            return at
        return self._raw_text(name, at, limit, back_to_hidden=shows_title)

    def _raw_text(self, name: str, start: int, limit: int, *, back_to_hidden: bool) -> int:
        """Pass over the content of an element in which `<` starts no tag."""
        if name == "plaintext":
            end = limit
        elif name == "script":
            end = self._script_end(start, limit)
        else:
            found = _RAW_END[name]().search(self._text, start, limit)
            end = found.start() if found else limit
        if self.hidden_from < 0:
            self.shows_text = self.shows_text or not self._text[start:end].isspace()
            if name in ESCAPABLE:
                at = start
                while (token := _REFERENCE().search(self._text, at, end)) is not None:
                    at = self._reference(token.start(), token[0])
        if back_to_hidden:
            self.hidden_from, self._hidden_shown = end, "\n"
        return end

    def _script_end(self, start: int, limit: int) -> int:
        """Where a script ends; inside `<!-- <script>` an end tag does not end the outer one."""
        in_comment = is_nested = False
        for edge in _SCRIPT_EDGE().finditer(self._text, start, limit):
            if edge[0] == "<!--":
                in_comment = True
            elif edge[0] == "-->":
                in_comment = is_nested = False
            elif not edge[1]:
                is_nested = in_comment
            elif is_nested:
                is_nested = False
            else:
                return edge.start()
        return limit

    def _declaration(self, start: int, limit: int) -> int:
        """Pass over a comment, a doctype or another `<!`, `<?` or `</` that is no tag."""
        text = self._text
        if text.startswith("<!--", start):
            if text.startswith((">", "->"), start + 4):
                end = text.index(">", start) + 1
            else:
                found = _COMMENT_END().search(text, start + 4, limit)
                end = found.end() if found else limit
        elif text.startswith("<![CDATA[", start) and self._honours_self_closing():
            end = start + len("<![CDATA[")
            close = text.find("]]>", end, limit)
            self._comment(start, end)
            if close < 0:
                return limit
            self._comment(close, close + 3)
            return close + 3
        else:
            end = text.find(">", start, limit) + 1 or limit
        self._comment(start, end)
        return end

    def _honours_self_closing(self) -> bool:
        return self._is_xml or self.stack.is_open("svg") or self.stack.is_open("math")

    def _words(self, start: int, end: int) -> None:
        """Note words between tags: they end a head that was never closed."""
        if self._text[start:end].isspace():
            return
        stack = self.stack
        if stack.hidden >= 0 and stack.names[-1] == "head":
            stack.cut(len(stack.names) - 1)
            self._after_change(start)
        if stack.hidden < 0 and self._unsized_from < 0:
            self.shows_text = True

    def _start_unsized(self, at: int) -> None:
        """Letters that have no height are not seen: from `at` on, if they stand there."""
        while self._sizes and self._sizes[-1][0] >= len(self.stack.names):
            self._sizes.pop()
        if self._sizes and self._sizes[-1][1] == 0 and self.hidden_from < 0:
            self._unsized_from = at

    def _end_unsized(self, at: int) -> None:
        """Mask the letters without height that go to `at`, where a tag or the text ends them."""
        if self._unsized_from >= 0:
            self.masks.add(self._unsized_from, at, "", True)
            self._unsized_from = -1

    def _after_change(self, at: int) -> None:
        """Elements were closed at `at`: end the hidden part or the heading that ended with them."""
        if self.hidden_from >= 0 and self.stack.hidden < 0:
            self.masks.add(self.hidden_from, at, self._hidden_shown, True)
            self.hidden_from = -1
        if self._heading and not self.stack.is_open("h1"):
            level, start = self._heading
            self.headings.append((level, Span(start, at)))
            self._heading = None
