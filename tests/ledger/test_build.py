"""From an answer and its sources to a ledger, with the embedded judge."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest
from tests.judging.word_judge import WordJudge

from veridical.errors import (
    ConfigurationError,
    ModelUnavailable,
    ProcessingError,
    ValidationError,
)
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint, SupportLevel
from veridical.judging.model_judge import ModelJudge
from veridical.judging.reader_judge import ReaderJudge
from veridical.judging.verdict import Verdict
from veridical.ledger import build
from veridical.ledger.build import LedgerBuilder, LedgerPolicy
from veridical.ledger.entry import EvidenceLedger, LedgerEntry, RiskType
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_from_bytes, ledger_to_bytes
from veridical.models.scripted import ScriptedModel
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document
from veridical.sources.loader import document_from_text, load_documents
from veridical.store.store import Store

EXAMPLES = Path(__file__).parents[2] / "examples"
WHEN = datetime(2026, 6, 1, 12, 30, tzinfo=UTC)

LEAVE = """# Leave Policy

Effective 1 March 2026.

## 1 Annual leave

Full-time staff are entitled to 27 days of annual leave in each leave year.

## 2 Carrying over

Up to five days may be carried over into the next leave year. Late requests are not accepted.
"""
PAY = """# Pay

Salaries are paid on the last working day of each month.
"""
DOCUMENTS = [document_from_text(LEAVE, "leave.md"), document_from_text(PAY, "pay.md")]


def built(answer: str, *documents: Document, query: str = "") -> EvidenceLedger:
    return LedgerBuilder(Corpus(documents or DOCUMENTS)).build(answer, query=query, created_at=WHEN)


def only(ledger: EvidenceLedger) -> LedgerEntry:
    (entry,) = ledger.entries
    return entry


def test_every_entry_rests_on_verbatim_words_of_answer_and_source() -> None:
    documents = load_documents([EXAMPLES / "sources"]).documents
    by_name = {document.name: document for document in documents}
    answer = (EXAMPLES / "answers" / "annual-leave.md").read_text("utf-8")
    ledger = built(answer, *documents)
    names = {source.id: source.filename for source in ledger.sources}
    assert len(ledger.entries) >= 6
    for entry in ledger.entries:
        assert answer[entry.claim.span.start : entry.claim.span.end] == entry.claim.text
        for piece in (*entry.evidence, *entry.near):
            document = by_name[names[piece.source_id]]
            span = piece.snippet_span
            assert document.text[span.start : span.end] == piece.source_text
            assert document.shown(span) == piece.snippet
            assert piece.chunk_span.start <= span.start <= span.end <= piece.chunk_span.end
            assert piece.chunk_sha256.startswith(piece.anchor)


def test_the_same_work_has_the_same_ids_and_other_work_has_not() -> None:
    answer = "Staff get 27 days of annual leave."
    first = built(answer)
    later = LedgerBuilder(Corpus(DOCUMENTS)).build(answer)
    assert first.id == later.id
    assert [entry.id for entry in first.entries] == [entry.id for entry in later.entries]
    others = [
        built(answer, query="How much?"),
        built(answer + " "),
        built(answer, DOCUMENTS[0]),
        LedgerBuilder(Corpus(DOCUMENTS), workspace="other").build(answer),
    ]
    assert len({first.session_id, *(other.session_id for other in others)}) == 5


SESSION = "5F0C2C1E-6c1f-4d7e-9a7b-0123456789ab"


def test_a_session_that_has_an_id_keeps_it_and_all_others_follow_from_it(tmp_path: Path) -> None:
    answer = "Staff get 27 days of annual leave. Pigs fly."
    builder = LedgerBuilder(Corpus(DOCUMENTS))
    made = builder.build(answer, created_at=WHEN)
    given = builder.build(answer, created_at=WHEN, session_id=SESSION)
    assert given.session_id == SESSION.lower()
    assert builder.build(answer, session_id=SESSION.lower()).id == given.id
    assert {given.id, *ids_of(given)}.isdisjoint({made.id, *ids_of(made)})
    assert builder.build(answer, created_at=WHEN, session_id=made.session_id) == made
    assert verify_ledger(ledger_to_bytes(given), DOCUMENTS).ok
    with Store.open(tmp_path / "ledgers.db") as store:
        store.save(given)
        record = store.load_record(SESSION)
    assert record.ledger == given
    assert record.is_as_saved


def ids_of(ledger: EvidenceLedger) -> list[str]:
    entries = [each for entry in ledger.entries for each in (entry.id, entry.claim.id)]
    return [ledger.session_id, *entries, *(flag.id for flag in ledger.risk_flags)]


@pytest.mark.parametrize(
    "given",
    ["", "session", SESSION.replace("-", ""), f"urn:uuid:{SESSION}", f"{{{SESSION}}}",
     f"{SESSION} ", f"{SESSION}\n", SESSION[:-1], SESSION.replace("5F", "5G"), "\0" * 1_000_000],
)  # fmt: skip
def test_what_is_no_uuid_is_no_session_id(given: str) -> None:
    with pytest.raises(ValidationError, match="session id must be a UUID") as raised:
        LedgerBuilder(Corpus(DOCUMENTS)).build("Pigs fly.", session_id=given)
    assert len(str(raised.value)) < 500


def test_citations_are_looked_at_first_and_checked() -> None:
    corpus = Corpus(DOCUMENTS)
    pay = corpus.of_document("pay.md")[-1]
    carrying = next(c for c in corpus.chunks if "carried over" in c.text)
    claim = "Up to five days may be carried over into the next leave year"
    right = only(built(f"{claim} [cite:{corpus.anchor(carrying)}]."))
    assert (right.verdict, right.evidence[0].cited) == (Verdict.SUPPORTED, True)
    assert [check.problem for check in right.citations] == [""]
    wrong = only(built(f"{claim} [cite:{corpus.anchor(pay)}]."))
    assert wrong.verdict is Verdict.SUPPORTED
    assert "does not bear the claim out" in wrong.citations[0].problem
    gone = only(built(f"{claim} [cite:deadbeef]."))
    assert gone.citations[0].problem == "Citation references deleted or unavailable chunk"
    listed = only(built(f"{claim} [1].\n\nSources:\n[1] leave.md\n"))
    assert [check.problem for check in listed.citations] == [""]
    assert listed.evidence[0].cited


@pytest.mark.parametrize("answer", ["", "# Leave\n", "How can I help you?\n"])
def test_an_answer_without_claims(answer: str) -> None:
    ledger = built(answer)
    assert ledger.entries == ()
    assert ledger.summary.evidence_coverage is None
    assert ledger.warnings
    assert verify_ledger(ledger_to_bytes(ledger), DOCUMENTS).ok


def test_a_ledger_in_memory_is_the_one_in_its_file_and_verifies() -> None:
    ledger = built("Staff get 28 days of leave. Late requests are not accepted. Pigs fly.")
    data = ledger_to_bytes(ledger)
    assert ledger_from_bytes(data) == ledger
    found = verify_ledger(data, DOCUMENTS)
    assert found.ok, found.to_lines()
    nothing = only(LedgerBuilder(Corpus([])).build("Staff get 27 days of leave."))
    assert (nothing.verdict, nothing.confidence_score) == (Verdict.NOT_FOUND, 0)


def test_a_judge_that_cannot_be_reached_makes_no_ledger() -> None:
    model = ScriptedModel([ModelUnavailable("no answer in time")], repeat_last=True)
    builder = LedgerBuilder(Corpus(DOCUMENTS), judge=ModelJudge(model))
    with pytest.raises(ProcessingError, match="could judge none of"):
        builder.build("Full-time staff are entitled to 27 days of annual leave.")


@dataclass(frozen=True)
class Says:
    """A judge that says of its cases what a function does."""

    of: Callable[[Sequence[Case]], list[Judgement | JudgeFailure]]
    name: str = "said"
    point: OperatingPoint = OperatingPoint.STRICT

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        return self.of(cases)


FULL = Judgement(SupportLevel.FULL, 0.99, 0.99, 0.0, False, 1.0, (0, 1))
NOTHING = Judgement(SupportLevel.NONE, 0.0, 0.0, 0.0, False, 0.5, None)


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        JudgeFailure("no answer in time"),
        replace(FULL, similarity=math.nan),
        replace(FULL, deciding=(0, 99)),
        replace(FULL, probability=7.0),
    ],
)
def test_what_a_judge_gets_wrong_is_judged_by_the_embedded_one(
    outcome: Judgement | JudgeFailure | None,
) -> None:
    def careless(cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        first = ReaderJudge().judge(cases[:1])
        return first if outcome is None else first + [outcome] * (len(cases) - 1)

    builder = LedgerBuilder(Corpus(DOCUMENTS), judge=Says(careless))
    ledger = builder.build("Pigs can fly. Salaries are paid on the last working day of each month.")
    assert [entry.verdict for entry in ledger.entries] == [Verdict.NOT_FOUND, Verdict.SUPPORTED]
    assert any("by the embedded judge instead" in warning for warning in ledger.warnings)


def test_only_what_was_not_judged_is_taken_from_the_embedded_judge() -> None:
    def fails_on_pay(cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        said = [" ".join(case.sentences) for case in cases]
        return [JudgeFailure("no answer") if "Salaries" in words else NOTHING for words in said]

    builder = LedgerBuilder(Corpus(DOCUMENTS), judge=Says(fails_on_pay))
    true = ["Late requests are not accepted.", "Salaries are paid on the last working day."]
    found = [entry.verdict for entry in builder.judged(true)]
    assert found == [Verdict.NOT_FOUND, Verdict.SUPPORTED]


def test_a_judge_that_gives_too_many_judgements_has_judged_none() -> None:
    judge = Says(lambda cases: [NOTHING] * (len(cases) + 1))
    with pytest.raises(ProcessingError, match="gave more judgements"):
        LedgerBuilder(Corpus(DOCUMENTS), judge=judge).judged(["Salaries are paid."])


RULES = document_from_text(
    "Dogs stay outside. Cats may come in. Birds must be kept quiet.\n", "r.md"
)


def test_the_nearest_words_are_those_that_the_judge_looked_at_and_no_evidence() -> None:
    looked = Judgement(SupportLevel.NONE, 0.1, 0.1, 0.1, False, 0.5, (1, 2), "It says nothing.")
    builder = LedgerBuilder(Corpus([RULES]), judge=Says(lambda cases: [looked for _ in cases]))
    (entry,) = builder.judged(["Cats and birds are fed."])
    assert (entry.verdict, entry.evidence) == (Verdict.NOT_FOUND, ())
    assert [piece.snippet for piece in entry.near] == ["Cats may come in."]
    assert entry.notes == "It says nothing."


def test_the_reason_of_the_embedded_judge_reaches_the_ledger() -> None:
    german = "Hunde und Katzen dürfen nicht in das Büro und müssen draußen bleiben."
    said = [german, "Rooms on Mars are painted blue by robots."]
    foreign, unrelated = LedgerBuilder(Corpus([RULES])).judged(said)
    assert {foreign.verdict, unrelated.verdict} == {Verdict.NOT_FOUND}
    assert "English" in foreign.notes
    assert unrelated.notes == "Evidence does not adequately support claim"


def test_limits() -> None:
    with pytest.raises(ValidationError, match="the limit is"):
        built("x" * 4_000_001)
    with pytest.raises(ValidationError, match="surrogate"):
        built("Staff get \ud800 days.")
    with pytest.raises(ValidationError, match="surrogate"):
        LedgerBuilder(Corpus(DOCUMENTS)).build("Staff get 27 days.", title="\udfff")
    with pytest.raises(ConfigurationError, match="most_passages"):
        LedgerPolicy(most_passages=0)


def test_how_many_claims_there_are_is_told_before_the_first_is_judged() -> None:
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> NoReturn:
        told.append((done, total))
        raise ValidationError("too many")

    judge = Says(lambda _: pytest.fail("a claim was judged"))
    with pytest.raises(ValidationError, match="too many"):
        LedgerBuilder(Corpus(DOCUMENTS), judge=judge).build(
            "Salaries are late. Dogs stay outside.", progress=stop
        )
    assert told == [(0, 2)]


def test_what_an_answer_says_again_and_again_is_judged_once() -> None:
    seen: list[Case] = []

    def counted(cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        seen.extend(cases)
        return WordJudge().judge(cases)

    ledger = LedgerBuilder(Corpus(DOCUMENTS), judge=Says(counted)).build("leave " * 20_000)
    assert len(ledger.entries) > 50
    assert len({entry.verdict for entry in ledger.entries}) == 1
    assert len(seen) == len(set(seen))
    assert len({(case.claim, case.context) for case in seen}) <= 3


SAYS = "Full-time staff are entitled to 27 days of annual leave."
DENIES = "Full-time staff are not entitled to 27 days of annual leave."


def test_citations_and_copies_do_not_crowd_a_contradiction_out() -> None:
    notes = [document_from_text(f"# Note {n}\n\n{SAYS}\n", f"note{n}.md") for n in range(6)]
    copies = [document_from_text(f"# Note\n\n{SAYS}\n", f"copy{n}.md") for n in range(9)]
    policy = document_from_text(f"# Policy\n\n{DENIES}\n", "policy.md")
    listed = "\n".join(f"[{n + 1}] note{n}.md" for n in range(6))
    for answer, documents in (
        (f"{SAYS} [1][2][3][4][5][6]\n\nSources:\n{listed}\n", notes),
        (SAYS, copies),
    ):
        entry = only(built(answer, *documents, policy))
        assert entry.verdict is Verdict.CONTRADICTED, entry.notes


def test_sources_that_disagree_contradict_also_one_with_itself() -> None:
    text = f"# Leave\n\n{DENIES}\n\n## Elsewhere\n\n{SAYS}\n"
    ledger = built(SAYS, document_from_text(text, "leave.md"))
    assert only(ledger).verdict is Verdict.CONTRADICTED
    assert RiskType.CONFLICTING_SOURCES in {flag.type for flag in ledger.risk_flags}
    claim = f"{SAYS[:-1]} in each leave year."
    other = document_from_text(f"# Leave at a glance\n\n{claim.replace('27', '25')}\n", "g.md")
    ledger = built(claim, *DOCUMENTS, other)
    assert only(ledger).verdict is Verdict.CONTRADICTED
    assert any("authoritative" in question for question in ledger.follow_up_questions)


@pytest.mark.parametrize(
    ("one", "other"),
    [("leave-2026.md", "leave-2030.md"), ("minutes-2026-01.md", "minutes-2026-02.md")],
)
def test_a_file_name_alone_settles_no_contradiction(one: str, other: str) -> None:
    older = document_from_text(f"# Leave\n\n{DENIES}\n", one)
    newer = document_from_text(f"# Leave\n\n{SAYS}\n", other)
    assert only(built(SAYS, older, newer)).verdict is Verdict.CONTRADICTED


def test_citations_that_were_not_looked_at_are_not_called_false() -> None:
    documents = [
        document_from_text(f"# Note {n}\n\nIn note {n} it is said: {SAYS}\n", f"note{n}.md")
        for n in range(20)
    ]
    listed = "\n".join(f"[{n + 1}] note{n}.md" for n in range(20))
    markers = "".join(f"[{n + 1}]" for n in range(20))
    entry = only(built(f"{SAYS} {markers}\n\nSources:\n{listed}\n", *documents))
    problems = [check.problem for check in entry.citations]
    assert "the cited passage does not bear the claim out" not in problems
    assert "the cited passage was not checked" in problems
    assert problems[:8] == [""] * 8


def test_entries_are_told_in_whole_batches_before_the_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(build, "_WATCHED_CLAIMS", 2)
    told: list[int] = []
    ledger = LedgerBuilder(Corpus(DOCUMENTS)).build(
        f"{SAYS} {SAYS} {SAYS}",
        on_entries=lambda entries: told.append(len(entries)),
        progress=lambda done, _: told.append(-done),
    )
    assert told == [0, 2, -2, 1, -3]
    assert len(ledger.entries) == 3


@pytest.mark.parametrize(
    ("answer", "title"),
    [(f"# Annual leave\n\n{SAYS}", "Annual leave"), (f"**{SAYS}**", SAYS), ("", "Evidence Ledger")],
)
def test_a_ledger_without_title_and_question_is_called_as_its_answer_begins(
    answer: str, title: str
) -> None:
    assert built(answer, *DOCUMENTS).title == title
