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
from tests.cli.harness import invoke

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


def test_a_line_without_words_opens_no_list() -> None:
    text = "The clerk must sign.\n\n:\n\n- checks the cards\n- signs the list\n"
    assert [criterion.title for criterion in of_text(text)][:1] == ["The clerk must sign"]


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


def phrases(criterion: Criterion) -> list[str]:
    """What is missed where it is said."""
    assert criterion.cues is not None
    return [cue.phrase for cue in criterion.cues.missed]


def cues(criterion: Criterion) -> list[str]:
    """What is met where it is said."""
    assert criterion.cues is not None
    return [cue.phrase for cue in criterion.cues.met]


def points(criterion: Criterion) -> list[list[str]]:
    assert criterion.cues is not None
    return [[cue.phrase for cue in each.cues] for each in criterion.cues.elements]


@pytest.mark.parametrize("opening", ["Agents must:", "The nurse shall, before each dose, check:"])
def test_a_list_belongs_to_the_sentence_that_opens_it(opening: str) -> None:
    text = f"The pilot must report:\n\n- altitude\n\n{opening}\n1. the name\n2. the ward\n"
    first, second = of_text(text)
    assert points(first) == [["altitude"]]
    assert points(second) == [["name"], ["ward"]]
    assert second.title.startswith((opening[:-1], "Check"))


def test_the_next_numbered_heading_is_no_point() -> None:
    text = "Rescue\n------\n\nThe guard must give:\n\n1. the door\n2. the address\n\n3. Rotation\n"
    (criterion,) = of_text(text)
    assert points(criterion) == [["door"], ["address"]]


@pytest.mark.parametrize(
    ("text", "missed"),
    [
        ("Nobody must enter.", ["enter"]),
        ("If smoke shows, no crew shall climb.", ["climb"]),
        ("Under no circumstances must the valve be opened.", ["valve opened"]),
        ("Under no circumstances is production data copied.", ["production data copied"]),
        ("You must, under no circumstances, shout.", ["shout"]),
        ("No crew shall enter within 5 minutes of the alarm.", ["enter within 5 minutes"]),
        ('A clearance must never be answered with "roger".', ["roger"]),
        ("Agents must not do the following:\n\n- swear\n- shout\n", ["swear", "shout"]),
        ("Never:\n\n- Swear.\n- Shout.\n", ["Swear", "Shout"]),
        ("If it is hot, do not open the door.", ["open the door"]),
        ("The nurse must sign. The nurse never leaves the ward.", ["leaves the ward"]),
        ("Nobody may enter the ward.", ["enter the ward"]),
        ("In that case neither nurse may leave.", ["leave"]),
        ("The nurse must sign. The nurse may not leave the ward.", ["leave the ward"]),
        ("The nurse must sign. Nobody leaves the ward before.", ["leaves the ward"]),
    ],
)
def test_a_prohibition_is_not_turned_round(text: str, missed: list[str]) -> None:
    criterion = of_text(text)[-1]
    assert criterion.type is CriterionType.BOOLEAN
    assert phrases(criterion) == missed
    assert not cues(criterion)
    assert not criterion.required


def test_what_lifts_a_prohibition_is_to_be_said() -> None:
    (criterion,) = of_text('Crews must not enter until Command has said "enter now".')
    assert (cues(criterion), phrases(criterion)) == (["enter now"], [])
    (criterion,) = of_text('Command will say "offensive"; it must never be guessed.')
    assert (cues(criterion), phrases(criterion)) == (["offensive"], [])


@pytest.mark.parametrize(
    "text",
    [
        "## At the bed\n\n- Check the pumps.\n- Ask the patient.\n- Silence personal phones.\n",
        'On arrival:\n\n1. Blow three blasts.\n2. Call "swimmer down".\n3. Point to the place.\n',
        "Always ask the name. Never shout. Don't run.",
        "Close the door. If the caller is lost, please tell the desk. Apply a bandage.",
        "- [ ] Sign the sheet.\n- [ ] After the alarm, close the door.\n- [ ] Wait.\n",
    ],
)
def test_orders_are_duties(text: str) -> None:
    assert len(of_text(text)) == 3


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("The guard always keeps the tube. The sea always roars.", ["Keeps the tube"]),
        (
            "The guard logs the heat every hour. After the last swimmer, guards lock the gate.",
            ["Logs the heat every hour", "Lock the gate"],
        ),
        ("All swimmers are to report to the desk.", ["Report to the desk"]),
        ("The guards are to stay. The aim is to swim.", ["The guards are to stay"]),
        ("Leave two metres of room. Lane two costs more.", ["Leave two metres of room"]),
        (
            "Keys must be held by the warden. The warden sorts the keys.",
            ["Keys must be held by the warden", "Sorts the keys"],
        ),
        ("Before the guard takes the chair it is dry. The guard knows. The guard has a chair.", []),
        ("A tube which is longer than 1 m must go.", ["A tube which is longer than 1 m must go"]),
    ],
)
def test_what_somebody_obliged_does_is_a_duty(text: str, titles: list[str]) -> None:
    criteria = of_text(f"Each guard must watch. {text}")
    assert [criterion.title for criterion in criteria[1:]] == titles


def test_who_often_does_something_in_a_procedure_is_obliged() -> None:
    text = "The clerk opens the box. During the count the clerk reads the list. The moon lights it."
    titles = [criterion.title for criterion in of_text(f"{text} {'Seals must hold. ' * 3}")]
    assert titles[:2] == ["Opens the box", "Reads the list"]
    assert titles[2:] == ["Seals must hold"] * 3


def test_what_somebody_obliged_does_may_be_a_list() -> None:
    first, second = of_text(
        "The clerk must stay. Every morning the clerk\n\n- opens the box,\n- reads the list.\n"
    )
    assert first.title == "The clerk must stay"
    assert points(second) == [["opens the box"], ["reads the list"]]


@pytest.mark.parametrize(
    "text",
    [
        "It must have been a hard winter. In a survey customers said they must wait.",
        "Callers like it when agents have to think. Nurses told us that they have to write.",
        "The plan is to leave a mark. It is to be hoped. The rule has to do with noise.",
        "Agents do not have to wait. They no longer need to. Command may have to go.",
        "Not every call must be logged. Gloves are a must for crews. There is no need to wait.",
        "They came within 3 minutes of the call.",
        "```\n# must be run by hand\n```\n",
        "Members may:\n\n- Leave the room.\n- Take the bus.\n",
        "# Never do this\n\n- Interrupt the caller.\n- Leave the room.\n",
        "- Zone A is the hall.\n- Channel 5 is for the chief.\n- Gloves\n- Opening the door\n",
        "Background. Close the book on Mill Street.\n",
        "{ must { .",
    ],
)
def test_what_obliges_nobody_is_left_out(text: str) -> None:
    with pytest.raises(ValidationError, match="says what must or shall be done"):
        draft_rubric([document_from_text(text, "procedure.md")])


def test_a_line_that_runs_along_the_pages_is_no_duty(tmp_path: Path) -> None:
    pages = [f"= Part {n}\nPilots must answer call {n}.\n" for n in "ABC"]
    text = "#set page(header: [Manual, must be kept on board])\n" + "#pagebreak()\n".join(pages)
    (tmp_path / "manual.pdf").write_bytes(typst.compile(text.encode()))
    criteria = drafted(*load_documents([tmp_path / "manual.pdf"]).documents)
    assert [criterion.title for criterion in criteria] == [f"Answer call {n}" for n in "ABC"]


def test_the_number_of_a_step_is_no_cue() -> None:
    text = "1. Answer the call within 20 seconds of the ring.\n2. Send the van.\n"
    timed, _ = of_text(text)
    assert timed.timing is not None
    assert timed.timing.end_event == "answer_the_call"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The lead must ask Dr. Okafor to sign.", "ask Dr. Okafor to sign"),
        ("A fall or a new wound must be reported.", "fall or a new wound reported"),
        ("When the patient is deaf the plan needs to be repeated.", "repeated"),
        ("Agents must always, and without fail, give the number.", "give the number"),
        ("The nurse must say the dose (e.g. five units) aloud.", "say the dose"),
        ("Crews must scan the whole zone every ten seconds.", "scan the whole zone"),
    ],
)
def test_cues_are_whole_and_tell_something(text: str, told: str) -> None:
    assert cues(of_text(text)[0]) == [told]


def test_a_title_keeps_its_words() -> None:
    assert of_text("Agents must ask Dr. Okafor.")[0].title == "Ask Dr. Okafor"


@pytest.mark.parametrize("count", [3, 183, 190, 200])
def test_weights_of_many_sections_are_sound(count: int) -> None:
    text = "".join(f"## Part {n}\n\nCrew {n} must report.\n\n" for n in range(count))
    sections = rubric_from_text(draft_rubric([document_from_text(text, "a.md")])).sections
    assert len(sections) == count
    assert all(section.weight > 0 for section in sections)
    assert sum(section.weight for section in sections) == pytest.approx(1)


def test_a_procedure_that_is_too_long_is_refused() -> None:
    text = "Crews must report.\n\n" * 100_100
    with pytest.raises(ValidationError, match="more than 2,000,000 characters"):
        draft_rubric([document_from_text(text, "a.md")])
    with pytest.raises(ValidationError, match="more duties than the 2,000"):
        draft_rubric([document_from_text(text[:50_000], "a.md")])


def test_a_draft_is_written_as_json_and_never_over_another(tmp_path: Path) -> None:
    target = tmp_path / "rubric.json"
    asked = ["score", "draft", str(PROCEDURE), "-o", str(target)]
    assert invoke(*asked).exit_code == 0
    assert json.loads(target.read_text("utf-8"))["template"]["version"] == "0.1"
    assert invoke("score", "lint", str(target)).exit_code == 0
    target.write_text("mine", "utf-8")
    refused = invoke(*asked)
    assert refused.exit_code == 2
    assert "--overwrite" in refused.stderr
    assert target.read_text("utf-8") == "mine"
    assert invoke(*asked, "--overwrite").exit_code == 0


@pytest.mark.parametrize("name", ["rubric.html", "rubric.txt", "rubric"])
def test_an_ending_that_tells_no_format_is_refused(tmp_path: Path, name: str) -> None:
    refused = invoke("score", "draft", str(PROCEDURE), "-o", str(tmp_path / name))
    assert refused.exit_code == 2
    assert f"{name} from its suffix; known are .yaml, .yml, .json" in refused.stderr
    assert not list(tmp_path.iterdir())


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
