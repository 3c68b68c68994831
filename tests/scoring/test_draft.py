"""Rubrics drafted from procedures: what is found, what is not invented, and where it comes from.

`python -m tests.scoring.test_draft` prints the figure of the shipped procedure.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docx
import pytest
import typst

from veridical import load_documents
from veridical.errors import ValidationError
from veridical.models.scripted import ScriptedModel
from veridical.scoring.asking.drafting import ModelDrafter
from veridical.scoring.rubric import Criterion, CriterionType
from veridical.scoring.rubrics.draft import draft_rubric
from veridical.scoring.rubrics.file import lint_rubric, load_rubric, rubric_from_text
from veridical.sources.document import Document
from veridical.sources.loader import document_from_text

EXAMPLES = Path(__file__).parents[2] / "examples" / "scoring"
PROCEDURE = EXAMPLES / "fireground-procedure.md"


def drafted(*documents: Document) -> list[Criterion]:
    text = draft_rubric(documents)
    assert not lint_rubric(text)
    return [
        criterion for section in rubric_from_text(text).sections for criterion in section.criteria
    ]


def of_text(text: str) -> list[Criterion]:
    return drafted(document_from_text(text, "procedure.md"))


def compared(document: Document) -> Mapping[str, Any]:
    """How a draft compares with the criteria of the hand-made rubric, each with the words of the
    procedure that it rests on.
    """
    answers = json.loads((EXAMPLES / "fireground-procedure.answers.json").read_text("utf-8"))
    quotes = [one_line(one.source.quote) for one in drafted(document) if one.source]
    by_hand = {name: one_line(words) for name, words in answers["criteria"].items()}
    others = [one_line(words) for words in answers["other_duties"]]
    return {
        "missed": [name for name, words in by_hand.items() if not any(words in q for q in quotes)],
        "of": len(by_hand),
        "drafted": len(quotes),
        "invented": [
            quote for quote in quotes if not any(w in quote for w in (*by_hand.values(), *others))
        ],
    }


def one_line(text: str) -> str:
    return " ".join(text.replace("\u201c", '"').replace("\u201d", '"').split())


def figure(told: Mapping[str, Any]) -> str:
    found = told["of"] - len(told["missed"])
    return (
        f"{found} of {told['of']} criteria of the hand-made rubric found "
        f"({found / told['of']:.0%}), {told['drafted']} drafted, {len(told['invented'])} invented; "
        f"missed: {', '.join(told['missed'])}"
    )


def shipped() -> Document:
    return load_documents([PROCEDURE]).documents[0]


def test_finds_most_criteria_of_the_hand_made_rubric_and_invents_none() -> None:
    told = compared(shipped())
    print(figure(told))
    hand_made = {c.id for section in load_rubric("fireground").sections for c in section.criteria}
    answers = json.loads((EXAMPLES / "fireground-procedure.answers.json").read_text("utf-8"))
    assert answers["criteria"].keys() == hand_made
    assert len(told["missed"]) <= 0.2 * told["of"], figure(told)
    assert not told["invented"]


def test_every_criterion_has_the_exact_words_of_its_source() -> None:
    text = PROCEDURE.read_text("utf-8")
    for criterion in drafted(shipped()):
        assert criterion.source is not None
        assert criterion.source.quote in text
        assert criterion.source.section


def test_a_time_limit_is_timed_from_what_the_text_names() -> None:
    (criterion,) = of_text(
        'The crew must report "search complete" within two minutes of the "all out" call.'
    )
    assert criterion.type is CriterionType.TIMING
    assert criterion.timing is not None
    assert criterion.timing.target_seconds == 120
    assert (criterion.timing.start_event, criterion.timing.end_event) == (
        "all_out",
        "search_complete",
    )


def test_a_limit_without_its_beginning_is_not_timed() -> None:
    (criterion,) = of_text("The desk must answer within 20 seconds.")
    assert criterion.type is CriterionType.BOOLEAN


def test_a_list_is_a_point_for_each_item() -> None:
    (criterion,) = of_text(
        "The nurse must report:\n\n- the condition\n- the plan: stay, or leave\n"
    )
    assert criterion.grading is not None
    assert criterion.grading.max_score == 2
    assert criterion.cues is not None
    assert [[cue.phrase for cue in each.cues] for each in criterion.cues.elements] == [
        ["condition"],
        ["stay", "leave"],
    ]


def test_what_is_forbidden_is_missed_where_it_is_said() -> None:
    (criterion,) = of_text("Crews must not enter the building.")
    assert criterion.cues is not None
    assert [cue.phrase for cue in criterion.cues.missed] == ["enter the building"]
    assert not criterion.required


def test_a_condition_is_not_required_of_every_recording() -> None:
    criteria = of_text("If smoke shows, Command shall say so. Command must answer every call.")
    assert [criterion.required for criterion in criteria] == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        "# What you must know\n\nWe were there in May.\n",
        "Must we go? Members may leave. This tells what has to be heard, and what you have to do.",
        "It took no more than two hours of their time.",
        "# Staying\n\n~~Crews must stay.~~\n\nCrews may go.",
    ],
)
def test_a_procedure_without_a_duty_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match=r"procedure\.md says what must or shall be done"):
        draft_rubric([document_from_text(text, "procedure.md")])


def test_markup_and_alike_duties_make_sound_rubrics() -> None:
    criteria = of_text('Crews **must** `report` "<b>in</b>: #1".\n\nCrews must report.\n' * 3)
    assert len({criterion.id for criterion in criteria}) == len(criteria) == 6


def word_file() -> bytes:
    file, text = docx.Document(), PROCEDURE.read_text("utf-8")
    for block in text.split("\n\n"):
        words = block.replace("\n", " ")
        heading = re.match(r"(#+) (.*)", words)
        if heading:
            file.add_heading(heading[2], len(heading[1]))
        elif re.match(r"[-1]", block):
            for line in block.splitlines():
                file.add_paragraph(re.sub(r"^\S+ ", "", line), style="List Bullet")
        else:
            file.add_paragraph(words)
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def pdf_file() -> bytes:
    text = PROCEDURE.read_text("utf-8").replace('"', '\\"')
    marked = re.sub(
        r"^(#+) (\d+\. )?", lambda m: f"{'=' * len(m[1])} {m[2] or ''}", text, flags=re.MULTILINE
    )
    made = typst.compile(("#set page(height: 12cm)\n" + marked).encode())
    assert isinstance(made, bytes)
    return made


@pytest.mark.parametrize("name", ["procedure.docx", "procedure.pdf"])
def test_word_and_pdf_give_what_markdown_gives(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(word_file() if name.endswith("docx") else pdf_file())
    (document,) = load_documents([path]).documents
    told = compared(document)
    assert len(told["missed"]) <= 0.2 * told["of"], figure(told)
    assert not told["invented"]
    criteria = drafted(document)
    assert sum(criterion.type is CriterionType.GRADED for criterion in criteria) == 2
    for criterion in criteria:
        assert criterion.source is not None
        assert criterion.source.quote in document.text
        if name.endswith("pdf"):
            start = document.text.index(criterion.source.quote)
            assert criterion.source.page == document.page_at(start)
    if name.endswith("pdf"):
        assert len({criterion.source.page for criterion in criteria if criterion.source}) > 2


def test_a_model_words_it_and_what_stands_nowhere_is_dropped() -> None:
    document = document_from_text(
        "# Calls\n\nThe agent must greet within 10 seconds of the ring. The agent logs out.\n"
        "Agents must be kind.",
        "calls.md",
    )
    reply = {
        "criteria": [
            {
                "quote": "The agent must greet within 10 seconds of the ring.",
                "title": "Greets in time",
                "cues": ["good morning"],
                "startCues": ["ringing"],
            },
            {"quote": "The agent must sing.", "title": "Sings", "cues": ["la"], "startCues": []},
            {"quote": "The agent logs out.", "title": "Out", "cues": ["bye"], "startCues": []},
        ]
    }
    drafter = ModelDrafter(ScriptedModel([json.dumps(reply)]))
    rubric = rubric_from_text(draft_rubric([document], drafter.criteria([document])))
    first, second = rubric.sections[0].criteria
    assert (first.title, second.title) == ("Greets in time", "Out")
    assert first.timing is not None
    assert first.timing.target_seconds == 10
    assert first.cues is not None
    assert [cue.phrase for group in first.cues.events for cue in group.cues] == [
        "ringing",
        "good morning",
    ]
    assert [warning.split(":")[0] for warning in drafter.warnings] == [
        "dropped, as it does not stand in calls.md",
        "the model made no criterion of",
    ]


def test_a_model_that_says_nothing_usable_leaves_it_to_the_rules() -> None:
    drafter = ModelDrafter(ScriptedModel(["no"], repeat_last=True))
    text = draft_rubric([shipped()], drafter.criteria([shipped()]))
    by_rules = rubric_from_text(draft_rubric([shipped()]))
    assert rubric_from_text(text).sections == by_rules.sections
    assert "no usable reply" in drafter.warnings[0]


if __name__ == "__main__":
    print(figure(compared(shipped())))
