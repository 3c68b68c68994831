"""A rubric drafted from a procedure: a criterion for each sentence that says what must be done.

Every criterion keeps the exact words and the page that it comes from; nothing is proposed without.
The sentences are those with "must", "shall" and their like. A language model may say a criterion
better, in `model_draft`; what it cites is looked up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from veridical.errors import ValidationError, require_package
from veridical.retrieval.chunks import chunk_document
from veridical.scoring.rubrics.file import rubric_from_text
from veridical.scoring.rubrics.rules import MAX_CRITERIA
from veridical.sources.document import Document, Span
from veridical.text.lexicon import english
from veridical.text.reading import SENTENCE_ENDS
from veridical.validation.lexicon import NUMBERS

MAX_SECTIONS = 200
MOST_QUOTE_CHARS = 2_000
_MOST_TITLE_CHARS = 90
_MOST_NAME_CHARS = 60
_MOST_CUE_WORDS = 6
_MOST_SUBJECT_WORDS = 4
_MOST_ELEMENTS = 20

_SECONDS = {"second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600}

_DUTY = re.compile(
    r"\b(?:must|shall|(?:is|are) (?:required|obliged) to|(?:is|are|has|have|needs?) to)"
    r"(?: also| always| then| first)?\s+(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_RELATIVE = re.compile(r"\b(?:what(?:\s+\w+){0,2}|which|who|that|as|where)$", re.IGNORECASE)
"""Before a verb these open a clause that tells of something, and obliges nobody."""

_LIMIT = re.compile(
    r"\b(?:within|(?:no|not) later than|in (?:less|under) than|in under)\s+"
    r"(?P<number>\d+(?:\.\d+)?|[a-z]+)\s*-?\s*(?P<unit>second|sec|minute|min|hour)s?\b"
    r"\s+(?:of|after|from)\s+(?P<start>[^.;]+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d]{3,200})[\"\u201d]")
_BULLET = re.compile(r"\s*(?:[-*+\u2022\u2013\u25aa\u25cf\u25e6]|\(?(?:\d{1,3}|[a-z])[.)])\s+")
_CLAUSE_END = re.compile(r"[,;:.()]|\s[-\u2013\u2014]\s|\b(?:before|while|until|unless|if|when)\b")
_OR = re.compile(r"[,;]\s*(?:(?:and|or)\b)?")
_CONDITION = re.compile(r"(?:if|when|where|should|unless|in case)\b", re.IGNORECASE)
"""A duty that holds only then need not be heard on every recording."""

_BE = re.compile(r"be\s+", re.IGNORECASE)
_NEGATIVE = re.compile(r"(?:not|never)\s+", re.IGNORECASE)
_NO = re.compile(r"(?:no|nobody|nothing|none)\s+", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[A-Z][.)])\s+")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_DANGLING = english("articles", "prepositions", "conjunctions", "determiners", "be")
"""Words with which no cue ends."""


@dataclass(frozen=True, slots=True)
class Duty:
    """A sentence of a procedure that obliges, with the points of the list that it opens."""

    document: Document
    span: Span
    section: str
    items: tuple[Span, ...] = ()

    @property
    def quote(self) -> str:
        """The exact words of the document; of a list that of all its points."""
        end = self.items[-1].end if self.items else self.span.end
        return self.document.text[self.span.start : end][:MOST_QUOTE_CHARS]

    @property
    def words(self) -> str:
        """The sentence on one line, as a reader sees it."""
        return _one_line(self.document.shown(self.span))

    def source(self) -> dict[str, Any]:
        """As a rubric's criterion tells it."""
        told: dict[str, Any] = {"document": self.document.name[:300], "quote": self.quote}
        if (page := self.document.page_at(self.span.start)) is not None:
            told["page"] = page
        return told | ({"section": self.section[:500]} if self.section else {})


def draft_rubric(
    documents: Sequence[Document], criteria: Iterable[tuple[Duty, dict[str, Any]]] | None = None
) -> str:
    """The YAML of a rubric for the duties of these documents.

    `criteria` are those of `model_draft` where a model made them; else they follow fixed rules.
    Raises ValidationError where no sentence obliges anybody, and where there are more duties, or
    headings with some, than a rubric may have.
    """
    require_package("yaml", "rubrics", "scoring")
    import yaml

    made = [(duty, drafted(duty)) for duty in duties(documents)] if criteria is None else criteria
    sections = _sections(list(made))
    if not sections:
        names = ", ".join(document.name for document in documents) or "no document"
        raise ValidationError(
            f"no sentence in {names} says what must or shall be done, so there is nothing to draft "
            "a rubric from. Give the procedure itself, or write the rubric by hand "
            "(veridical score rubrics NAME prints one to start from)."
        )
    title = documents[0].title or documents[0].name
    rubric = {
        "template": {
            "id": _slug(title, "-") or "draft",
            "name": title[:200],
            "version": "0.1",
            "description": "A draft: read each criterion beside its source before it is used.",
        },
        "sections": sections,
    }
    text: str = yaml.safe_dump(rubric, sort_keys=False, allow_unicode=True, width=100)
    rubric_from_text(text)
    return text


def duties(documents: Iterable[Document]) -> Iterator[Duty]:
    """The sentences that oblige, in order; what is struck through or a heading is none."""
    for document in documents:
        sentences = [one for chunk in chunk_document(document) for one in chunk.sentences]
        listed = 0
        for at, span in enumerate(sentences):
            act = obliges(_one_line(document.shown(span)))
            if act is None or at < listed or _is_apart(document, span):
                continue
            following = sentences[at + 1 :] if act.rest.endswith(":") else ()
            items = tuple(_items(document, following))
            listed = at + 1 + len(items)
            yield Duty(document, span, heading_at(document, span), items)


def _is_apart(document: Document, span: Span) -> bool:
    """Whether a sentence is a heading, or struck through for the most part."""
    section = document.section_at(span.start)
    is_heading = section is not None and section.heading.overlap(span) > 0
    return is_heading or 2 * sum(one.overlap(span) for one in document.struck) > len(span)


class _Act(NamedTuple):
    """What a sentence obliges to: who or what stands before the verb, and what comes after it."""

    subject: str
    rest: str

    @property
    def forbids(self) -> bool:
        """Whether it must not be."""
        return bool(_NEGATIVE.match(self.rest) or _NO.match(self.subject))

    @property
    def phrase(self) -> str:
        """What is done, in a few words; with what it is done to where the verb is "be"."""
        rest = _NEGATIVE.sub("", self.rest)
        if not _BE.match(rest):
            return _shortened(rest)
        clause = _CLAUSE_END.split(self.subject.rstrip(" ,;:."))[-1]
        thing = _ARTICLE.sub("", _NO.sub("", " ".join(clause.split()[-_MOST_SUBJECT_WORDS:])))
        return _shortened(f"{thing} {_BE.sub('', rest)}")


def obliges(words: str) -> _Act | None:
    """The duty in a sentence; None in a question, and in a clause that only tells of one."""
    if words.endswith("?"):
        return None
    found = _DUTY.search(words)
    while found is not None and _RELATIVE.search(words[: found.start()].rstrip()):
        found = _DUTY.search(words, found.start() + 1)
    if found is not None:
        return _Act(words[: found.start()].strip(), found["rest"])
    return None if limit_of(words) is None else _Act("", words)


def _items(document: Document, following: Sequence[Span]) -> Iterator[Span]:
    """The points of the list that begins with the first of these sentences: lines with a bullet,
    or where a format does not keep those, short lines that end without a full stop.
    """
    for span in following[:_MOST_ELEMENTS]:
        words = document.text[span.start : span.end]
        starts_line = document.text[span.start - 1 : span.start] == "\n"
        is_bare = starts_line and words[-1] not in SENTENCE_ENDS and obliges(words) is None
        if not (_BULLET.match(words) or is_bare):
            return
        yield span


def heading_at(document: Document, span: Span) -> str:
    """The heading above a span; empty where there is none."""
    section = document.section_at(span.start)
    return "" if section is None else _one_line(section.title)


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


def drafted(duty: Duty) -> dict[str, Any]:
    """The criterion of a duty by fixed rules, without its id."""
    words = duty.words
    act = obliges(words)
    assert act is not None  # noqa: S101  # that is how duties are found
    criterion: dict[str, Any] = {
        "title": _title(words, act),
        "description": words,
        "type": "boolean",
        "required": not (act.forbids or _CONDITION.match(words)),
    }
    if duty.items:
        return criterion | _graded(duty)
    if (limit := limit_of(words)) is not None:
        return criterion | _timed(words, act, *limit)
    # What stands in quotes behind the clause is no longer what is to be said.
    quoted = _QUOTED.findall(words.removesuffix(act.rest) + act.rest.split(";")[0])
    if act.forbids and not quoted:
        return criterion | {"cues": {"missed": [act.phrase]}}
    return criterion | {"cues": quoted or [act.phrase]}


def _graded(duty: Duty) -> dict[str, Any]:
    """A point for each item of the list; what follows its colon is what may be said."""
    elements: dict[str, list[str]] = {}
    for span in duty.items:
        shown = _BULLET.sub("", _one_line(duty.document.shown(span)), count=1)
        name, _, detail = shown.partition(":")
        told = _QUOTED.findall(shown) or [
            _shortened(part) for part in _OR.split(detail or name) if part.strip(" .")
        ]
        key = _slug(_shortened(name), "-") or f"point-{len(elements) + 1}"
        elements.setdefault(key, told or [name])
    return {
        "type": "graded",
        "grading": {"minScore": 0, "maxScore": len(elements)},
        "cues": {"elements": elements},
    }


def _timed(words: str, act: _Act, seconds: float, limit: re.Match[str]) -> dict[str, Any]:
    """From what the text counts from until what must be done."""
    done = _Act(act.subject, act.rest.replace(limit[0], "").strip() or words)
    ends = _QUOTED.findall(words[: limit.start()]) or [done.phrase]
    starts = _QUOTED.findall(limit["start"]) or [_shortened(limit["start"])]
    first, last = _slug(starts[0], "_") or "start", _slug(ends[0], "_") or "end"
    last = f"{last}_done" if first == last else last
    return {
        "type": "timing",
        "timing": {"startEvent": first, "endEvent": last, "targetSeconds": _plain(seconds)},
        "cues": {"events": {first: starts, last: ends}},
    }


def _plain(seconds: float) -> float:
    return int(seconds) if seconds.is_integer() else seconds


def _shortened(words: str) -> str:
    """The first words of a clause, without its article and its last function words."""
    clause = next((part for part in _CLAUSE_END.split(words) if part.strip()), words).strip()
    kept = _ARTICLE.sub("", clause).split()[:_MOST_CUE_WORDS]
    while len(kept) > 2 and kept[-1].lower() in _DANGLING:
        kept.pop()
    return " ".join(kept).strip('"\u201c\u201d*_') or words[:100]


def _title(words: str, act: _Act) -> str:
    """What must be done, as a heading: the sentence where the verb alone would say nothing."""
    bare = act.forbids or _BE.match(act.rest)
    told = _BULLET.sub("", words if bare else act.rest, count=1).rstrip(" :.;")
    cut = told[:_MOST_TITLE_CHARS].rsplit(" ", 1)[0] if len(told) > _MOST_TITLE_CHARS else told
    return f"{cut[:1].upper()}{cut[1:]}{'…' * (cut != told)}"


def _sections(made: Sequence[tuple[Duty, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The criteria under the headings of their sources; each section weighs as many as it has."""
    if len(made) > MAX_CRITERIA:
        raise ValidationError(
            f"there are {len(made):,} duties, and a rubric has at most {MAX_CRITERIA:,} criteria; "
            "give fewer documents, or chapters of them"
        )
    grouped: dict[tuple[str, str], list[dict[str, Any]]] = {}
    names: set[str] = set()
    for duty, criterion in made:
        name = _free(_slug(criterion["title"], "-") or "criterion", names)
        source = {"source": duty.source()}
        group = grouped.setdefault((duty.document.name, duty.section), [])
        group.append({"id": name, **criterion, **source})
    if len(grouped) > MAX_SECTIONS:
        raise ValidationError(
            f"the duties stand under {len(grouped):,} headings, and a rubric has at most "
            f"{MAX_SECTIONS} sections; give fewer documents, or chapters of them"
        )
    taken: set[str] = set()
    sections: list[dict[str, Any]] = []
    for (document, heading), criteria in grouped.items():
        title = _NUMBERED.sub("", heading) or document
        name = _free(_slug(title, "-") or "section", taken)
        weight = round(len(criteria) / len(made), 4)
        sections.append({"id": name, "title": title[:200], "weight": weight, "criteria": criteria})
    if sections:
        sections[0]["weight"] = round(1 - sum(one["weight"] for one in sections[1:]), 4)
    return sections


def _free(name: str, taken: set[str]) -> str:
    """The name, or the first with a number after it that is not taken; which is taken now."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found


def _slug(text: str, joint: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    name = _NOT_IN_NAMES.sub(joint, plain).strip(joint)
    if len(name) > _MOST_NAME_CHARS:
        name = name[:_MOST_NAME_CHARS].rsplit(joint, 1)[0]
    return name


def _one_line(text: str) -> str:
    return " ".join(text.split())
