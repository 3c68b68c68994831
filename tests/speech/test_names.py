"""People's names are found; places, organisations and everyday words are not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.speech.cases import cases, without_names, written

from veridical.errors import ConfigurationError, MissingExtraError
from veridical.speech.names.finders import AllNames, PatternNames, SpacyNames
from veridical.speech.redaction import DEFAULT_PHRASE, Redactor
from veridical.speech.speakers import own_name, people_labels

CASES = cases("names.txt")
STAY_ON_THE_NEXT_LINE = (
    "thank you\nQuarterly results were fine.",
    "Thank you\nQuestions are welcome",
    "thank you\n\nRehearsals begin at nine.",
)
"""A line ends what announces a name."""


def redacted(text: str) -> str:
    return Redactor((), found=PatternNames().find(text)).redact(text)


@pytest.mark.parametrize("case", CASES["go"])
def test_names_go_and_nothing_else(case: str) -> None:
    expected = without_names(case, DEFAULT_PHRASE)
    assert redacted(written(case)).casefold() == expected.casefold()


@pytest.mark.parametrize("case", [*CASES["stay"], *STAY_ON_THE_NEXT_LINE])
def test_places_organisations_and_everyday_words_stay(case: str) -> None:
    assert redacted(case) == case


@pytest.mark.parametrize("case", CASES["unannounced"])
def test_names_that_nothing_announces_go_where_they_are_listed(case: str) -> None:
    assert PatternNames().find(written(case)) == ()
    redactor = Redactor(["Pip", "Rajnish"])
    assert redactor.redact(written(case)) == without_names(case, DEFAULT_PHRASE)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Roger, Houston. Copy that. My brother Roger laughed.", ("Roger",)),
        ("Hello, Surface! The surface was wet, and the surface was cold.", ()),
        ("Gwenllian would be proud of you.", ("Gwenllian",)),
        ("You made us feel it, as Gwenllian did.", ("Gwenllian",)),
        ("Xiulan's smile helped. Xiulan, thank you.", ("Xiulan",)),
        ("Consider Simon Sinek here.", ("Simon Sinek",)),
        ("Gwenllian Pugh sat there.", ("Gwenllian Pugh",)),
        ("Vocal variety would lift it. Pausing would help.", ()),
        ("Storytelling is your strength. Moreover, this was a talk for Toastmasters and TED.", ()),
        ("Structure deserves praise. Metaphors made it live.", ()),
        ("In English, use the Rule of Three on Monday in London, or in May.", ()),
        ("The Ice Breaker is a Level One project. We saw the River and the Door.", ()),
        ("The Qwill was good. A qwill is a pen.", ()),
        ("When I was nine, Qwills were our dinner. My grandmother made qwills.", ()),
        ("Nineteen said no. We had Nineteen, and more.", ()),
    ],
)
def test_unknown_words_with_a_capital(text: str, names: tuple[str, ...]) -> None:
    assert PatternNames().find(text) == names


@pytest.mark.no_cover
def test_a_long_hostile_text_ends() -> None:
    for piece in ("Thank you, ", "Maria-", "J. ", "van der ", "d'", "St. Maria ", "O’Brien’s’"):
        PatternNames().find(piece * 20_000)


@given(st.text(max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    for name in PatternNames().find(text):
        assert name in text


@pytest.mark.parametrize(
    ("label", "is_name"),
    [
        ("Anna Lopez", True),
        ("Dr. Patel", True),
        ("Xiaolu", True),
        ("田中", True),
        ("SPEAKER_00", False),
        ("spk_3", False),
        ("A", False),
        ("CC", False),
        ("7", False),
        ("Public Affairs", False),
        ("Speaker A", False),
    ],
)
def test_labels_of_speakers(label: str, is_name: bool) -> None:
    assert people_labels([label]) == ((label,) if is_name else ())


def test_the_speakers_own_label_tells_the_full_name() -> None:
    assert own_name("Maria", ["Host", "Maria Lopez", "Tom"]) == "Maria Lopez"
    assert own_name("Maria", ["Maria Lopez", "Maria Garcia"]) == "Maria"
    assert own_name("Maria Lopez", []) == "Maria Lopez"
    assert own_name(None, ["Maria"]) is None


def test_without_spacy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"veridical\[names\]"):
        SpacyNames()


def test_spacy_names_people_that_nothing_announces(tmp_path: Path) -> None:
    import spacy

    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns(
        [{"label": "PERSON", "pattern": "Qwill"}, {"label": "GPE", "pattern": "Quux"}]
    )
    pipeline.to_disk(tmp_path / "people")
    finder = SpacyNames(tmp_path / "people")
    text = "Yesterday Qwill left Quux. " * 6_000
    assert finder.find(text) == ("Qwill",)
    both = AllNames(PatternNames(), finder)
    assert both.find("Thank you, Maria. Qwill left.") == ("Maria", "Qwill")


def test_a_pipeline_that_cannot_be_used_is_a_clear_error(tmp_path: Path) -> None:
    import spacy

    with pytest.raises(ConfigurationError, match="spacy download no_such_pipeline"):
        SpacyNames("no_such_pipeline")
    spacy.blank("en").to_disk(tmp_path / "bare")
    with pytest.raises(ConfigurationError, match="labels no entities"):
        SpacyNames(tmp_path / "bare")
