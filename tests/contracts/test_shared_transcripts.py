"""Mission radio that nobody on the project wrote: all of it is read, and its quotes hold."""

from __future__ import annotations

import json

import pytest
from tests.contracts.shared_quotes import FOLDER

from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import load_transcript
from veridical.text.spoken import spoken_keys
from veridical.validation.timed import TimedQuote, TimedQuoteChecker

RADIO = FOLDER.parent / "transcripts" / "apollo11_air_ground.dev.jsonl"
EVERY = 25

if not RADIO.is_file():
    pytest.skip(
        f"the shared transcript is not here: {RADIO.name}, looked for in transcripts/ of "
        "../shared/data beside the repository, or of $VERIDICAL_SHARED_DATA",
        allow_module_level=True,
    )


@pytest.fixture(scope="module")
def rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in RADIO.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def radio() -> Transcript:
    return load_transcript(RADIO)


def test_every_word_is_read(radio: Transcript, rows: list[dict[str, object]]) -> None:
    assert spoken_keys(radio.text) == spoken_keys(" ".join(str(row["text"]) for row in rows))
    assert len(radio.segments) == sum(bool(str(row["text"]).strip()) for row in rows)


def test_a_countdown_starts_at_second_0(radio: Transcript, rows: list[dict[str, object]]) -> None:
    assert radio.segments[0].start == 0.0
    assert radio.time_base.origin_seconds == rows[0]["start"]
    assert any("0" in warning for warning in radio.warnings)


def test_honest_quotes_pass_and_late_ones_fail(radio: Transcript) -> None:
    checker = TimedQuoteChecker(radio)
    quotes = []
    for segment in radio.segments[::EVERY]:
        words = radio.text[segment.span.start : segment.span.end].split()[:9]
        if len(spoken_keys(" ".join(words))) >= 6 and segment.start is not None:
            quotes.append(TimedQuote(" ".join(words), segment.start, segment.speaker))
    results = [checker.judge(quote) for quote in quotes]
    assert len(results) > 150
    assert [r.quote for r in results if not r.passed] == []
    late = [checker.judge(TimedQuote(q.quote, q.seconds + 100_000, q.label)) for q in quotes]
    assert sum(result.passed for result in late) < len(late) / 50
