"""Emergency words stand on every scorecard with their seconds, whatever the rubric says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import invoke
from tests.speech.transcripts import from_sentences

from veridical.scoring.merge import MOST_LISTED, emergencies
from veridical.scoring.scorecard import WarningCode
from veridical.scoring.wire import scorecard_from_bytes

CALL = (
    "[00:05] ENG25: Engine 25 on scene, assuming command.\n"
    "[01:02] ENG25: Mayday, mayday, we have a man down.\n"
    "[01:30] CMD: All units, EVACUATE the building.\n"
)


@pytest.mark.parametrize("rubric", ["fireground", "customer-call"])
def test_every_form_of_a_scorecard_lists_them(
    rubric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("call.txt").write_text(CALL, "utf-8")
    forms = ("card.json", "card.md", "card.html", "card.txt")
    outputs = [part for form in forms for part in ("-o", form)]
    done = invoke("score", "run", "call.txt", rubric, *outputs)
    assert done.exit_code in (0, 1), done.output
    for form in forms:
        text = Path(form).read_text("utf-8")
        for word, when in (("mayday", "1:02"), ("man down", "1:02"), ("evacuate", "1:30")):
            line = next(line for line in text.splitlines() if f"\u201c{word}\u201d" in line)
            assert when in line, form
    card = Path("card.json").read_bytes()
    told = [w for w in json.loads(card)["warnings"] if w["code"] == "emergency_words"]
    assert len(told) == 3
    assert any("mayday” was said 2 times" in warning["message"] for warning in told)
    assert len(scorecard_from_bytes(card).warnings) >= 3


def test_a_quiet_call_has_none_and_a_flood_is_bounded() -> None:
    quiet = from_sentences([(0.0, 2.0, "Man the pump down there, we maintain.", "A")])
    assert list(emergencies(quiet)) == []
    many = [(float(n), n + 0.5, "Mayday.", "A") for n in range(MOST_LISTED + 7)]
    (warning,) = emergencies(from_sentences(many))
    assert warning.code is WarningCode.EMERGENCY_WORDS
    assert warning.message.count(" s)") == MOST_LISTED
    assert warning.message.endswith("; and 7 more")
