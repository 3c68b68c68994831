"""Rubrics as the data of a file, and back. What is read here has been checked before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.ledger.canonical import compact_bytes
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    EnumOption,
    EvidenceRules,
    Grading,
    ModelRules,
    NotObserved,
    Rubric,
    ScoringRules,
    Section,
    Template,
    TimingTarget,
)


def rubric_from_mapping(data: Mapping[str, Any]) -> Rubric:
    """The rubric of a file's data, which must fit the schema and the rules; with its hash."""
    scoring, llm = data.get("scoring", {}), data.get("llm", {})
    thresholds = scoring.get("thresholds", {})
    rules, asking = ScoringRules(), ModelRules()
    rubric = Rubric(
        template=_template(data["template"]),
        sections=tuple(map(_section, data["sections"])),
        scoring=ScoringRules(
            float(thresholds.get("pass", rules.pass_threshold)),
            float(thresholds.get("needsImprovement", rules.needs_improvement_threshold)),
            NotObserved(scoring.get("requiredNotObservedBehavior", rules.required_not_observed)),
        ),
        llm=ModelRules(
            int(llm.get("concurrency", asking.concurrency)),
            int(llm.get("maxRetries", asking.max_retries)),
            int(llm.get("evidenceQuoteMaxChars", asking.evidence_quote_max_chars)),
        ),
    )
    return replace(rubric, sha256=content_hash(rubric))


def content_hash(rubric: Rubric) -> str:
    """SHA-256 of what a rubric says, in hexadecimal: all its values, defaults filled in.

    The same for YAML and JSON, and whatever the comments, the order of names and the numbers' form.
    """
    return hashlib.sha256(compact_bytes(rubric_to_mapping(rubric))).hexdigest()


def rubric_to_mapping(rubric: Rubric) -> dict[str, Any]:
    """A rubric as the data of a file, with every default filled in, and without its hash."""
    template, scoring, llm = rubric.template, rubric.scoring, rubric.llm
    return {
        "template": {
            "id": template.id,
            "name": template.name,
            "version": template.version,
            "description": template.description,
            "tags": list(template.tags),
        },
        "sections": [_section_data(section) for section in rubric.sections],
        "scoring": {
            "thresholds": {
                "pass": _plain(scoring.pass_threshold),
                "needsImprovement": _plain(scoring.needs_improvement_threshold),
            },
            "requiredNotObservedBehavior": scoring.required_not_observed.value,
        },
        "llm": {
            "concurrency": llm.concurrency,
            "maxRetries": llm.max_retries,
            "evidenceQuoteMaxChars": llm.evidence_quote_max_chars,
        },
    }


def _template(data: Mapping[str, Any]) -> Template:
    return Template(
        data["id"],
        data["name"],
        data["version"],
        data.get("description", ""),
        tuple(data.get("tags", ())),
    )


def _section(data: Mapping[str, Any]) -> Section:
    return Section(
        id=data["id"],
        title=data["title"],
        weight=float(data["weight"]),
        criteria=tuple(map(_criterion, data["criteria"])),
        description=data.get("description", ""),
    )


def _section_data(section: Section) -> dict[str, Any]:
    return {
        "id": section.id,
        "title": section.title,
        "description": section.description,
        "weight": _plain(section.weight),
        "criteria": [_criterion_data(criterion) for criterion in section.criteria],
    }


def _criterion(data: Mapping[str, Any]) -> Criterion:
    grading, timing, rules = data.get("grading"), data.get("timing"), data.get("evidenceRules", {})
    default = EvidenceRules()
    return Criterion(
        id=data["id"],
        title=data["title"],
        type=CriterionType(data["type"]),
        description=data.get("description", ""),
        required=data.get("required", False),
        weight=float(data.get("weight", 1)),
        grading=grading and Grading(float(grading["minScore"]), float(grading["maxScore"])),
        options=tuple(_option(*numbered) for numbered in enumerate(data.get("enumOptions", ()))),
        timing=timing and _timing(timing),
        evidence=EvidenceRules(
            int(rules.get("minEvidence", default.min_evidence)),
            rules.get("requireVerbatimQuote", default.require_verbatim_quote),
        ),
        cues=_cues(data["cues"]) if "cues" in data else None,
    )


def _criterion_data(criterion: Criterion) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": criterion.id,
        "title": criterion.title,
        "description": criterion.description,
        "required": criterion.required,
        "weight": _plain(criterion.weight),
        "type": criterion.type.value,
    }
    if criterion.grading is not None:
        low, high = criterion.grading.min_score, criterion.grading.max_score
        data["grading"] = {"minScore": _plain(low), "maxScore": _plain(high)}
    if criterion.options:
        data["enumOptions"] = [
            {"value": option.value, "score": _plain(option.score)} for option in criterion.options
        ]
    if criterion.timing is not None:
        data["timing"] = _timing_data(criterion.timing)
    data["evidenceRules"] = {
        "minEvidence": criterion.evidence.min_evidence,
        "requireVerbatimQuote": criterion.evidence.require_verbatim_quote,
    }
    if criterion.cues is not None:
        data["cues"] = _cues_data(criterion.cues)
    return data


def _option(index: int, data: str | Mapping[str, Any]) -> EnumOption:
    if isinstance(data, str):
        return EnumOption(data, float(index))
    return EnumOption(data["value"], float(data["score"]))


def _timing(data: Mapping[str, Any]) -> TimingTarget:
    target, most = data.get("targetSeconds"), data.get("maxSeconds")
    return TimingTarget(
        data["startEvent"],
        data["endEvent"],
        None if target is None else float(target),
        None if most is None else float(most),
    )


def _timing_data(timing: TimingTarget) -> dict[str, Any]:
    data: dict[str, Any] = {"startEvent": timing.start_event, "endEvent": timing.end_event}
    if timing.target_seconds is not None:
        data["targetSeconds"] = _plain(timing.target_seconds)
    if timing.max_seconds is not None:
        data["maxSeconds"] = _plain(timing.max_seconds)
    return data


def _cues(data: Sequence[Any] | Mapping[str, Any]) -> Cues:
    if not isinstance(data, Mapping):
        return Cues(met=_phrases(data))
    return Cues(
        met=_phrases(data.get("met", ())),
        missed=_phrases(data.get("missed", ())),
        elements=_groups(data.get("elements", {})),
        options=_groups(data.get("options", {})),
        events=_groups(data.get("events", {})),
    )


def _cues_data(cues: Cues) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        "met": _phrases_data(cues.met),
        "missed": _phrases_data(cues.missed),
        "elements": {group.name: _phrases_data(group.cues) for group in cues.elements},
        "options": {group.name: _phrases_data(group.cues) for group in cues.options},
        "events": {group.name: _phrases_data(group.cues) for group in cues.events},
    }
    return {kind: shown for kind, shown in kinds.items() if shown}


def _groups(data: Mapping[str, Sequence[Any]]) -> tuple[CueGroup, ...]:
    return tuple(CueGroup(name, _phrases(phrases)) for name, phrases in data.items())


def _phrases(data: Sequence[Any]) -> tuple[Cue, ...]:
    return tuple(
        Cue(cue) if isinstance(cue, str) else Cue(cue["say"], tuple(cue.get("by", ())))
        for cue in data
    )


def _phrases_data(cues: Sequence[Cue]) -> list[Any]:
    return [
        {"say": cue.phrase, "by": list(cue.speakers)} if cue.speakers else cue.phrase
        for cue in cues
    ]


def _plain(number: object) -> object:
    """A number as people write it: 240, not 240.0. Anything else is left for the schema to see."""
    return int(number) if isinstance(number, float) and number.is_integer() else number
