"""What must hold of a scorecard, whatever the model replied and whatever the transcript says.

The checks are written anew here, from the card's JSON and the transcript alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from veridical.scoring.rubric import Rubric
from veridical.sources.document import Span
from veridical.sources.transcript import Transcript

SCORED = ("met", "missed", "partial")
TOLERANCE_SECONDS = 20


def require_all(wire: dict[str, Any], of: Rubric, transcript: Transcript) -> None:
    """No verdict rests on what is not there, and the sums are right."""
    require_evidence(wire, of, transcript)
    require_sums(wire)


# Evidence


def plain(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def places_of(words: list[str], part: list[str]) -> int:
    return sum(words[at : at + len(part)] == part for at in range(len(words)))


def require_true(item: dict[str, Any], transcript: Transcript) -> None:
    """Verified evidence: these words, in one turn, at that second, by that speaker.

    They lie within the tolerance of the second that was claimed, or are the only such words of
    that speaker.
    """
    place = item["position"]
    matched = transcript.text[place["start"] : place["end"]]
    assert matched == item["matchedText"]
    assert "\n\n" not in matched
    assert plain(item["quote"]) == plain(matched)
    first = next(w for w in transcript.words if w.span.overlap(_span(item)))
    assert (item["start"], item["speaker"]) == (first.start, first.speaker)
    claimed = item["claimed"]["start"]
    if claimed is None:
        return
    away = max(item["start"] - claimed, claimed - item["end"], 0)
    if away > TOLERANCE_SECONDS:
        assert item["corrected"]
        theirs = " ".join(
            transcript.text[each.span.start : each.span.end]
            for each in transcript.segments
            if each.speaker == item["speaker"]
        )
        assert places_of(plain(theirs), plain(matched)) == 1


def require_evidence(wire: dict[str, Any], of: Rubric, transcript: Transcript) -> None:
    """No verdict rests on what is not there."""
    least = {c.id: c.evidence.min_evidence for part in of.sections for c in part.criteria}
    shown = {
        (part["sectionId"], criterion["criterionId"]): criterion
        for part in wire["sections"]
        for criterion in part["criteria"]
    }
    for criterion in shown.values():
        for item in criterion["evidence"]:
            if item["verified"]:
                require_true(item, transcript)
        for told in criterion["observedEvents"]:
            if told["verified"]:
                rests_on = criterion["evidence"][told["evidence"]]
                assert rests_on["verified"]
                assert rests_on["start"] == told["at"]
    for criterion in shown.values():
        spans = [_span(item) for item in criterion["evidence"] if item["verified"]]
        needed = least[criterion["criterionId"]]
        if criterion["type"] == "timing":
            require_timing(criterion, shown, spans, needed)
        elif criterion["verdict"] in SCORED:
            assert are_at_places(needed, [_around(span, transcript) for span in spans])


def _span(item: dict[str, Any]) -> Span:
    return Span(item["position"]["start"], item["position"]["end"])


def _around(span: Span, transcript: Transcript) -> Span:
    """All that was said in the segments that words stand in."""
    inside = [each.span for each in transcript.segments if each.span.overlap(span)]
    return Span(inside[0].start, inside[-1].end)


def are_at_places(count: int, spans: Sequence[Span]) -> bool:
    """Whether so many of some spans do not overlap: all choices are tried."""
    return any(
        not any(one.overlap(other) for one, other in combinations(chosen, 2))
        for chosen in combinations(spans, count)
    )


def require_timing(
    criterion: dict[str, Any],
    shown: dict[tuple[str, str], dict[str, Any]],
    spans: Iterable[Span],
    needed: int,
) -> None:
    timed = criterion["timing"]
    if timed["seconds"] is None:
        assert criterion["verdict"] in ("not_observed", "not_applicable")
        return
    ends = []
    for event, at in (("start", "startedAt"), ("end", "endedAt")):
        source = timed[f"{event}Source"]
        cited_by = shown[source["sectionId"], source["criterionId"]]
        name = timed[f"{event}Event"]
        assert any(
            told["verified"]
            and (told["name"], told["evidence"]) == (name, source["evidence"])
            and told["at"] == timed[at]
            for told in cited_by["observedEvents"]
        )
        ends.append(_span(cited_by["evidence"][source["evidence"]]))
    assert ends[0].overlap(ends[1]) == 0
    assert are_at_places(needed, [*spans, *ends])
    took = Fraction(str(timed["endedAt"])) - Fraction(str(timed["startedAt"]))
    assert took >= 0
    assert abs(Fraction(str(timed["seconds"])) - took) <= Fraction(1, 10**6)
    target, most = (Fraction(str(timed[name])) for name in ("targetSeconds", "maxSeconds"))
    expected = "met" if took <= target else "partial" if took <= most else "missed"
    assert criterion["verdict"] == expected
    assert criterion["score"] == {"met": 1.0, "partial": 0.5, "missed": 0.0}[expected]


# Sums


def require_sums(wire: dict[str, Any]) -> None:
    """Section and overall scores, in exact arithmetic from the criteria's scores alone."""
    as_missed = wire["scoring"]["requiredNotObservedBehavior"] == "treat_as_missed"
    total = weight = whole = behind = Fraction(0)
    for part in wire["sections"]:
        whole += Fraction(part["weight"])
        behind += Fraction(part["weight"]) * counted(part["criteria"])
        mean = mean_of(part["criteria"], as_missed=as_missed)
        require_score(part, mean, wire)
        if mean is not None:
            total += Fraction(part["weight"]) * mean
            weight += Fraction(part["weight"])
    overall = wire["overall"]
    incomplete = [part["sectionId"] for part in wire["sections"] if part["status"] == "incomplete"]
    assert overall["incompleteSections"] == incomplete
    assert abs(Fraction(overall["scoredWeight"]) - behind / whole) <= Fraction(1, 10**6)
    if incomplete:
        assert overall["status"] == "incomplete"
        assert (overall["score"] is None) is (weight == 0)
    if weight:
        require_score({**overall, "status": overall["status"]}, total / weight, wire)


def counted(criteria: list[dict[str, Any]]) -> Fraction:
    """The share of the weight of criteria that is in the denominator."""
    weights = [Fraction(criterion["weight"]) for criterion in criteria]
    count = [
        weight
        for weight, c in zip(weights, criteria, strict=True)
        if c["normalizedScore"] is not None
    ]
    return sum(count, Fraction(0)) / sum(weights) if weights else Fraction(0)


def mean_of(criteria: list[dict[str, Any]], *, as_missed: bool) -> Fraction | None:
    total = weight = Fraction(0)
    for criterion in criteria:
        counts = criterion["verdict"] in SCORED
        missed = criterion["verdict"] == "not_observed" and criterion["required"] and as_missed
        assert criterion["countedAsMissed"] is missed
        assert (criterion["normalizedScore"] is not None) is (counts or missed)
        if counts:
            low, high = (Fraction(criterion["scale"][end]) for end in ("min", "max"))
            assert low <= Fraction(criterion["score"]) <= high
            share = (Fraction(criterion["score"]) - low) / (high - low)
            total += Fraction(criterion["weight"]) * share
        if counts or missed:
            weight += Fraction(criterion["weight"])
    return total / weight if weight else None


def require_score(part: dict[str, Any], mean: Fraction | None, wire: dict[str, Any]) -> None:
    if mean is None:
        none = bool(part["criteria"]) and all(
            criterion["verdict"] == "not_applicable" for criterion in part["criteria"]
        )
        expected = "not_applicable" if none else "incomplete"
        assert (part["score"], part["status"]) == (None, expected)
        return
    assert abs(Fraction(part["score"]) - mean) <= Fraction(1, 10**6)
    limits = wire["scoring"]["thresholds"]
    expected = (
        "pass"
        if part["score"] >= limits["pass"]
        else "needs_improvement"
        if part["score"] >= limits["needsImprovement"]
        else "fail"
    )
    assert part["status"] in (expected, *(["incomplete"] if "incompleteSections" in part else []))
