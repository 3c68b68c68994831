"""What counts as evidence: the transcript's own words, at their second, by who said them."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from tests.speech.transcripts import from_sentences, plain

from veridical.errors import ConfigurationError
from veridical.scoring.checking.evidence import (
    EvidenceChecker,
    says_no_more,
)
from veridical.scoring.checking.places import MAX_GAP_SECONDS
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    EvidenceRules,
    ModelRules,
    Rubric,
    Section,
    Template,
)
from veridical.scoring.scorecard import CheckedEvidence, CitedEvidence, EvidenceFidelity
from veridical.sources.transcript import Transcript

VERBATIM = Criterion("c", "C", CriterionType.BOOLEAN)
LOOSE = replace(VERBATIM, evidence=EvidenceRules(require_verbatim_quote=False))
RUBRIC = Rubric(
    Template("t", "T", "1"),
    (Section("s", "S", 1.0, (VERBATIM,)),),
    llm=ModelRules(evidence_quote_max_chars=100),
)

RADIO = from_sentences(
    [
        (10.0, 14.0, "Dispatch to Engine 25, respond to a structure fire.", "Dispatch"),
        (20.0, 24.0, "Engine 25 on scene, two story house, nothing showing.", "ENG25"),
        (24.5, 25.0, "Copy.", "Dispatch"),
        (30.0, 34.0, "Engine 25 assuming command on FTAC 205.", "ENG25"),
        (60.0, 64.0, "We do not have water on the fire.", "ENG25"),
        (66.0, 70.0, "Pump pressure is 3.5 bar.", "ENG25"),
        (100.0, 104.0, "Battalion two is on scene, all companies hold.", "BC2"),
        (200.0, 204.0, "Battalion two is on scene, all companies hold.", "BC2"),
        (300.0, 304.0, "Primary search is complete.", "ENG25"),
        (314.0, 318.0, "All clear here.", "ENG25"),
        (330.0, 334.0, "Stand by.", "ENG25"),
        (340.0, 341.0, "Copy.", "Dispatch"),
    ]
)


def check(
    quote: str,
    start: float | None = None,
    speaker: str | None = None,
    *,
    transcript: Transcript = RADIO,
    criterion: Criterion = VERBATIM,
) -> CheckedEvidence:
    checker = EvidenceChecker(transcript, RUBRIC)
    return checker.check(CitedEvidence(quote, start, speaker), criterion)


@pytest.mark.parametrize(
    ("quote", "start", "speaker", "said_at"),
    [
        ("Engine 25 assuming command", 30, "ENG25", 30.0),
        ("engine 25, ASSUMING command!", 30, "ENG25", 30.0),
        ("Engine 25 assuming command on FTAC 205...", 30, "ENG25", 30.0),
        ("\u2026assuming command on FTAC 205", 30, None, 30 + 4 / 7 * 2),
        ("Engine 25 assuming command", 50, "ENG25", 30.0),  # at the tolerance
        ("Engine 25 assuming command", 10, "ENG25", 30.0),
        ("Engine 25 assuming command", 30, "Engine 25", 30.0),
        ("Engine 25 assuming command", 30, "E25", 30.0),
        ("Engine 25 assuming command", 30, "eng-25", 30.0),
        ("Engine 25 assuming command", 30, "Engine Twenty-Five", 30.0),
        ("Engine 25 assuming command", 30, "Unknown", 30.0),
        ("Engine 25 assuming command", 30, "", 30.0),
        ("Battalion two is on scene", 200, "Battalion Chief 2", 200.0),
        ("Battalion two is on scene", 119, "Battalion 2", 100.0),
        ("do not have water", 60, "ENG25", 60.5),
        ("Copy.", 24.5, "Dispatch", 24.5),  # all that was said
        ("stand by", None, None, 330.0),
        ("Primary search is complete", None, None, 300.0),
    ],
)
def test_what_is_verified_as_it_was_cited(
    quote: str, start: float | None, speaker: str | None, said_at: float
) -> None:
    found = check(quote, start, speaker)
    assert found.verified, found.reason
    assert found.span is not None
    assert found.matched_text == RADIO.text[found.span.start : found.span.end]
    assert found.start == pytest.approx(said_at)
    assert found.end is not None
    assert found.end >= said_at
    assert (found.corrected, found.reason) == (False, "")
    assert (found.claimed_start, found.claimed_speaker) == (start, speaker)
    assert found.fidelity is EvidenceFidelity.VERBATIM
    assert found.speaker in RADIO.speakers


@pytest.mark.parametrize(
    ("quote", "start", "speaker", "reason"),
    [
        ("Engine 25 requests a second alarm", 30, None, "do not stand in the transcript"),
        ("Engine 26 assuming command", 30, None, "do not stand in the transcript"),
        ("Engine assuming command on FTAC", 30, None, "do not stand in the transcript"),
        ("we do have water on the fire", 60, None, "do not stand in the transcript"),
        ("Pump pressure is 35 bar", 66, None, "a number, sign or short form was changed"),
        ("nothing showing copy", 24, None, "in more than one turn"),
        ("Copy Engine 25 assuming command", 25, None, "in more than one turn"),
        ("Engine 25 ... on FTAC 205", 30, None, "it leaves words out"),
        ("Engine 25 \u2026 nothing showing", 20, None, "it leaves words out"),
        ("on FTAC 205 we do not have water", 30, None, "parted by a long silence"),
        ("water on the fire pump pressure", 60, None, "denies them"),
        ("search is complete all clear here", 300, None, None),  # 10 s of silence
        ("All clear here stand by", 314, None, "parted by a long silence"),
        ("the fire", 60, None, "2 words are too few, at least 3"),
        ("fire", 60, None, "1 word is too few, at least 3"),
        ("have water on the fire", 60, None, "leaves out \u201cnot\u201d"),
        ("Engine 25 assuming command", 30, "BC2", "said by ENG25, not by \u201cBC2\u201d"),
        ("Engine 25 assuming command", 30, "Ladder 9", "by ENG25, not by \u201cLadder 9\u201d"),
        ("Engine 25 assuming command", 30, "SPEAKER_01", "said by ENG25"),
        ("Battalion two is on scene", 150, None, "2 places, none within 20 s of 150 s"),
        ("Battalion two is on scene", None, None, "2 places, and no second tells"),
        ("", 30, None, "no words"),
        ("...", 30, None, "no words"),
        ("word " * 81, 30, None, "more than 400 are not checked"),
    ],
)
def test_what_is_not_verified_and_why(
    quote: str, start: float | None, speaker: str | None, reason: str | None
) -> None:
    found = check(quote, start, speaker)
    if reason is None:
        assert found.verified, found.reason
        return
    assert not found.verified
    assert reason in found.reason
    assert found.quote == quote
    held = (found.span, found.matched_text, found.start, found.end, found.speaker, found.fidelity)
    assert set(held) == {None}
    assert not found.corrected


@pytest.mark.parametrize("claimed", [95, 50.001, 1e308, -5])
def test_words_that_stand_at_one_place_only_are_put_right(claimed: float) -> None:
    found = check("Engine 25 assuming command", claimed, "ENG25")
    assert (found.verified, found.corrected, found.start) == (True, True, 30.0)
    assert f"claimed for {claimed:.6g} s, said at 30 s" in found.reason


def test_the_nearest_of_several_places_and_of_two_as_near_the_earlier() -> None:
    said = [(at, at + 2.0, "Interior has a working line.", "A") for at in (10.0, 30.0, 50.0)]
    transcript = from_sentences([(s, e, t, f"S{i % 2}x") for i, (s, e, t, _) in enumerate(said)])
    for claimed, meant in [(10, 10.0), (19, 10.0), (20, 10.0), (21, 30.0), (45, 50.0), (70, 50.0)]:
        found = check("has a working line", claimed, transcript=transcript)
        assert found.verified
        assert found.start == pytest.approx(meant + 0.4 * 2.0 / 2)


@pytest.mark.parametrize(
    ("label", "claimed", "verified", "corrected"),
    [
        ("SPEAKER_03", "ENG25", True, True),
        ("Speaker 1", "ENG25", True, True),
        ("A", "ENG25", True, True),
        ("spk_0", "ENG25", True, True),
        ("channel 1, speaker 0", "ENG25", True, True),
        (None, "ENG25", True, True),
        (None, None, True, False),
        ("SPEAKER_03", "SPEAKER_09", False, False),  # one label is not another
        ("SPEAKER_03", "speaker 03", True, False),
        ("SPEAKER_03", "SPEAKER_04", False, False),  # another of the transcript's speakers
        ("Truck 3", "Ladder 3", False, False),
        ("Truck 3", "T3", True, False),
        ("Maria Lopez", "maria  lopez", True, False),
        ("Maria Lopez", "Maria", False, False),
    ],
)
def test_speakers(label: str | None, claimed: str | None, verified: bool, corrected: bool) -> None:
    transcript = from_sentences(
        [(10.0, 12.0, "We are on scene now.", label), (30.0, 31.0, "Copy that.", "SPEAKER_04")]
    )
    found = check("We are on scene", 10, claimed, transcript=transcript)
    assert (found.verified, found.corrected) == (verified, corrected)
    assert found.speaker == (label if verified else None)


def test_a_known_speaker_where_nobody_knows_who_spoke_is_not_believed() -> None:
    transcript = from_sentences(
        [(10.0, 12.0, "We are on scene now.", None), (30.0, 31.0, "Copy that.", "BC2")]
    )
    found = check("We are on scene", 10, "BC2", transcript=transcript)
    assert not found.verified
    assert "does not tell who said it" in found.reason


@pytest.mark.parametrize("words", [True, False])
def test_a_long_silence_parts_what_one_speaker_says(words: bool) -> None:
    for gap in (MAX_GAP_SECONDS, MAX_GAP_SECONDS + 0.01):
        said = [(0.0, 2.0, "We have the", "A"), (2 + gap, 4 + gap, "fire knocked down.", "A")]
        found = check(
            "We have the fire knocked down", 0, transcript=from_sentences(said, words=words)
        )
        assert found.verified is (gap == MAX_GAP_SECONDS)
        assert found.verified or "silence" in found.reason


def talk(*said: str, apart: float = 5.0) -> Transcript:
    """Sentences of one speaker."""
    return from_sentences([(apart * n, apart * n + 4, text, "A") for n, text in enumerate(said)])


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("this is Engine twenty five here", "this is Engine twenty"),
        ("Ventilation was un-successful here today", "successful here today"),
        ("There isn't fire in the attic", "fire in the attic"),
        ("It never went to the roof", "went to the roof"),
        ("There is no sign of water on the fire", "water on the fire"),
        ("Negative, water on the fire", "water on the fire"),
        ("Primary search complete? No", "primary search complete"),
        ("Not, uh, water on the fire", "water on the fire"),
        ("not - water on the fire", "water on the fire"),
        ("We do no\u200bt have water on the fire", "have water on the fire"),
        ("We do n0t have water on the fire", "have water on the fire"),
        ("We do n\u043et have water on the fire", "have water on the fire"),
        ("Engine two five on scene", "five on scene"),
        ("Engine 2 5 on scene", "5 on scene"),
        ("I have PAR of two point five", "PAR of two"),
        ("Temperature is minus 5 degrees outside", "5 degrees outside"),
        ("We have 3 of 10 people out", "10 people out"),
        ("We have 3 of 10 people out", "We have 3"),
        ("The search is complete, but that was wrong", "the search is complete"),
        ("The search is complete, or so they claim", "the search is complete"),
        ("The search is complete, scratch that", "the search is complete"),
    ],
)
def test_a_quote_may_not_be_cut_from_what_makes_it_something_else(said: str, quote: str) -> None:
    found = check(quote, 0, transcript=talk(f"{said}."))
    assert not found.verified
    assert re.search("leaves out|denies them|takes them back|do not stand", found.reason)


@pytest.mark.parametrize(
    ("quote", "said", "doubted"),
    [
        ("we have a working fire", ["No, we have a working fire."], True),
        ("do not have water on the fire", ["We do not have water on the fire."], False),
        ("water on the fire", ["Do you have water on the fire?"], True),
        ("Do you have water on the fire", ["Do you have water on the fire?"], False),
        ("you have water on the fire", ["Tell me when you have water on the fire."], True),
        ("water on the fire", ["Engine 7 has water on the fire."], False),
        ("2 people are out", ["Engine 7, 2 people are out."], False),
        # Another clause that denies denies itself.
        ("Evacuate the building", ["Evacuate the building, do not go back in."], False),
        ("I will call you back tomorrow", ["I will call you back tomorrow, don't worry."], False),
        ("We are on the second floor", ["We are on the second floor, cannot find it."], False),
        ("the patient is Mr. Hill", ["The patient is Mr. Hill, no allergies."], False),
        # What may be taken back afterwards.
        ("Battalion 2 has command", ["Battalion 2 has command.", "Scratch that."], True),
        ("Battalion 2 has command", ["Battalion 2 has command.", "I take that back."], True),
        ("Battalion 2 has command", ["Battalion 2 has command.", "Sorry, go ahead."], True),
        ("Battalion 2 has command", ["Battalion 2 has command.", "Negative, stay out."], True),
    ],
)
def test_words_that_are_not_plainly_said_are_in_doubt(
    quote: str, said: list[str], doubted: bool
) -> None:
    checker = EvidenceChecker(talk(*said), RUBRIC)
    found = checker.check(CitedEvidence(quote, 0), VERBATIM)
    assert found.verified, found.reason
    doubt = checker.doubt(found)
    assert (doubt is not None) is doubted
    assert doubt is None or len(said) == 1 or "taken back" in doubt


def captions(*said: tuple[float, float, str], speaker: str | None = "A") -> Transcript:
    return from_sentences([(*each, speaker) for each in said], words=False)


@pytest.mark.parametrize(
    ("pause", "stop", "speaker", "verified"),
    [
        (0.0, "", None, True),
        (1.0, "", None, False),
        (0.0, ".", None, False),
        (0.0, "?", None, False),
        (1.0, ".", "A", True),
    ],
)
def test_what_nobody_is_known_to_say_may_be_a_question_and_its_answer(
    pause: float, stop: str, speaker: str | None, verified: bool
) -> None:
    said = captions(
        (0, 2, f"The primary search is complete{stop}"),
        (2 + pause, 4 + pause, "And it is all out now"),
        speaker=speaker,
    )
    found = check("search is complete and it is all out", 0, transcript=said)
    assert found.verified is verified, found.reason


def test_a_transcript_without_times_is_checked_by_its_words() -> None:
    transcript = plain("We have a working fire. Copy that now. Copy that now.")
    found = check("have a working fire", 95, transcript=transcript)
    assert (found.verified, found.corrected, found.start, found.end) == (True, False, None, None)
    assert "said at 2 places" in check("Copy that now", 95, transcript=transcript).reason


def test_words_without_a_second_in_a_transcript_with_times_are_not_verified() -> None:
    transcript = from_sentences(
        [(0.0, 4.0, "We are on scene.", "A"), (None, None, "We have a working fire.", "A")]
    )
    assert (
        "no time for these words" in check("have a working fire", 0, transcript=transcript).reason
    )


@pytest.mark.parametrize(
    ("quote", "criterion", "verified"),
    [
        ("Engine 25 is assuming command on FTAC 205", VERBATIM, False),
        ("Engine 25 is assuming command on FTAC 205", LOOSE, True),
        ("Engine 25 assuming command", LOOSE, True),
        ("Engine 26 is assuming command on FTAC 205", LOOSE, False),
        ("Engine 25 is assuming command on FTAC 206", LOOSE, False),
        ("Engine 25 asks for a second alarm at the mall", LOOSE, False),
        ("water is on the fire", LOOSE, False),
        ("x" * 399, LOOSE, False),
        ("Engine 25 is ending command on FTAC 205", LOOSE, False),
        ("Engine 25 may be assuming command on FTAC 205", LOOSE, False),
        ("Engine 205 is assuming command on FTAC 25", LOOSE, False),
    ],
)
def test_a_paraphrase_where_the_criterion_takes_one(
    quote: str, criterion: Criterion, verified: bool
) -> None:
    found = check(quote, 30, "ENG25", criterion=criterion)
    assert found.verified is verified, found.reason
    if verified and quote not in RADIO.text:
        assert found.fidelity is EvidenceFidelity.PARAPHRASE
        assert found.start == 30.0


@pytest.mark.parametrize(
    ("quote", "said", "verified"),
    [
        ("the second floor we have searched", "We have searched the second floor.", False),
        ("we have now searched the second floor", "We have searched the second floor.", True),
        ("we have searched the second floor", "Have we searched the second floor?", False),
        ("the agent refunded the customer", "The customer refunded the agent.", False),
    ],
)
def test_a_paraphrase_states_what_was_stated_of_whom_it_was(
    quote: str, said: str, verified: bool
) -> None:
    assert check(quote, 0, transcript=talk(said), criterion=LOOSE).verified is verified


def test_a_paraphrase_longer_than_the_validator_takes_is_none() -> None:
    roomy = replace(RUBRIC, llm=ModelRules(evidence_quote_max_chars=1_000))
    cited = CitedEvidence("Engine 25 is assuming command on FTAC 205 " * 60, 30.0)
    found = EvidenceChecker(RADIO, roomy).check(cited, LOOSE)
    assert not found.verified
    assert "others that say the same" in found.reason


@pytest.mark.parametrize(
    ("paraphrase", "said", "same"),
    [
        ("the account was locked", "Your account has been locked", True),
        ("the account was unlocked", "Your account has been locked", False),
        ("the gas has been turned on", "The gas has been shut off", False),
        ("the gas may have been shut off", "The gas has been shut off", False),
        ("the gas has been shut off", "The gas might have been shut off", False),
        ("it is the right side", "It is the left side", False),
        ("I want to keep it", "I want to cancel it", False),
        ("the secondary search is complete", "The primary search is complete", False),
        ("Ladder 4 vented the roof", "Ladder 4, vent the roof", False),
        ("Ladder 4 vented the roof", "Ladder 4 is venting the roof", True),
        ("Engine 9 relieved Engine 7", "Engine 7 relieved Engine 9", False),
    ],
)
def test_no_word_of_a_paraphrase_says_more(paraphrase: str, said: str, same: bool) -> None:
    assert says_no_more(paraphrase, said) is same


def test_words_that_stand_everywhere_are_bounded() -> None:
    said = [(at * 10.0, at * 10.0 + 9, "copy that now " * 9 + "end", "A") for at in range(360)]
    transcript = from_sentences(said)
    found = check("copy that now", 1800, transcript=transcript)
    assert (found.verified, found.start) == (True, 1800.0)
    assert "more than 1,000 places" in check("copy that now", transcript=transcript).reason


@pytest.mark.parametrize("tolerance", [-1.0, math.nan, math.inf])
def test_a_tolerance_is_a_number_of_seconds(tolerance: float) -> None:
    with pytest.raises(ConfigurationError, match="tolerance_seconds"):
        EvidenceChecker(RADIO, RUBRIC, tolerance_seconds=tolerance)


@pytest.mark.parametrize("others", [1, 2])
def test_words_that_are_refused_where_they_are_cited_are_not_looked_for_elsewhere(
    others: int,
) -> None:
    so = ["We have water on the fire."] * others
    heard = talk("We do not have water on the fire.", *so, apart=100.0)
    assert "leaves out" in check("have water on the fire", 0, transcript=heard).reason
    assert check("have water on the fire", 101, transcript=heard).verified
