"""Whatever words are judged, in whatever order: there is a judgement, and it is the same again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel

STRICT = CalibratedJudge(OperatingPoint.STRICT)

WORDS = (
    "the a every all no half most each staff Anna Berg Tom Hill Hull council clerk room A B group "
    "pays paid was is has may must not only if unless until before after when who which that whose "
    "and but or than from to by for of in on with without first last 2 10 20 % euros km May 2020 "
    "Mondays 9 pm December said approved withdrew larger under above apart other them it he she"
).split()
MARKS = ("", "", "", ",", ";", ":", ".")

texts = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(MARKS)), min_size=1, max_size=24
).map(lambda words: " ".join(word + mark for word, mark in words))


@settings(max_examples=300, deadline=None)
@given(claim=texts, sentences=st.lists(texts, min_size=1, max_size=4), heading=texts)
def test_anything_is_judged(claim: str, sentences: list[str], heading: str) -> None:
    case = Case(claim, tuple(sentences), heading=heading)
    (once,), (again,) = STRICT.judge([case]), STRICT.judge([case])
    assert once == again


def test_a_sentence_bears_itself_out() -> None:
    claim = "Anna Berg of Hull paid the clerk 20 euros in May 2020."
    (told,) = STRICT.judge([Case(claim, (claim,))])
    assert isinstance(told, Judgement)
    assert told.support is SupportLevel.FULL
