"""A small rubric, a transcript, and the replies of a model, for tests."""

from __future__ import annotations

import json
from typing import Any

from tests.speech.transcripts import from_sentences

from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    EnumOption,
    Grading,
    ModelRules,
    Rubric,
    Section,
    Template,
    TimingTarget,
)

COMMAND = Criterion("announce-command", "Announces command", CriterionType.BOOLEAN, required=True)
REPORT = Criterion("size-up", "Size-up", CriterionType.GRADED, grading=Grading(0, 4))
MODE = Criterion(
    "attack-mode",
    "Names the mode",
    CriterionType.ENUM,
    options=(EnumOption("none", 0), EnumOption("offensive", 1)),
)
WATER = Criterion(
    "first-water",
    "First water",
    CriterionType.TIMING,
    timing=TimingTarget("unit_on_scene", "water_on_fire", 120, 240),
)
ARRIVAL = Section("arrival", "Arrival", 1.0, (COMMAND, REPORT, MODE, WATER), "The first minutes.")

TRANSCRIPT = from_sentences(
    [
        (0.0, 4.0, "Engine 25 on scene, two story house, smoke showing.", "ENG25"),
        (6.0, 9.0, "Engine 25 assuming command.", "ENG25"),
        (10.0, 12.0, "Copy, Engine 25 has command.", "Dispatch"),
        (130.0, 134.0, "We have water on the fire.", "ENG25"),
    ]
)


def rubric_of(*sections: Section, **rules: int) -> Rubric:
    template = Template("sample", "Sample", "1")
    return Rubric(template, sections, llm=ModelRules(**rules))


def sections(count: int) -> tuple[Section, ...]:
    """Sections of one criterion each, which weigh the same."""
    return tuple(
        Section(
            f"section-{n}",
            f"Section {n}",
            1 / count,
            (Criterion(f"command-{n}", "Announces command", CriterionType.BOOLEAN),),
        )
        for n in range(count)
    )


def item(criterion_id: str, verdict: str = "met", **fields: Any) -> dict[str, Any]:
    """What a reply says of one criterion."""
    quote = {"quote": "Engine 25 assuming command", "start": 6.0, "speaker": "ENG25"}
    return {
        "criterionId": criterion_id,
        "verdict": verdict,
        "score": 1,
        "confidence": 0.9,
        "rationale": "It was said.",
        "evidence": [quote],
        "observedEvents": [],
        **fields,
    }


def reply_to(section: Section, *items: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A reply of these items; without any, all criteria are met."""
    criteria = items or tuple(item(criterion.id) for criterion in section.criteria)
    return {
        "sectionId": section.id,
        "criteria": list(criteria),
        "sectionNotes": None,
        "warnings": [],
        **fields,
    }


def reply_text(section: Section) -> str:
    return json.dumps(reply_to(section))
