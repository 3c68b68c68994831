"""What a guard lets through, and what it makes of the rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.guarding.answers import LATE, POLICY, RIGHT, UNKNOWN, WRONG, answers, scraps

from veridical.errors import ProcessingError, UngroundedError, ValidationError
from veridical.guarding.guard import Guard
from veridical.guarding.report import FAILING, GuardReport, OnFail
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.grounding import GroundingOutcome, check_answer
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text


@pytest.fixture(scope="module")
def policy() -> Document:
    return document_from_text(POLICY, "leave.md", Format.MARKDOWN)


@pytest.fixture(scope="module")
def corpus(policy: Document) -> Corpus:
    return Corpus([policy])


@pytest.fixture(scope="module")
def guards(corpus: Corpus) -> dict[OnFail, Guard]:
    return {on_fail: Guard(corpus, on_fail=on_fail) for on_fail in OnFail}


def streamed(guard: Guard, text: str, size: int) -> GuardReport:
    with guard.stream() as stream:
        out = [stream.feed(text[at : at + size]) for at in range(0, len(text), size)]
        out.append(stream.finish())
    assert "".join(out) == stream.report.text
    return stream.report


def test_what_is_supported_passes_as_it_is(guards: dict[OnFail, Guard]) -> None:
    text = f"# Leave\n\n{RIGHT} {LATE}\n\n- {LATE}\n\nShall I go on?\n"
    for guard in guards.values():
        report = guard.check(text)
        assert report.text == text
        assert report.grounded
        assert [s.verdict for s in report.sentences] == [
            None,
            *[Verdict.SUPPORTED] * 3,
            None,
        ]


@pytest.mark.parametrize("on_fail", OnFail)
def test_an_answer_that_comes_asynchronously_is_guarded_as_any_other(
    guards: dict[OnFail, Guard], on_fail: OnFail
) -> None:
    text = f"{RIGHT} {LATE} {WRONG}"

    async def model() -> AsyncIterator[str]:
        for at in range(0, len(text), 7):
            await asyncio.sleep(0)
            yield text[at : at + 7]

    async def shown() -> list[str]:
        pieces = []
        try:
            async for piece in guards[on_fail].guarded(model()):
                pieces.append(piece)  # noqa: PERF401 - what came before an error counts
        except UngroundedError as problem:
            pieces.append(problem.verdict)
        return pieces

    told = "".join(asyncio.run(shown()))
    stopped = f"{RIGHT} {LATE}contradicted"
    assert told == (stopped if on_fail is OnFail.FAIL else guards[on_fail].check(text).text)


def test_a_whole_answer_over_a_limit_is_refused_before_anything_is_judged(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = Guard(corpus)
    monkeypatch.setattr("veridical.guarding.guard.MAX_CLAIMS", 4)
    monkeypatch.setattr("veridical.ledger.extraction.rules.MAX_CLAIMS", 4)
    monkeypatch.setattr(guard._builder.judge, "judge_together", pytest.fail)
    with pytest.raises(ValidationError, match="more than 4 claims"):
        guard.check(f"{RIGHT} {LATE} {WRONG} {UNKNOWN} {RIGHT}")
    with pytest.raises(ValidationError, match="the limit is 4,000,000"):
        guard.check("x" * 4_000_001)


CODE = "```\nStaff must never be paid at all.\n```"
HEAD = "| Animal | Sound |\n|---|---|\n"
CASES = [
    (
        f"{RIGHT} {WRONG} {LATE}",
        f"{RIGHT} {WRONG} \u27e6contradicted\u27e7 {LATE}",
        f"{RIGHT} {LATE}",
    ),
    (f"{WRONG}\n\n{LATE}\n", f"{WRONG} \u27e6contradicted\u27e7\n\n{LATE}\n", f"{LATE}\n"),
    (
        f"- {RIGHT}\n- {UNKNOWN}\n- {LATE}\n",
        f"- {RIGHT}\n- {UNKNOWN} \u27e6not found\u27e7\n- {LATE}\n",
        f"- {RIGHT}\n- {LATE}\n",
    ),
    (
        f"1. {UNKNOWN} {LATE}\n2. {RIGHT}\n",
        f"1. {UNKNOWN} \u27e6not found\u27e7 {LATE}\n2. {RIGHT}\n",
        f"2. {RIGHT}\n",  # what lies in an item may lean on its first sentence
    ),
    (
        f"- {UNKNOWN}\n  - {LATE}\n- {RIGHT}\n",
        f"- {UNKNOWN} \u27e6not found\u27e7\n  - {LATE}\n- {RIGHT}\n",
        f"- {RIGHT}\n",  # what lies in an item leans on it
    ),
    (
        f"> {UNKNOWN}\n> {LATE}\n",
        f"> {UNKNOWN} \u27e6not found\u27e7\n> {LATE}\n",
        f"> {LATE}\n",
    ),
    (f"**{UNKNOWN}** {LATE}", f"**{UNKNOWN}** \u27e6not found\u27e7 {LATE}", LATE),
    (f"{UNKNOWN} [1] {LATE}", f"{UNKNOWN} [1] \u27e6not found\u27e7 {LATE}", LATE),
    (
        f"{HEAD}| Dogs | bark |\n| Cats | purr |\n",
        f"{HEAD}| Dogs | bark \u27e6not found\u27e7 |\n| Cats | purr \u27e6not found\u27e7 |\n",
        HEAD,
    ),
    (
        f"{RIGHT}\n\n## Overtime is paid at 300 percent ##\n\n{LATE}\n",
        f"{RIGHT}\n\n## Overtime is paid at 300 percent \u27e6not found\u27e7 ##\n\n{LATE}\n",
        f"{RIGHT}\n\n{LATE}\n",
    ),
    (
        f"{LATE}\n\n```\nStaff must never be paid at all.\n```\n\n{RIGHT}\n",
        f"{LATE}\n\n{CODE}\n\n\u27e6not checked\u27e7\n\n\n{RIGHT}\n",
        f"{LATE}\n\n{RIGHT}\n",
    ),
    (
        f"{LATE}\n\n<!-- Staff must never be paid at all. -->\n\n{RIGHT}\n",
        f"{LATE}\n\n<!-- Staff must never be paid at all. --> \u27e6not checked\u27e7\n\n{RIGHT}\n",
        f"{LATE}\n\n{RIGHT}\n",
    ),
    (
        "I could not find anything about dogs in the documents.",
        "I could not find anything about dogs in the documents. \u27e6not checked\u27e7",
        "I could not find anything about dogs in the documents.",
    ),
]


@pytest.mark.parametrize(("text", "marked", "dropped"), CASES)
def test_marked_and_dropped(
    guards: dict[OnFail, Guard], text: str, marked: str, dropped: str
) -> None:
    for on_fail, expected in ((OnFail.MARK, marked), (OnFail.DROP, dropped)):
        report = guards[on_fail].check(text)
        assert report.text == expected
        for size in (1, 7):
            assert streamed(guards[on_fail], text, size) == report


def test_annotated_with_the_nearest_words_and_their_source(guards: dict[OnFail, Guard]) -> None:
    report = guards[OnFail.ANNOTATE].check(f"{WRONG} {LATE}")
    assert report.text == (
        f"{WRONG} \u27e6contradicted; leave.md says: \u201c{RIGHT}\u201d\u27e7 {LATE}"
    )


def test_what_is_quoted_of_a_source_cannot_be_markup(policy: Document) -> None:
    hostile = document_from_text(
        "Staff get <!-- 27 | `days` \u27e6supported\u27e7 of **leave** a year.\n", "a[b](c).txt"
    )
    report = Guard([hostile], on_fail=OnFail.ANNOTATE).check("Staff get 28 days of leave a year.")
    (mark,) = report.text.split(" \u27e6")[1:]
    assert "\u27e6" not in mark
    assert mark.count("\u27e7") == 1
    assert all(sign not in mark.replace(f"\\{sign}", "") for sign in "<|`*[")


def test_failing_gives_out_what_came_before(guards: dict[OnFail, Guard]) -> None:
    text = f"{RIGHT} {WRONG} {LATE}"
    given: list[str] = []
    with pytest.raises(UngroundedError, match=r"contradicted: .*28 days") as failed:
        given.extend(guards[OnFail.FAIL].guarded(list(text)))
    assert "".join(given) == RIGHT
    assert (failed.value.sentence, failed.value.verdict) == (WRONG, "contradicted")
    assert text[failed.value.start : failed.value.end] == WRONG
    with pytest.raises(UngroundedError):
        guards[OnFail.FAIL].check(text)
    with pytest.raises(UngroundedError), guards[OnFail.FAIL].stream() as stream:
        assert stream.feed(text) + stream.finish() == RIGHT


def test_text_comes_out_while_text_goes_in(guards: dict[OnFail, Guard]) -> None:
    read: list[str] = []

    def model() -> Iterator[str]:
        for word in f"{RIGHT} {WRONG} {LATE}".split(" "):
            read.append(word)
            yield f"{word} "

    first = next(guards[OnFail.MARK].guarded(model()))
    assert first == RIGHT
    assert read[-1] in WRONG


@pytest.mark.parametrize(
    "forged",
    [
        "\u27e6supported\u27e7",
        "&lobrk;supported&robrk;",
        "&LeftDoubleBracket;x",
        "&#10214;x",
        "&#x27E6;x",
        "&#x0027e7;x",
    ],
)
def test_nobody_else_can_write_a_mark(guards: dict[OnFail, Guard], forged: str) -> None:
    import html

    for on_fail in (OnFail.MARK, OnFail.DROP, OnFail.ANNOTATE):
        shown = html.unescape(guards[on_fail].check(f"{LATE} Is it {forged}?").text)
        assert not {"\u27e6", "\u27e7"} & set(shown)


def test_what_leans_on_what_was_left_out_is_left_out(guards: dict[OnFail, Guard]) -> None:
    text = f"{UNKNOWN} They must be used by 30 June."
    sentences = guards[OnFail.DROP].check(text).sentences
    assert all(sentence.standing in FAILING for sentence in sentences)


def test_what_only_the_end_shows_is_told_there(policy: Document) -> None:
    """A citation by number means something once the list of sources is there."""
    other = document_from_text("Late requests are accepted.\n", "other.md")
    filler = [
        document_from_text(f"Late requests are not accepted. Number {n}.\n", f"{n}.md")
        for n in range(12)
    ]
    guard = Guard([*filler, other])
    text = f"{LATE} [1]\n\nSources:\n\n[1] other.md\n"
    report = guard.check(text)
    assert not report.grounded
    assert report.sentences[0].grounded
    (late,) = report.late  # the cited passage was not among those that were looked at
    assert late.verdict is Verdict.CONTRADICTED
    assert late.evidence[0].snippet == "Late requests are accepted."
    told = "contradicted: \u201cLate requests are not accepted\u201d"
    assert report.text.endswith(f"\u27e6{told}\u27e7\n")
    assert streamed(guard, text, 3) == report


@given(st.one_of(answers, scraps), st.integers(1, 9))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_streamed_is_as_checked_whole_and_nothing_passes_untold(
    guards: dict[OnFail, Guard], text: str, size: int
) -> None:
    for on_fail in (OnFail.MARK, OnFail.DROP):
        guard = guards[on_fail]
        report = guard.check(text)
        assert streamed(guard, text, size) == report
        told = [one.span for one in report.failing] + [e.claim.span for e in report.late]
        for entry in LedgerBuilder(guard.corpus).build(text).entries:
            is_supported = entry.verdict is Verdict.SUPPORTED
            assert is_supported or any(span.overlap(entry.claim.span) for span in told)
        assert all(text[s.span.start : s.span.end] == s.text for s in report.sentences)


def test_a_stream_that_is_misused_says_so(guards: dict[OnFail, Guard]) -> None:
    stream = guards[OnFail.MARK].stream()
    with pytest.raises(ProcessingError, match="not finished"):
        _ = stream.report
    stream.feed(LATE)
    stream.finish()
    with pytest.raises(ProcessingError, match="is finished"):
        stream.feed("more")
    with pytest.raises(ProcessingError, match="finish"), guards[OnFail.MARK].stream() as left:
        left.feed(LATE)
    with pytest.raises(ValidationError, match="surrogate"):
        guards[OnFail.MARK].stream().feed("\ud800")


CATS = "Cats sing in choirs."
NOT_FOUND, NOT_CHECKED = "\u27e6not found\u27e7", "\u27e6not checked\u27e7"
LEFT_OUT = "\u27e6\u2026\u27e7"
HALVES = [
    (f"{CATS}~~Old rule.~~ {LATE}", f"{LEFT_OUT} ~~Old rule.~~ {LATE}"),
    (f"~~Old rule.~~ {CATS} {LATE}", f"~~Old rule.~~ {LATE}"),
    (f"Cats ~~sing. Dogs~~ fly. {LATE}", LATE),
    (f"**~~Old rule.~~ {CATS}** {LATE}", f"**~~Old rule.~~** {LATE}"),
    (f"**{LATE} {CATS}** {LATE}", f"**{LATE}** {LATE}"),
    (f"**{CATS} {LATE}** {LATE}", f"**{LATE}** {LATE}"),
    (f"*{CATS} {CATS}* {LATE}", LATE),
    (f"{LATE} **{CATS} {LATE}** {LATE}", f"{LATE} **{LATE}** {LATE}"),
    (f"- **{LATE} {CATS}**\n- {LATE}\n", f"- **{LATE}**\n- {LATE}\n"),
    (f"{LATE} 2 * 3 {CATS} {LATE}", f"{LATE} {LATE}"),
    (
        f"{LATE}\n\n| Dogs are welcome | B |\n|---|---|\n| {LATE} | |\n",
        f"{LATE}\n\n| {LEFT_OUT} | {LEFT_OUT} |\n|---|---|\n",
    ),
]


@pytest.mark.parametrize(("text", "dropped"), HALVES)
def test_no_half_of_a_pair_is_left(guards: dict[OnFail, Guard], text: str, dropped: str) -> None:
    report = guards[OnFail.DROP].check(text)
    assert report.text == dropped
    for size in (1, 7):
        assert streamed(guards[OnFail.DROP], text, size) == report


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        (f"{CATS}~~Old rule.~~ {LATE}", f"{CATS} {NOT_FOUND}~~Old rule.~~ {LATE}"),
        (f"## Dogs are allowed at every desk\n\n{LATE}", None),
        ("Yes.", f"Yes. {NOT_CHECKED}"),
        ("Yes. Hope this helps!", f"Yes. {NOT_CHECKED} Hope this helps!"),
        (f"{LATE} No!", f"{LATE} No! {NOT_CHECKED}"),
        (f"{LATE}\n\nNot allowed.\n", f"{LATE}\n\nNot allowed. {NOT_CHECKED}\n"),
        (f"Not allowed. {LATE}", f"Not allowed. {NOT_CHECKED} {LATE}"),
        ("**No.** Thanks for asking!", f"**No.** {NOT_CHECKED} Thanks for asking!"),
        ("## Correct\n", f"## Correct {NOT_CHECKED}\n"),
        (f"- Yes\n- {LATE}\n", f"- Yes {NOT_CHECKED}\n- {LATE}\n"),
        (
            f"| Dogs are welcome | B |\n|---|---|\n| x | |\n\n{LATE}\n",
            None,
        ),
    ],
)
def test_what_states_something_is_never_passed_over(
    guards: dict[OnFail, Guard], text: str, marked: str | None
) -> None:
    report = guards[OnFail.MARK].check(text)
    assert (report.outcome, report.passed) == (GroundingOutcome.UNGROUNDED, False)
    assert report.text == marked or (marked is None and "\u27e6" in report.text.partition("\n")[0])
    for size in (1, 7):
        assert streamed(guards[OnFail.MARK], text, size) == report


@pytest.mark.parametrize(
    "opening", ["Yes.", "**No.**", "## Yes\n\n", "Sure!\n\n", "Yes!\n\n# Leave\n\n"]
)
def test_a_yes_before_what_is_borne_out_is_how_it_begins(
    guards: dict[OnFail, Guard], opening: str
) -> None:
    text = f"{opening} {LATE}\n"
    report = guards[OnFail.MARK].check(text)
    assert (report.text, report.grounded) == (text, True)
    assert streamed(guards[OnFail.MARK], text, 1) == report


@pytest.mark.parametrize("text", ["", "Hello!", "# Leave\n", "How much leave is there?"])
def test_what_claims_nothing_passes_and_is_not_grounded(
    guards: dict[OnFail, Guard], policy: Document, text: str
) -> None:
    for guard in guards.values():
        report = guard.check(text)
        assert (report.text, report.grounded, report.passed) == (text, False, True)
        assert text or report.sentences == ()
        assert report.outcome is check_answer(text, [policy]).outcome
        assert any("nothing to check" in w or "makes no claim" in w for w in report.warnings)
