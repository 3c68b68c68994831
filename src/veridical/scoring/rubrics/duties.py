"""The duties of a procedure: which of its sentences and points oblige, and to what.

Read are "must", "shall" and their like, time limits, orders ("Close the door.") and lists of
orders. An order is told by its shape: a word that can be a verb stands first, and before what only
a verb has after it (an article, a quantity, a quotation); of a list half the points must have that
shape. Whoever is obliged somewhere has a duty as well where the text only says what he does ("The
operator logs the heat"). What cannot be told so is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from veridical.errors import ValidationError
from veridical.retrieval.chunks import DEFAULT, chunk_document
from veridical.retrieval.lines import Kind
from veridical.retrieval.pieces import Pieces
from veridical.sources.document import Document, Format, Span
from veridical.text.lexicon import english
from veridical.text.reading import SENTENCE_ENDS
from veridical.validation.lexicon import NUMBERS

MOST_CHARS = 2_000_000
"""Of all procedures together: some 700 pages."""

MOST_QUOTE_CHARS = 2_000
_MOST_ELEMENTS = 20
_MOST_ADVERBS = 3
_MOST_SUBJECT_WORDS = 6
_MOST_OPENING_COMMAS = 4

_SECONDS = {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600}

_DUTY = re.compile(
    r"\b(?P<verb>must(?!-)|shall|(?:is|are) (?:required|obliged) to|(?:is|are) to"
    r"|(?:has|have) to(?! do with\b)|needs? to|may)\b(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LIMIT = re.compile(
    r"\b(?:within|(?:no|not) later than|in (?:less|under) than|in under)\s+"
    r"(?P<number>\d+(?:\.\d+)?|[a-z]+)\s*-?\s*(?P<unit>second|sec|minute|min|hour)s?\b"
    r"\s+(?:of|after|from)\s+(?P<start>[^.;]+)",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:is|are|will)\b", re.IGNORECASE)
QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{3,200})[\"\u201d]")
BULLET = re.compile(
    r"\s*(?:(?P<sign>[-*+\u2022\u2013\u25aa\u25cf\u25e6])|\(?(?:(?P<number>\d{1,3})|[a-z])[.)])"
    r"\s+(?:\[[ xX]?\]\s+)?"
)
_FENCED = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.DOTALL | re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_CONDITION = re.compile(
    r"(?:if|when|where|should|unless|in case|(?:up)?on \w+ing)\b", re.IGNORECASE
)
"""A duty that holds only then need not be heard on every recording."""

_ADVERB = re.compile(
    r"(?:please|also|always|then|first|next|finally|now|\w+(?<!pp)ly)(?=,?\s)", re.IGNORECASE
)
_ASIDE = re.compile(r",([^,]{1,80}),\s*")
_MEASURE = re.compile(r"\bthan \d[^,;]{0,10}$")
_EVERYBODY = re.compile(r"(?:all|every|each|both|any|no|nobody|none)\b", re.IGNORECASE)
_NO_CASE = r"(?:under|in|at|on|by) no \w+"
NEGATIVE = re.compile(rf"(?:not(?! only\b)|never|{_NO_CASE})\b,?\s*", re.IGNORECASE)
NO = re.compile(rf"(?:no(?! \w+ than\b)|nobody|nothing|none|neither|{_NO_CASE})\b", re.IGNORECASE)
_FORBIDDING = re.compile(r"(?:do not|don['\u2019]t|never)\s+", re.IGNORECASE)
_OPENING = re.compile(r"(do not|don['\u2019]t|never|always):", re.IGNORECASE)
_NO_CASE_IS = re.compile(r"under no \w+ (?:is|are|may|can|should)\s+(?P<rest>.+)", re.IGNORECASE)
_RATE = re.compile(r"\b(?:every|each|per)\b", re.IGNORECASE)
_BY = re.compile(r"be (?:\w+ ){1,3}by (?:an?|the) ([a-z -]+)")

_ASKING = english("questions") - {"who", "which"} | {"that", "if", "because", "whether", "than"}
"""Words behind which, with at most two others between, a verb belongs to another clause."""

_SUBORDINATING = frozenset("after as because before if once unless until when while".split())
_PRONOUNS = english("subjects")
_MAYBE = english("modals") - {"must", "shall", "will"}
_OPENERS = english("prepositions", "clause-openers", "connectives", "questions") | {"should"}
_BEFORE_NOUNS = english("articles", "determiners", "objects") | {"each", "every", "any", "all"}
_BEHIND_NOUNS = english("prepositions") | {"who", "which", "that"}
_AFTER_VERBS = _BEFORE_NOUNS | {"it", "both", "whether", "what", "how"}
_AUXILIARIES = english("be", "have", "do", "modals")
_FINITE = _AUXILIARIES | english("clause-verbs")
_DENYING = english("negations") - {"no"} | {"don'ts"}
_NO_DUTY = _MAYBE | english("articles") | {"cannot", "never", "no", "not", "which", "who"}
"""Before a verb like "must" these take the duty away."""

_NO_VERBS = (
    english("conjunctions", "be", "modals", "negations", "anaphors", "counting")
    | (_AFTER_VERBS | _OPENERS | _PRONOUNS | NUMBERS.keys() | {"had", "did", "see"})
)  # fmt: skip
"""Words that begin no order; "see" points to another place."""

_VERB = re.compile(
    r"(?!\w*[aeiouy]\w*ing\b|\w*(?<!e)ed\b|\w*(?<!pp)ly\b|\w*(?<!s)s\b)[a-z]+(?:-[a-z]+)?"
)
"""A word with no ending that orders do not have."""

_QUANTITY = re.compile(
    r"(?:at least|at most|enough|(?:no|not) (?:more|less|fewer) than)\b"
    rf"|(?:\d+(?:\.\d+)?|{'|'.join(NUMBERS)})[ -](?:{'|'.join(english('units'))})s?\b",
    re.IGNORECASE,
)
"""Behind a verb alone: "Leave two metres", not "Engine two"."""

_DEED = re.compile(
    r"(?P<opening>(?:[\w-]+ ){0,3}?)(?:the|an?|each|every) (?:[\w-]+ ){0,3}?"
    r"(?P<noun>[\w-]+) (?P<verb>[a-z]+(?<!s)s) (?P<after>.+)",
    re.IGNORECASE,
)
_DOES = re.compile("[a-z]+(?<!s)s ")
_LEAST_ACTS, _LEAST_DEEDS = 3, 2
"""So many duties make a text a procedure, and so many deeds of one noun make it an actor."""
_NOBODY = re.compile("nobody|no one", re.IGNORECASE)

_COUNTING = re.compile(rf"[A-Za-z]+ (?:\d+|{'|'.join(NUMBERS)}) [a-z]", re.IGNORECASE)
"""As orders often are: "Blow three blasts"; so is "Engine two reports"."""


class Act(NamedTuple):
    """What a sentence obliges to: who or what stands before the verb, and what comes after it,
    without the "not" of what `forbids`. `is_sure` says that it needs no other duty near it.
    """

    subject: str
    rest: str
    forbids: bool = False
    is_sure: bool = True

    @property
    def clause(self) -> str:
        """The last clause of what stands before the verb."""
        return last_clause(self.subject)


def last_clause(words: str) -> str:
    """The words behind the last comma, or the like, but for one at the end."""
    return re.split(r"[,;:()]", words.rstrip(" ,;:."))[-1].strip()


@dataclass(frozen=True, slots=True)
class Duty:
    """A sentence of a procedure that obliges, with the points of the list that it opens.

    `act` is None where only a language model says that it does. `is_conditional`: it need not be
    heard on every recording.
    """

    document: Document
    span: Span
    section: str
    act: Act | None = None
    items: tuple[Span, ...] = ()
    is_conditional: bool = False

    @property
    def quote(self) -> str:
        """The exact words of the document; of a list that of all its points."""
        end = self.items[-1].end if self.items else self.span.end
        return self.document.text[self.span.start : end][:MOST_QUOTE_CHARS]

    @property
    def words(self) -> str:
        """The sentence on one line, as a reader sees it, without the sign of a list."""
        return words_of(self.document, self.span)

    def source(self) -> dict[str, Any]:
        """As a rubric's criterion tells it."""
        told: dict[str, Any] = {"document": self.document.name[:300], "quote": self.quote}
        if (page := self.document.page_at(self.span.start)) is not None:
            told["page"] = page
        return told | ({"section": self.section[:500]} if self.section else {})


def words_of(document: Document, span: Span) -> str:
    """A stretch on one line, as a reader sees it, without the sign of a list before it."""
    shown = " ".join(document.shown(span).split())
    sign = BULLET.match(shown)
    return shown[sign.end() :] if sign else shown


def heading_at(document: Document, span: Span) -> str:
    """The heading above a span; empty where there is none."""
    section = document.section_at(span.start)
    return "" if section is None else " ".join(section.title.split())


def duties(documents: Sequence[Document]) -> Iterator[Duty]:
    """The sentences and points that oblige, in order. What is struck through, code or a heading is
    none. Raises ValidationError above `MOST_CHARS`.
    """
    if sum(len(document.text) for document in documents) > MOST_CHARS:
        raise ValidationError(
            f"the procedures have more than {MOST_CHARS:,} characters; give fewer documents, or "
            "chapters of them"
        )
    for document in documents:
        found = list(_Procedure(document).duties())
        near = Counter(duty.section for duty in found)
        yield from (one for one in found if one.act and (one.act.is_sure or near[one.section] > 1))


class _Line(NamedTuple):
    """A sentence or point: `sign` is that of its list, `column` where it begins in its line."""

    span: Span
    words: str
    kind: Kind
    is_alone: bool
    sign: str
    column: int

    @property
    def ends(self) -> bool:
        """Whether it ends as a sentence does."""
        return self.words.rstrip("\"'\u201d\u2019)")[-1:] in SENTENCE_ENDS


class _Procedure:
    """Reads the duties of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lines = list(self._read())
        self._acts = [obliges(line.words) if self._is_read(line) else None for line in self._lines]
        self._actors = self._find_actors()

    def _find_actors(self) -> set[str]:
        """Who is obliged by a verb like "must", or is often said to do something to a thing."""
        acts = [act for act in self._acts if act is not None]
        actors = {_head(act.clause) for act in acts if not act.rest.startswith("be ")}
        actors |= {_head(found[1]) for act in acts if (found := _BY.match(act.rest))}
        deeds: dict[str, set[str]] = {}
        for line in self._lines * (len(acts) >= _LEAST_ACTS):
            for words in _after_openings(line.words):
                found = _DEED.match(words)
                if found is None or not _takes(found["after"]):
                    continue
                if not found["opening"] or _words(words)[0] in _OPENERS:
                    deeds.setdefault(found["noun"].lower(), set()).add(found["verb"])
        actors |= {noun for noun, verbs in deeds.items() if len(verbs) >= _LEAST_DEEDS}
        return actors - {"", "nobody", *_PRONOUNS, *_OPENERS, *english("anaphors", "conjunctions")}

    def _is_read(self, line: _Line) -> bool:
        """Whether a line is no heading, and none that runs along the pages."""
        is_title = self._document.pages and line.kind is Kind.PROSE and line.is_alone
        return line.kind is not Kind.HEADING and (
            not is_title or line.ends or line.words.endswith(":")
        )

    def _read(self) -> Iterator[_Line]:
        document, text = self._document, self._document.text
        kept = {one.start for chunk in chunk_document(document) for one in chunk.sentences}
        code = []
        if document.format is Format.MARKDOWN:
            code = [Span(*found.span()) for found in _FENCED.finditer(text)]
        code.reverse()
        for paragraph in Pieces(document, DEFAULT.longest).paragraphs():
            pieces = [piece for unit in paragraph for piece in unit]
            for piece in pieces:
                span = piece.span
                while code and code[-1].end <= span.start:
                    code.pop()
                is_code = code and code[-1].overlap(span) > 0
                words = words_of(document, span)
                if span.start not in kept or is_code or not words:
                    continue
                sign = BULLET.match(text, span.start, span.end)
                mark = (sign["sign"] or ("1" if sign["number"] else "a")) if sign else ""
                column = span.start - text.rfind("\n", 0, span.start)
                yield _Line(span, words, piece.kind, len(pieces) == 1, mark, column)

    def duties(self) -> Iterator[Duty]:
        """The duties in order; those that are not sure among them."""
        at = 0
        while at < len(self._lines):
            line, act = self._lines[at], self._acts[at] or self._opens_deeds(at)
            if act is not None and act.rest.endswith(":"):
                items, at = self._list(at + 1, is_opened=True)
                if items or act.rest.strip(" :"):
                    yield self._duty(line, act, tuple(one.span for one in items))
                continue
            items, end = self._list(at, is_opened=False)
            if len(items) > 1:
                yield from self._steps(at, end)
                at = end
                continue
            if act := self._act(at):
                yield self._duty(line, act)
            at += 1

    def _opens_deeds(self, at: int) -> Act | None:
        """What opens a list of what somebody obliged does: "The supervisor", "checks the cards"."""
        line, following = self._lines[at], self._lines[at + 1 : at + 2]
        words = line.words.rstrip(" :")
        told = bool(following) and bool(following[0].sign) and _DOES.match(following[0].words)
        if not (told and words) or line.ends or not self._acts_here(words.split()):
            return None
        return Act(words, ":")

    def _duty(self, line: _Line, act: Act, items: tuple[Span, ...] = (), *, lead: str = "") -> Duty:
        is_conditional = any(_CONDITION.match(words) for words in (line.words, lead))
        section = heading_at(self._document, line.span)
        return Duty(self._document, line.span, section, act, items, is_conditional)

    def _act(self, at: int, *, is_step: bool = False) -> Act | None:
        """What a line obliges to, in the light of the others."""
        line = self._lines[at]
        if self._acts[at] is not None or line.kind is Kind.HEADING:
            return self._acts[at]
        act = ordered(line.words, is_step=is_step) if line.ends or is_step else None
        return act or self._custom(line.words)

    def _custom(self, words: str) -> Act | None:
        """What somebody does, is to do or may not do, whom another sentence obliges."""
        if words.endswith("?"):
            return None
        for rest in _after_openings(words):
            if act := self._done(rest.split()):
                return act._replace(subject=f"{words.removesuffix(rest)}{act.subject}")
        return None

    def _done(self, words: Sequence[str]) -> Act | None:
        """The act of somebody obliged: of a kind that is done to something, always, never, in some
        time or at some rate.
        """
        heads = range(1, min(len(words) - 1, _MOST_SUBJECT_WORDS))
        at = next((at for at in heads if self._acts_here(words[:at])), 0)
        subject, rest = " ".join(words[:at]), list(words[at:])
        named = _words(subject)
        if not at or named[0] in _SUBORDINATING or not _AUXILIARIES.isdisjoint(named):
            return None
        start, text = [word.lower() for word in rest[:2]], " ".join(rest)
        if start in (["is", "to"], ["are", "to"], ["may", "not"]):
            return _act_of(subject, text.removeprefix(f"{rest[0]} ").removeprefix("to "))
        how = rest.pop(0).lower() if start[0] in {"always", "never"} else ""
        if len(rest) < 2 or rest[0] != rest[0].lower():
            return None
        is_plural = subject.lower().endswith("s") or " and " in subject
        is_verb = _VERB.fullmatch(rest[0]) if is_plural else _DOES.fullmatch(f"{rest[0]} ")
        if not is_verb or rest[0] in _NO_VERBS | _FINITE:
            return None
        text = " ".join(rest)
        is_timed = limit_of(text) is not None or _RATE.search(text) is not None
        if not (how or is_timed or _takes(" ".join(rest[1:]))):
            return None
        return Act(subject, text, how == "never" or NO.match(subject) is not None)

    def _acts_here(self, words: Sequence[str]) -> bool:
        """Whether words end with somebody who is obliged, or with nobody."""
        last = " ".join(words[-2:]) if words[-1].lower() == "one" else words[-1]
        return _singular(words[-1].lower()) in self._actors or _NOBODY.fullmatch(last) is not None

    def _list(self, start: int, *, is_opened: bool) -> tuple[list[_Line], int]:
        """The points of the list that begins at a line, and where it ends: points with one sign,
        or lines by themselves. Where a sentence with a colon opened it, the latter are no sentences
        or are orders.
        """
        items: list[_Line] = []
        is_dense = False
        for at in range(start, len(self._lines)):
            line = self._lines[at]
            first = items[0] if items else line
            if line.sign and line.column > first.column:
                continue
            is_point = line.kind is Kind.ITEM or (line.kind is Kind.PROSE and line.is_alone)
            if not is_point or (line.kind, line.sign) != (first.kind, first.sign):
                return items, at
            if line.kind is Kind.PROSE and is_opened and not self._is_bare(at):
                return items, at
            if line.words.endswith(":") or len(items) == _MOST_ELEMENTS:
                return items, at
            if items:
                gap = self._document.text[items[-1].span.end : line.span.start]
                is_apart = _BLANK_LINE.search(gap) is not None
                if is_apart and is_dense:
                    return items, at
                is_dense = is_dense or not is_apart
            items.append(line)
        return items, len(self._lines)

    def _is_bare(self, at: int) -> bool:
        line = self._lines[at]
        if line.ends:
            return ordered(line.words, is_step=True) is not None
        return self._acts[at] is None

    def _steps(self, start: int, end: int) -> Iterator[Duty]:
        """The points of a list that oblige: all that can be orders where half of them clearly are,
        and neither heading nor opening says that they are something else.
        """
        lead = self._lines[start - 1].words if start else ""
        lead = lead if lead.endswith(":") else ""
        may_be = _opens_orders(lead, heading_at(self._document, self._lines[start].span))
        lines = self._lines[start:end]
        orders = sum(ordered(line.words) is not None for line in lines)
        alike = orders + sum(_COUNTING.match(line.words) is not None for line in lines)
        is_steps = orders > 0 and 2 * alike >= len(lines)
        for at, line in enumerate(lines, start):
            act = self._act(at, is_step=is_steps) if may_be else self._acts[at]
            if act is not None:
                yield self._duty(line, act._replace(is_sure=act.is_sure or is_steps), lead=lead)


def _opens_orders(lead: str, heading: str) -> bool:
    """Whether the points below can be orders: not what may be done, or must not."""
    last = last_clause(lead).lower()
    words = _words(last)
    if words and words[-1] in _OPENERS | _PRONOUNS | _FINITE | _DENYING:
        return False
    denies = [heading] if _CONDITION.match(last) else [heading, last]
    return _MAYBE.isdisjoint(words) and not any(map(_denies, denies))


def _denies(words: str) -> bool:
    return any(word in _DENYING or "n't" in word for word in _words(words))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", text.lower().replace("\u2019", "'"))


def obliges(words: str) -> Act | None:
    """The duty that a verb like "must" puts in a sentence, or a time limit; None in a question, and
    in a clause that only tells of a duty.
    """
    if words.endswith("?"):
        return None
    if found := _OPENING.fullmatch(words):
        return Act("", ":", _FORBIDDING.match(f"{found[1]} ") is not None)
    if (found := _NO_CASE_IS.match(words)) is not None:
        return Act(words[: found.start("rest")].strip(), found["rest"], forbids=True)
    plain = QUOTED.sub(lambda quoted: "\u201c" * len(quoted[0]), words)
    found = _DUTY.search(plain)
    while found is not None:
        before, rest = words[: found.start()].strip(), words[found.start("rest") :]
        if not _only_tells(before, found["verb"].lower(), rest):
            return _act_of(before, rest)
        found = _DUTY.search(plain, found.start() + 1)
    if limit_of(words) is None:
        return None
    return ordered(words) or (Act("", words) if _NOW.search(words) else None)


def _act_of(before: str, rest: str) -> Act | None:
    """What stands behind the verb, without adverbs, asides and the word that denies it."""
    clause = re.sub(r"^(?:and|or|but) ", "", last_clause(before), flags=re.IGNORECASE)
    forbids = _is_of_nobody(before)
    for _ in range(_MOST_ADVERBS):
        if aside := _ASIDE.match(rest):
            rest, forbids = rest[aside.end() :], forbids or bool(NEGATIVE.match(aside[1].strip()))
        rest = rest.strip()
        if adverb := _ADVERB.match(rest):
            rest = rest[adverb.end() :]
        if denied := NEGATIVE.match(rest):
            rest, forbids = rest[denied.end() :], True
    rest = rest.lstrip(", ")
    if re.match("not (?!only)", clause, re.IGNORECASE) or not (_says(rest) or rest == ":"):
        return None
    return Act(before, rest, forbids)


def _head(clause: str) -> str:
    """The noun of what stands before a verb, in the singular: "crew" of "All crews on duty"."""
    kept: list[str] = []
    for word in _words(clause):
        if kept and word in _BEHIND_NOUNS:
            break
        kept.append(word)
    return _singular(kept[-1]) if kept else ""


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _takes(after: str) -> bool:
    """Whether this is what only a verb has behind it."""
    if after[:1] in '"\u201c' and after:
        behind = _words(QUOTED.sub("", after, count=1))[:1]
        return QUOTED.match(after) is not None and _FINITE.isdisjoint(behind)
    return after.split(" ", 1)[0] in _AFTER_VERBS or _QUANTITY.match(after) is not None


def _is_of_nobody(before: str) -> bool:
    """Whether what stands before a verb is "no crew", "nobody" and their like."""
    clause = re.sub(r"^(?:and|or|but) ", "", last_clause(before), flags=re.IGNORECASE)
    return any(map(NO.match, (clause, " ".join(clause.split()[-2:]))))


def _says(text: str) -> bool:
    return any(map(str.isalnum, text))


def _only_tells(before: str, verb: str, rest: str) -> bool:
    """Whether a verb like "must" belongs to a clause that obliges nobody: "what crews must know",
    "they said that they have to", "does not have to", "it must have been".
    """
    if re.match(r"\s+have been\b", rest, re.IGNORECASE):
        return True
    clause = re.split(r"[,;:()]|\b(?:and|or|but)\b", before, flags=re.IGNORECASE)[-1]
    words = _words(clause)
    if verb == "may":
        return not _is_of_nobody(before)
    if verb in {"is to", "are to"} and not re.match(r"\s+be\b", rest):
        return not _is_bound(clause.strip(), verb, rest)
    if not words:
        return False
    last, near = words[-1], words[-3:]
    if _MEASURE.search(clause):  # "by more than 1 m"
        near = near[-1:]
    if last in _NO_DUTY or last.endswith("n't") or not _ASKING.isdisjoint(near):
        return True
    if near[-2:-1] == ["no"] and verb[:2] in {"ha", "ne"}:  # "no longer have to"
        return True
    if verb[:2] in {"is", "ar"} and last in {"it", "there"}:
        return True
    is_opened = words[0] in _OPENERS and len(words) <= _MOST_SUBJECT_WORDS - 2
    return last in _PRONOUNS and len(words) > 1 and not is_opened


def _is_bound(clause: str, verb: str, rest: str) -> bool:
    """Whether "are to" binds somebody, and does not say what a thing is: "the options are to"."""
    if _EVERYBODY.match(clause):
        return True
    after = rest.strip().partition(" ")[2]
    is_general = _words(clause)[-1:] == [] or _words(clause)[-1] in english("general-nouns")
    return verb == "are to" and not is_general and (_takes(after) or after.startswith("to "))


def ordered(words: str, *, is_step: bool = False) -> Act | None:
    """The duty in an order ("Close the door.", "If it rains, do not go out."); a point of a list
    of orders needs no more than that it can be one.
    """
    if words.endswith("?"):
        return None
    for rest in _after_openings(words):
        if act := _order(rest, is_step=is_step):
            return act._replace(subject=words.removesuffix(rest))
    return None


def _after_openings(words: str) -> Iterator[str]:
    """A sentence, and what is left of it behind each comma of what opens it: "If it rains, "."""
    opened = _words(words)[:1]
    for _ in range(_MOST_OPENING_COMMAS):
        yield words
        _, comma, words = words.partition(", ")
        if not comma or not opened or opened[0] not in _OPENERS:
            return


def _order(words: str, *, is_step: bool) -> Act | None:
    always = False
    while adverb := _ADVERB.match(words):
        always = always or adverb[0].lower().startswith(("always", "please"))
        words = words[adverb.end() :].lstrip(", ")
    forbidding = _FORBIDDING.match(words)
    rest = words[forbidding.end() :] if forbidding else words
    first, _, after = rest.partition(" ")
    verb = first.rstrip(".!,;").lower()
    if not _VERB.fullmatch(verb) or verb in _NO_VERBS:
        return None
    if forbidding or always:
        return Act("", rest, forbidding is not None)
    following = [word.strip(".!,;:").lower() for word in after.split()[:2]]
    is_order = _takes(after)  # "Zone A" is none
    if is_order or (is_step and _FINITE.isdisjoint(following) and first == first.rstrip(",;:")):
        return Act("", rest, is_sure=False)
    return None


def limit_of(words: str) -> tuple[float, re.Match[str]] | None:
    """The seconds that a sentence allows, and where it says so and from what on; None where it
    does not name both.
    """
    for found in _LIMIT.finditer(words):
        number = found["number"].lower()
        value = float(number) if number[0].isdigit() else float(NUMBERS.get(number, 0))
        if value:
            return value * _SECONDS[found["unit"].lower()], found
    return None
