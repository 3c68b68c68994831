"""Markup inside a Markdown paragraph: emphasis, code, links, tags, escapes (CommonMark 0.31, 6).

Masks what a reader does not see. Whatever has no partner stays as it is written: "2 * 3" keeps its
star. Linear in the length of the paragraph.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass

from veridical.sources.elements import RAW_TEXT, SHOWN, VOID
from veridical.sources.entities import REFERENCE
from veridical.sources.html import AddMask, HtmlScanner
from veridical.sources.patterns import lazy

STANDARD_NAMES = (VOID | RAW_TEXT | frozenset(SHOWN) - {"svg"}) | frozenset(
    """
    a abbr acronym applet b bdi bdo big blink cite code colgroup command content data datalist del
    dfn element em fencedframe font frameset i image ins isindex kbd label map mark marquee menuitem
    meter multicol nextid nobr output picture portal progress rb rp rt rtc ruby s samp
    selectedcontent shadow slot small spacer span strike strong sub sup template time tt u var
    """.split()
)
"""The elements of the HTML standard, those with it that it calls obsolete."""

_FOREIGN_NAMES = frozenset(
    """
    svg animate animatemotion animatetransform circle clippath defs desc ellipse feblend
    fecolormatrix fecomposite fedropshadow feflood fegaussianblur feimage femerge femergenode
    feoffset filter foreignobject g line lineargradient marker mask metadata mpath path pattern
    polygon polyline radialgradient rect set stop switch symbol text textpath tspan use view
    math annotation maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded
    mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr
    munder munderover none semantics
    """.split()
)
"""Elements of SVG and MathML, which are tags inside `svg` and `math` only."""

_ROOTS = ("svg", "math")


class MarkdownTags(HtmlScanner):
    """Reads the tags of a Markdown text; words in angle brackets that name no element stay.

    A browser hides `<not>` as well, but whoever writes "may <not> work" means to be read.
    """

    def tag(self, start: int, name_end: int, name: str, *, closing: bool, limit: int) -> int:
        """See `HtmlScanner.tag`. What is no tag is read on behind its first word."""
        if not self.is_tag(name):
            return name_end
        return super().tag(start, name_end, name, closing=closing, limit=limit)

    def is_tag(self, name: str) -> bool:
        """Whether a name is that of an element here. Those with a hyphen are anybody's own."""
        name = name.lower()
        if name in STANDARD_NAMES or name in _ROOTS or "-" in name:
            return True
        return name in _FOREIGN_NAMES and any(map(self.stack.is_open, _ROOTS))


PUNCTUATION = r"!-/:-@\[-`{-~"
_SPECIAL = re.compile(r"[\\`*_~\[\]<&]")  # one class of characters is searched for ten times faster
_TOKEN = re.compile(
    rf"\\(?:[{PUNCTUATION}]|\r?\n)|(`++)|(\*++|_++|~++)|(\[)|(\])|(<)|({REFERENCE})"
)
_TICKS = lazy(r"`++")

_AUTOLINK = lazy(
    r"<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}+:[^\s<>]*+|[\w.!#$%&'*+/=?^`{|}~-]++@[\w.-]++)>"
)
INLINE_TAG = lazy(
    r"""<(?:(/)([a-zA-Z][a-zA-Z0-9-]*+)\s*+>
      | ([a-zA-Z][a-zA-Z0-9-]*+)
        (?:\s++[a-zA-Z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?)*
        \s*+/?>)""",
    re.VERBOSE | re.ASCII,
)
_DECLARATION = lazy(r"<(!--|\?|!\[CDATA\[|![a-zA-Z])")
_DECLARATION_ENDS = {"!--": "-->", "?": "?>", "![CDATA[": "]]>"}

_PLAIN_TARGET = lazy(r"\(\s*+[^\s()<\\]*+\s*+\)")
_ANGLED = lazy(r"<(?:[^<>\\\r\n]++|\\.)*>")
_TITLE = lazy(
    r"""\s++(?:"(?:[^"\\]++|\\.)*"|'(?:[^'\\]++|\\.)*'|\((?:[^()\\]++|\\.)*\))""", re.DOTALL
)
_NESTING = lazy(r"\\[^\s]|[()\s]")
_SPACES = re.compile(r"\s*+")
_LABEL = lazy(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_MAX_PARENTHESES = 32


@dataclass(slots=True)
class _Run:
    """A run of `*`, `_` or `~` that may open or close emphasis; what is unused is `start:end`."""

    start: int
    end: int
    length: int
    opens: bool
    closes: bool


@dataclass(slots=True)
class _Bracket:
    """A `[` or `![`, and how many emphasis runs stood before it."""

    start: int
    end: int
    runs: int
    is_image: bool
    holds_bracket: bool = False


def label_key(label: str) -> str:
    """The form in which reference labels are compared."""
    return " ".join(label.split()).casefold()


class InlineReader:
    """Reads one paragraph after another. `references` holds the `label_key`s that are defined."""

    def __init__(
        self, text: str, references: frozenset[str], html: HtmlScanner, add: AddMask
    ) -> None:
        self._text = text
        self._references = references
        self._html = html
        self._add = add
        self._start = self._end = self._read_to = 0
        self._runs: list[_Run] = []
        self._brackets: list[_Bracket] = []
        self._no_links_below = 0
        self._ticks: dict[int, list[int]] | None = None
        self._missing: set[str] = set()
        self._last_parenthesis: int | None = None

    def read(self, start: int, end: int) -> None:
        """Mask the markup of the paragraph, heading or table cell `text[start:end]`."""
        text, search = self._text, _SPECIAL.search
        special = search(text, start, end)
        if special is None:
            return
        self._start, self._end = start, end
        self._runs.clear()
        self._brackets.clear()
        self._no_links_below = 0
        self._ticks = None
        self._missing.clear()
        self._last_parenthesis = None
        height = len(self._html.stack.names)
        self._read_to = start
        while special is not None:
            token = _TOKEN.match(text, special.start(), end)
            self._read_to = self._token(token) if token else special.end()
            special = search(text, self._read_to, end)
        self._pair_runs(0)
        self._html.leave(height, end)

    def _token(self, token: re.Match[str]) -> int:
        """Handle one token; returns where to read on."""
        start, end, kind = token.start(), token.end(), token.lastindex
        if kind is None:
            self._add(start, start + 1, "", False)
        elif kind == 1:
            return self._code(start, end)
        elif kind == 2:
            self._emphasis(start, end)
        elif kind == 3:
            is_image = start > self._read_to and self._text[start - 1] == "!"
            self._brackets.append(_Bracket(start - is_image, end, len(self._runs), is_image))
        elif kind == 4:
            return self._close_bracket(start)
        elif kind == 5:
            return self._angle(start)
        else:
            return self._html.reference(start, token[0], semicolon_required=True)
        return end

    def _code(self, start: int, end: int) -> int:
        """A code span ends at the next run of as many backticks."""
        if self._ticks is None:
            self._ticks = defaultdict(list)
            for run in _TICKS().finditer(self._text, start, self._end):
                self._ticks[run.end() - run.start()].append(run.start())
        places = self._ticks.get(end - start, [])
        index = bisect_left(places, end)
        if index == len(places):
            return end
        close = places[index]
        self._add(start, end, "", False)
        self._add(close, close + end - start, "", False)
        return close + end - start

    # Emphasis: sections 6.2 and "An algorithm for parsing nested emphasis and links".

    def _emphasis(self, start: int, end: int) -> None:
        text = self._text
        before = text[start - 1] if start > self._start else " "
        after = text[end] if end < self._end else " "
        intraword = before.isalnum() and after.isalnum()
        if intraword and (before.isdigit() or after.isdigit()):
            return  # "2*3*4" is a product, whatever CommonMark makes of it
        space_before, space_after = before.isspace(), after.isspace()
        mark_before, mark_after = _is_punctuation(before), _is_punctuation(after)
        left = not space_after and (not mark_after or space_before or mark_before)
        right = not space_before and (not mark_before or space_after or mark_after)
        opens, closes = left, right
        if text[start] == "_":
            opens = left and (not right or mark_before)
            closes = right and (not left or mark_after)
        elif text[start] == "~" and end - start > 2:
            return  # GitHub Flavored Markdown, "Strikethrough": one tilde or two
        if opens or closes:
            self._runs.append(_Run(start, end, end - start, opens, closes))

    def _pair_runs(self, first: int) -> None:
        """Mask the paired ones among the runs from index `first`, and forget them all."""
        runs = self._runs[first:]
        del self._runs[first:]
        open_runs: list[_Run] = []
        bottoms: dict[tuple[str, bool, int], int] = {}
        for run in runs:
            while run.closes and run.start < run.end:
                key = (self._text[run.start], run.opens, run.length % 3)
                opener = self._opener(open_runs, run, bottoms.get(key, -1))
                if opener is None:
                    bottoms[key] = run.start
                    break
                self._match(opener, run)
                if opener.start == opener.end:
                    open_runs.pop()
            if run.opens and run.start < run.end:
                open_runs.append(run)

    def _opener(self, open_runs: list[_Run], closer: _Run, bottom: int) -> _Run | None:
        """The innermost run that `closer` closes; those inside it are dropped from `open_runs`."""
        char = self._text[closer.start]
        for index in range(len(open_runs) - 1, -1, -1):
            run = open_runs[index]
            if run.start < bottom:
                return None
            if self._text[run.start] != char:
                continue
            if char == "~" and run.length != closer.length:
                continue
            odd = (run.closes or closer.opens) and (run.length + closer.length) % 3 == 0
            if odd and (run.length % 3 or closer.length % 3):
                continue
            del open_runs[index + 1 :]
            return run
        return None

    def _match(self, opener: _Run, closer: _Run) -> None:
        available = min(opener.end - opener.start, closer.end - closer.start)
        used = 2 if available >= 2 else 1
        opener.end -= used
        self._add(opener.end, opener.end + used, "", False)
        self._add(closer.start, closer.start + used, "", False)
        closer.start += used

    # Links and images: sections 6.3 and 6.4.

    def _close_bracket(self, at: int) -> int:
        """A `]`: the end of a link or an image, if it has a target, or just a bracket."""
        if not self._brackets:
            return at + 1
        opener = self._brackets.pop()
        is_dead = not opener.is_image and len(self._brackets) < self._no_links_below
        self._no_links_below = min(self._no_links_below, len(self._brackets))
        end = None if is_dead else self._target(opener, at)
        if self._brackets:
            self._brackets[-1].holds_bracket = True
        if end is None:
            return at + 1
        if opener.is_image:
            self._add(opener.start, end, " ", False)
            del self._runs[opener.runs :]
            return end
        if self._text[opener.end] == "^" and opener.end < at:
            self._add(opener.start, end, " ", False)
            return end
        self._add(opener.start, opener.end, "", False)
        self._add(at, end, "", False)
        self._pair_runs(opener.runs)
        self._no_links_below = len(self._brackets)
        return end

    def _target(self, opener: _Bracket, at: int) -> int | None:
        """Where the link that is closed by the `]` at `at` ends; None if it is no link."""
        text = self._text
        following = text[at + 1 : at + 2] if at + 1 < self._end else ""
        if following == "(":
            end = self._inline_target(at + 1)
            if end is not None:
                return end
        is_reference = bool(self._references)
        if following == "[" and is_reference:
            label = _LABEL().match(text, at + 1, self._end)
            if label and label[1].strip():
                return label.end() if label_key(label[1]) in self._references else None
            if label and self._is_defined(opener, at):
                return label.end()
        return at + 1 if is_reference and self._is_defined(opener, at) else None

    def _is_defined(self, opener: _Bracket, at: int) -> bool:
        if opener.holds_bracket or at - opener.end > 999:
            return False
        return label_key(self._text[opener.end : at]) in self._references

    def _inline_target(self, at: int) -> int | None:
        """Where the `(destination "title")` at `at` ends; None if it is not one."""
        text, limit = self._text, self._end
        if self._last_parenthesis is None:
            self._last_parenthesis = text.rfind(")", self._start, limit)
        if at > self._last_parenthesis:
            return None
        plain = _PLAIN_TARGET().match(text, at, limit)
        if plain:
            return plain.end()
        start = _end_of(_SPACES, text, at + 1, limit)
        angled = _ANGLED().match(text, start, limit)
        end = angled.end() if angled else self._bare_destination(start)
        if end is None:
            return None
        title = _TITLE().match(text, end, limit)
        end = _end_of(_SPACES, text, title.end() if title else end, limit)
        return end + 1 if end < limit and text[end] == ")" else None

    def _bare_destination(self, at: int) -> int | None:
        """Where a destination ends that may hold balanced parentheses and escapes."""
        depth = 0
        for found in _NESTING().finditer(self._text, at, self._end):
            char = found[0]
            if char == "(":
                depth += 1
                if depth > _MAX_PARENTHESES:
                    return None
            elif char == ")" and depth:
                depth -= 1
            elif char == ")" or char.isspace():
                return None if depth else found.start()
        return None

    # Autolinks and raw HTML: sections 6.5 and 6.6.

    def _angle(self, at: int) -> int:
        text, limit, html = self._text, self._end, self._html
        autolink = _AUTOLINK().match(text, at, limit)
        if autolink:
            self._add(at, at + 1, "", False)
            self._add(autolink.end() - 1, autolink.end(), "", False)
            return autolink.end()
        tag = INLINE_TAG().match(text, at, limit)
        if tag:
            group = 2 if tag[1] else 3
            return html.tag(at, tag.end(group), tag[group], closing=bool(tag[1]), limit=limit)
        declaration = _DECLARATION().match(text, at, limit)
        return self._declaration(declaration) if declaration else at + 1

    def _declaration(self, opening: re.Match[str]) -> int:
        """A comment, declaration or processing instruction, if it ends in this paragraph."""
        closing = _DECLARATION_ENDS.get(opening[1], ">")
        at, start = opening.start(), opening.end()
        if closing == "-->":
            start -= 2  # "<!-->" and "<!--->" are whole comments
        found = -1 if closing in self._missing else self._text.find(closing, start, self._end)
        if found < 0:
            self._missing.add(closing)
            return at + 1
        self._html.comment(at, found + len(closing))
        return found + len(closing)


def _end_of(pattern: re.Pattern[str], text: str, at: int, limit: int) -> int:
    found = pattern.match(text, at, limit)
    return found.end() if found else at


def _is_punctuation(char: str) -> bool:
    return not char.isalnum() and unicodedata.category(char)[0] in "PS"
