"""Names are taken out wherever they stand, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.errors import ConfigurationError, ProcessingError
from veridical.speech.names.text import name_keys
from veridical.speech.redaction import Redactor

MARIA = ["Maria Lopez"]


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (MARIA, "thank you, Maria Lopez", "thank you, a fellow member"),
        (MARIA, "Maria's idea", "A fellow member's idea"),
        (MARIA, "it was Maria’s idea", "it was a fellow member’s idea"),
        (MARIA, "it was LOPEZ, lopez or López",
         "it was a fellow member, a fellow member or a fellow member"),
        (MARIA, "The Lopezes and the marias", "A fellow member and a fellow member"),
        (MARIA, "the avemaria", "the avemaria"),
        (MARIA, "Lopez, Maria", "A fellow member, a fellow member"),
        (MARIA, "We met. Maria sang.", "We met. A fellow member sang."),
        (MARIA, 'He said: "Maria sang."', 'He said: "A fellow member sang."'),
        (MARIA, "maria sang", "a fellow member sang"),
        (MARIA, "Dr. Lopez and Mrs. Maria Lopez", "A fellow member and a fellow member"),
        (MARIA, "Maria L. Lopez spoke", "A fellow member spoke"),
        (MARIA, "talk-by-maria_2.json", "talk-by-a fellow member_2.json"),
        (MARIA, "Mar\u00adia and Mari\u200ba", "A fellow member and a fellow member"),
        (MARIA, "Mari\u0301a", "A fellow member"),
        (MARIA, "Maria'll come", "A fellow member'll come"),
        (["Maria", "Tom"], "Maria and Tom", "A fellow member and a fellow member"),
        (["Maria", "Tom"], "Maria's Tom", "A fellow member's a fellow member"),
        (["Anne-Marie"], "Anne-Marie or Anne Marie", "A fellow member or a fellow member"),
        (["O'Brien"], "Mr. O’Brien, O'BRIEN", "A fellow member, a fellow member"),
        (["José"], "Jose", "A fellow member"),
        (["Jose"], "José", "A fellow member"),
        (["Łukasz Müller"], "lukasz muller", "a fellow member"),
        (["Anna van der Berg"], "Anna van der Berg went; Berg too, van and der stayed",
         "A fellow member went; a fellow member too, van and der stayed"),
        (["James"], "James' book", "A fellow member's book"),
        (["Will", "Mark"], "I will mark what Will and Mark did",
         "I will mark what a fellow member and a fellow member did"),
        (["Will"], "Will you come? Will, come!",
         "A fellow member you come? A fellow member, come!"),
        (["Will"], "i told will that i will", "i told a fellow member that i a fellow member"),
        (["Bill"], "the bill said ten dollars", "a fellow member said ten dollars"),
        (["Bill"], "We paid the bill. We met bill.", "We paid the bill. We met a fellow member."),
        (["Will", "Hope"], "We thank will and told hope, I hope.",
         "We thank a fellow member and told a fellow member, I hope."),
        (["Will", "Mark"], "It was will's tea. We met mark, and mark's wife.",
         "It was a fellow member's tea. We met a fellow member, and a fellow member's wife."),
        (["Will", "Tom"], "Then will and tom left. I will.",
         "Then a fellow member and a fellow member left. I will."),
        (["Mark"], "Mark two places in it where you breathe.",
         "Mark two places in it where you breathe."),
        (["Tom", "Dick", "Harry"], "Not a Tom, Dick and Harry",
         "Not a fellow member, a fellow member and a fellow member"),
        (["Maria"], "The Maria I know", "A fellow member I know"),
        (["Tom"], "my brother Tom left", "my brother a fellow member left"),
        (["Gwenllian"], "GWENLLIAN-MAE came with gwenllian-mae",
         "A fellow member came with a fellow member"),
        (["Maria"], "a Maria-led team of ex-Maria fans",
         "a fellow member-led team of ex-a fellow member fans"),
        (["Siobhan"], "Ask Dr. siobhan@example.com, @siobhan_mc (#siobhan!)",
         "Ask a fellow member, a fellow member (a fellow member!)"),
        (["Tom"], "tom@example.com and www.tom.example/x",
         "a fellow member and a fellow member"),
        (["Gwenllian"], "gwenllianpugh and PughGwenllian",
         "a fellow member and a fellow member"),
        (["Tom Smith"], "Smith & Sons closed; Smith left.",
         "Smith & Sons closed; a fellow member left."),
        (["Anna"], "the savanna, Susanna, AnnaTalks", "the savanna, Susanna, a fellow member"),
        (["Austin"], "this is exhausting", "this is exhausting"),
        (MARIA, "M\u0430ria and \u039caria", "A fellow member and a fellow member"),
        ("Maria Lopez", "Maria", "A fellow member"),
        (["May"], "In May we met May.", "In May we met a fellow member."),
        (["Tom Church"], "Tom Church left church", "A fellow member left church"),
        (["Maria"], "Maria Street near St. Maria's Hospital",
         "Maria Street near St. Maria's Hospital"),
        (["Paris"], "Paris was born in Paris", "A fellow member was born in Paris"),
        (["Δημήτρης"], "ευχαριστώ ΔΗΜΗΤΡΗΣ", "ευχαριστώ a fellow member"),
        (["Мария Иванова"], "спасибо, мария", "спасибо, a fellow member"),
        (["田中"], "田中さん、ありがとう", "a fellow memberさん、ありがとう"),
        (["민수"], "민수는 웃었다", "a fellow member는 웃었다"),
        (["O'Brien", "D'Angelo"], "o brien or d angelo", "a fellow member or a fellow member"),
        (["O’Brien"], "then O Brien came", "then a fellow member came"),
        (["McDonald"], "with Mc Donald or mc donald", "with a fellow member or a fellow member"),
        (["De Souza"], "then desouza came", "then a fellow member came"),
        ([], "Maria", "Maria"),
        (["", "J.", "van"], "J. van", "J. van"),
    ],
)  # fmt: skip
def test_redaction(names: list[str], text: str, expected: str) -> None:
    assert Redactor(names).redact(text) == expected


@pytest.mark.parametrize(
    ("found", "text", "expected"),
    [
        (["Will"], "Will you come? Will, come!", "Will you come? A fellow member, come!"),
        (["Grace"], "then grace said yes by the grace of god",
         "then a fellow member said yes by the grace of god"),
        (["Bill"], "the bill said ten dollars", "the bill said ten dollars"),
        (["Mark"], "Mark two places in it. Mark the pause. Mark where you breathe. Mark said so.",
         "Mark two places in it. Mark the pause. Mark where you breathe. A fellow member said so."),
        (["Grace"], "Grace under pressure, Grace!", "Grace under pressure, a fellow member!"),
        (["Maria"], "maria spoke", "a fellow member spoke"),
    ],
)  # fmt: skip
def test_names_that_a_program_found_count_where_they_are_used_as_names(
    found: list[str], text: str, expected: str
) -> None:
    assert Redactor((), found=found).redact(text) == expected


def test_a_run_of_names_counts_once_and_the_phrase_is_the_users() -> None:
    redactor = Redactor(["Maria Lopez", "Tom"], phrase="ein Mitglied")
    text, count = redactor.redact_counted("Danke, Maria Lopez und Tom. Lopez lachte.")
    assert count == 3
    assert text == "Danke, ein Mitglied und ein Mitglied. Ein Mitglied lachte."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Maria spoke", "Maria spoke"),
        ("Ms. Lopez spoke", "Ms. Lopez spoke"),
        ("Maria Lopez's dog", "Maria Lopez's dog"),
        ("Tom Lopez spoke", "A fellow member spoke"),
        ("Maria Garcia spoke", "A fellow member spoke"),
        ("Garcia, Maria", "A fellow member, Maria"),
    ],
)
def test_the_speakers_own_name_stays(text: str, expected: str) -> None:
    redactor = Redactor(["Tom Lopez", "Maria Garcia", "Maria Lopez"], keep="Maria Lopez")
    assert redactor.redact(text) == expected


@pytest.mark.parametrize(
    "phrase", ["", "  ", "...", "<b>someone</b>", "*someone*", "a\nb", "x" * 61, "Maria's friend"]
)
def test_a_phrase_that_cannot_stand_for_a_name(phrase: str) -> None:
    with pytest.raises(ConfigurationError):
        Redactor(MARIA, phrase=phrase)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Grace", "grace"),
        ("Grace", "a woman of grace"),
        ("Speaker", "another speaker"),
        ("Will", "whoever will"),
        ("Maria", "mariagarcia"),
        ("\u7530\u4e2d", "\u7530\u4e2d\u3055\u3093"),
    ],
)
def test_a_phrase_with_a_word_that_is_a_name_is_refused(name: str, phrase: str) -> None:
    with pytest.raises(ConfigurationError, match="choose another"):
        Redactor([name], phrase=phrase)
    with pytest.raises(ConfigurationError, match="choose another"):
        Redactor((), found=[name], phrase=phrase)


def test_the_rounds_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veridical.speech.redaction._MOST_ROUNDS", 1)
    with pytest.raises(ProcessingError, match="after 1 round"):
        Redactor(MARIA).redact("Maria spoke")


@pytest.mark.parametrize(
    ("text", "inside"),
    [("marialopez.json", True), ("MariaLopezTalk", True), ("banana", False), ("talk", False)],
)
def test_a_name_inside_a_word_of_a_file_name(text: str, inside: bool) -> None:
    assert Redactor(["Maria Lopez", "Ana"]).holds_part(text) is inside


NAMES = ("Maria", "Lopez", "José", "O'Brien", "Anne-Marie", "Xiaolu", "Zbigniew Nowak", "Łukasz")
FILLERS = ("we", "met", "the", "and", "Then", "I", "will", "dr", "Mr.", "van", "said", "you", "J.")
JOINTS = (" ", ", ", ". ", " – ", "\n", "\n\n", "-", "’s ", "'s ", "? “", "_", "7")


@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4),
    st.lists(
        st.tuples(
            st.sampled_from((*NAMES, *FILLERS)),
            st.sampled_from((str, str.upper, str.lower)),
            st.sampled_from(JOINTS),
        ),
        max_size=25,
    ),
)
def test_no_part_of_a_name_is_left_and_redacting_again_changes_nothing(
    names: list[str], pieces: list[tuple[str, object, str]]
) -> None:
    text = "".join(change(word) + joint for word, change, joint in pieces)  # type: ignore[operator]
    redactor = Redactor(names)
    result = redactor.redact(text)
    parts = {key for name in names for key in name_keys(name)}
    assert not parts & set(name_keys(result))
    assert redactor.redact(result) == result
    assert redactor.count(result) == 0


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=5))
def test_any_names_and_any_text(text: str, names: list[str]) -> None:
    try:
        redactor = Redactor(names)
    except ConfigurationError:
        return
    result, count = redactor.redact_counted(text)
    assert redactor.redact(result) == result
    assert (count == 0) == (result == text)
