"""A rubric drafted from a procedure: a criterion for each of its duties.

Every criterion keeps the exact words and the page that it comes from; nothing is proposed without.
A language model may say a criterion better, in `ModelDrafter`; what it cites is looked up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from veridical.errors import ValidationError, require_package
from veridical.scoring.rubrics.duties import NO, QUOTED, Act, Duty, duties, limit_of, words_of
from veridical.scoring.rubrics.file import rubric_from_text
from veridical.scoring.rubrics.rules import MAX_CRITERIA
from veridical.sources.document import Document
from veridical.text.lexicon import english
from veridical.validation.lexicon import NUMBERS

MAX_SECTIONS = 200
_MOST_TITLE_CHARS = 90
_LEAST_TITLE_WORDS = 2
_MOST_NAME_CHARS = 60
_MOST_CUE_WORDS = 6
_MOST_CUE_CHARS = 200

_CLAUSE_END = re.compile(
    r"[,;:](?=\s|$)|[()]|(?<=[a-z]{3})\.(?=\s|$)|\s[-\u2013\u2014]\s"
    r"|\b(?:before|while|until|unless|if|when|without)\b"
)
_UNTIL = re.compile(r"\b(?:until|unless|before|without)\b", re.IGNORECASE)
"""What stands behind it in a prohibition lifts it."""

_OR = re.compile(r"[,;]\s*(?:(?:and|or)\b)?")
_BE = re.compile(r"\bbe\s+", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[A-Z][.)])\s+")
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")
_VERBS = english("be", "have", "do", "modals")
_BEFORE = english("articles", "determiners", "conjunctions")
_DANGLING = _BEFORE | NUMBERS.keys() | {"every", "each", "next"} | (
    english("prepositions", "be", "questions")
)  # fmt: skip
"""Words with which no cue ends."""


def draft_rubric(
    documents: Sequence[Document], criteria: Iterable[tuple[Duty, dict[str, Any]]] | None = None
) -> str:
    """The YAML of a rubric for the duties of these documents.

    `criteria` are those of `model_draft` where a model made them; else they follow fixed rules.
    Raises ValidationError where no sentence obliges anybody, where there are more duties, or
    headings with some, than a rubric may have; and as `duties`.
    """
    require_package("yaml", "rubrics", "scoring")
    import yaml

    if criteria is None:
        criteria = ((duty, drafted(duty)) for duty in duties(documents))
    sections = _sections(list(islice(criteria, MAX_CRITERIA + 1)))
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


def drafted(duty: Duty) -> dict[str, Any]:
    """The criterion of a duty by fixed rules, without its id."""
    words, act = duty.words, duty.act
    assert act is not None  # noqa: S101  # the rules found it
    criterion: dict[str, Any] = {
        "title": _title(words, act),
        "description": words,
        "type": "boolean",
        "required": not (act.forbids or duty.is_conditional),
    }
    if act.forbids:
        return criterion | {"cues": _forbidden(duty, act)}
    if duty.items and (elements := _elements(duty)):
        grading = {"minScore": 0, "maxScore": len(elements)}
        return criterion | {"type": "graded", "grading": grading, "cues": {"elements": elements}}
    if (limit := limit_of(words)) is not None:
        return criterion | _timed(words, act, *limit)
    # What stands in quotes behind the clause is no longer what is to be said.
    told = words.removesuffix(act.rest) + act.rest.split(";")[0]
    return criterion | {"cues": _quoted(told) or [_phrase(act) or _content(words)]}


def _forbidden(duty: Duty, act: Act) -> Any:
    """What is missed where it is said; what is quoted behind "until" and its like, or in a sentence
    of its own before a semicolon, is to be said.
    """
    if quoted := _quoted(act.subject.rpartition(";")[0]):
        return quoted
    until = _UNTIL.search(act.rest)
    if until is None:
        listed = [cue for cues in _elements(duty).values() for cue in cues]
        told = listed or _quoted(act.rest)
    elif quoted := _quoted(act.rest[until.start() :]):
        return quoted
    else:
        told = []
    return {"missed": told or [_phrase(act) or _content(duty.words)]}


def _quoted(words: str) -> list[str]:
    return [told for told in QUOTED.findall(words) if any(map(str.isalnum, told))]


def _elements(duty: Duty) -> dict[str, list[str]]:
    """A name for each point of the list; what follows its colon is what may be said."""
    elements: dict[str, list[str]] = {}
    for span in duty.items:
        shown = words_of(duty.document, span)
        name, _, detail = shown.partition(":")
        told = _quoted(shown) or [_shortened(part) for part in _OR.split(detail or name)]
        if told := [cue for cue in told if cue] or [cue for cue in [_content(shown)] if cue]:
            key = _slug(_shortened(name), "-") or f"point-{len(elements) + 1}"
            elements.setdefault(key, told)
    return elements


def _timed(words: str, act: Act, seconds: float, limit: re.Match[str]) -> dict[str, Any]:
    """From what the text counts from until what must be done."""
    done = act._replace(rest=act.rest.replace(limit[0], " ").strip(" ,.") or words)
    ends = _quoted(words[: limit.start()]) or [_phrase(done) or _content(words)]
    starts = _quoted(limit["start"]) or [_shortened(limit["start"]) or limit["start"][:100]]
    first, last = _slug(starts[0], "_") or "start", _slug(ends[0], "_") or "end"
    last = f"{last}_done" if first == last else last
    return {
        "type": "timing",
        "timing": {"startEvent": first, "endEvent": last, "targetSeconds": _plain(seconds)},
        "cues": {"events": {first: starts, last: ends}},
    }


def _plain(seconds: float) -> float:
    return int(seconds) if seconds.is_integer() else seconds


def _phrase(act: Act) -> str:
    """What is done, in a few words; with what it is done to where the verb is "be". Empty where
    there is none that tells it.
    """
    if not (be := _BE.match(act.rest)):
        return _shortened(_BE.sub("", act.rest) if act.forbids else act.rest)
    thing = NO.sub("", act.clause).strip()
    if len(thing.split()) > _MOST_CUE_WORDS:
        thing = re.split(r"\b(?:and|or)\b", thing)[-1]
    told = thing.split()
    is_clause = not _VERBS.isdisjoint(word.lower() for word in told)
    if is_clause or len(told) > _MOST_CUE_WORDS:
        told = []
    rest = act.rest[be.end() :]
    return _shortened(f"{' '.join(told)} {rest}", len(told) + _MOST_CUE_WORDS // 2)


def _shortened(words: str, most: int = _MOST_CUE_WORDS) -> str:
    """The first words of a clause, but for those at its edges that tell nothing; empty where none
    tells anything.
    """
    kept = next((part for part in _CLAUSE_END.split(words) if part.strip()), "").split()
    while kept and kept[0].lower() in _BEFORE:
        kept = kept[1:]
    kept = kept[:most]
    while kept and (kept[-1].lower() in _DANGLING or kept[-1].isdigit()):
        kept.pop()
    told = " ".join(kept).strip('"\u201c\u201d*_.!')
    return told[:_MOST_CUE_CHARS] if any(map(str.isalnum, told)) else ""


def _content(words: str) -> str:
    """The first words of a sentence, whatever they are."""
    return " ".join(words.split()[:_MOST_CUE_WORDS])[:_MOST_CUE_CHARS].rstrip(" .,:;")


def _title(words: str, act: Act) -> str:
    """What must be done, as a heading: the sentence where the verb alone would say nothing."""
    is_bare = act.forbids or _BE.match(act.rest) or len(act.rest.split()) < _LEAST_TITLE_WORDS
    told = (words if is_bare else act.rest).rstrip(" :.;")
    cut = told[:_MOST_TITLE_CHARS].rsplit(" ", 1)[0] if len(told) > _MOST_TITLE_CHARS else told
    return f"{cut[:1].upper()}{cut[1:]}{'…' * (cut != told)}"


def _sections(made: Sequence[tuple[Duty, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The criteria under the headings of their sources; each section weighs as many as it has."""
    if len(made) > MAX_CRITERIA:
        raise ValidationError(
            f"there are more duties than the {MAX_CRITERIA:,} criteria that a rubric may have; "
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
    count = 0
    sections: list[dict[str, Any]] = []
    for (document, heading), criteria in grouped.items():
        title = _NUMBERED.sub("", heading) or document
        name = _free(_slug(title, "-") or "section", taken)
        before = count
        count += len(criteria)
        # Each is the difference of rounded sums: together they are 1, and none is below 0.
        weight = round(round(count / len(made), 4) - round(before / len(made), 4), 4)
        sections.append({"id": name, "title": title[:200], "weight": weight, "criteria": criteria})
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
