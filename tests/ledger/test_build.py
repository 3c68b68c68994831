"""From an answer and its sources to a ledger, with the embedded judge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.judging.word_judge import WordJudge

from veridical.errors import (
    ConfigurationError,
    ModelUnavailable,
    ProcessingError,
    ValidationError,
)
from veridical.judging.confidence import ConfidenceBand, confidence_band
from veridical.judging.judge import Case, JudgeFailure, Judgement, OperatingPoint, SupportLevel
from veridical.judging.model_judge import ModelJudge
from veridical.judging.reader_judge import ReaderJudge
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder, LedgerPolicy, build_ledger
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


def test_a_ledger_of_a_session_that_is_built_again_keeps_its_ids_though_sources_changed() -> None:
    answer = "Full-time staff are entitled to 27 days of annual leave in each leave year."
    changed = document_from_text(LEAVE.replace("27", "25"), "leave.md")
    before = LedgerBuilder(Corpus(DOCUMENTS)).build(answer, session_id=SESSION)
    after = LedgerBuilder(Corpus([changed])).build(answer, session_id=SESSION)
    assert (before.id, only(before).id) == (after.id, only(after).id)
    assert only(before).verdict != only(after).verdict


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


def test_a_ledger_in_memory_is_the_one_in_its_file_and_verifies() -> None:
    ledger = built("Staff get 28 days of leave. Late requests are not accepted. Pigs fly.")
    data = ledger_to_bytes(ledger)
    assert ledger_from_bytes(data) == ledger
    found = verify_ledger(data, DOCUMENTS)
    assert found.ok, found.to_lines()


def test_confidence_is_high_where_it_is_said_so_and_very_low_where_it_is_denied() -> None:
    claim = "Full-time staff are entitled to 27 days of annual leave in each leave year."
    said, denied = only(built(claim)), only(built(claim.replace("27", "28")))
    assert (said.verdict, denied.verdict) == (Verdict.SUPPORTED, Verdict.CONTRADICTED)
    assert confidence_band(said.confidence_score) is ConfidenceBand.HIGH
    assert confidence_band(denied.confidence_score) is ConfidenceBand.VERY_LOW


def test_sources_that_disagree_are_found() -> None:
    other = document_from_text(
        "# Leave at a glance\n\nFull-time staff are entitled to 25 days of annual leave in each "
        "leave year.\n",
        "glance.md",
    )
    claim = "Full-time staff are entitled to 27 days of annual leave in each leave year."
    ledger = built(claim, *DOCUMENTS, other)
    assert only(ledger).verdict is Verdict.CONTRADICTED
    risks = {flag.type for flag in ledger.risk_flags}
    assert {RiskType.CONTRADICTION, RiskType.CONFLICTING_SOURCES} <= risks
    assert any("authoritative" in question for question in ledger.follow_up_questions)


def test_an_older_version_does_not_contradict_the_newer_one() -> None:
    newer = replace(DOCUMENTS[0], name="leave-2026.md")
    older = document_from_text(
        LEAVE.replace("27", "25").replace("March 2026", "March 2025"), "leave-2025.md"
    )
    claim = "Full-time staff are entitled to 27 days of annual leave in each leave year."
    assert only(built(claim, newer, older)).verdict is Verdict.SUPPORTED
    stale = built(claim.replace("27", "25"), older, newer)
    assert only(stale).verdict is not Verdict.SUPPORTED or any(
        flag.type is RiskType.OUTDATED_SOURCE for flag in stale.risk_flags
    )


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


@pytest.mark.parametrize(
    "answer", ["", " \n", "# Leave\n", "How can I help you?\n", "```\nx\n```\n"]
)
def test_an_answer_without_claims(answer: str) -> None:
    ledger = built(answer)
    assert ledger.entries == ()
    assert ledger.summary.evidence_coverage is None
    assert ledger.warnings
    assert verify_ledger(ledger_to_bytes(ledger), DOCUMENTS).ok


def test_what_was_not_checked_is_told() -> None:
    ledger = built("Late requests are not accepted. I think that is fair.")
    assert [entry.verdict for entry in ledger.entries] == [Verdict.SUPPORTED]
    assert "not checked (opinion): “I think that is fair.”" in ledger.warnings


def test_without_documents_nothing_is_found() -> None:
    ledger = LedgerBuilder(Corpus([])).build("Staff get 27 days of leave.")
    assert only(ledger).verdict is Verdict.NOT_FOUND
    assert only(ledger).confidence_score == 0


def test_a_judge_that_cannot_be_reached_makes_no_ledger() -> None:
    model = ScriptedModel([ModelUnavailable("no answer in time")], repeat_last=True)
    builder = LedgerBuilder(Corpus(DOCUMENTS), judge=ModelJudge(model))
    with pytest.raises(ProcessingError, match="could judge none of"):
        builder.build("Full-time staff are entitled to 27 days of annual leave.")


class Careless:
    """A judge that keeps to nothing that judges promise, but for its first case."""

    name, point = "careless", OperatingPoint.STRICT

    def __init__(self, outcome: Judgement | None) -> None:
        self.outcome = outcome

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        first = ReaderJudge().judge(cases[:1])
        return first if self.outcome is None else first + [self.outcome] * (len(cases) - 1)


FULL = Judgement(SupportLevel.FULL, 0.99, 0.99, 0.0, False, 1.0, (0, 1))


@pytest.mark.parametrize(
    "outcome",
    [
        None,
        replace(FULL, similarity=math.nan),
        replace(FULL, deciding=(0, 99)),
        replace(FULL, probability=7.0),
    ],
)
def test_what_a_judge_gets_wrong_is_judged_by_the_embedded_one(outcome: Judgement | None) -> None:
    builder = LedgerBuilder(Corpus(DOCUMENTS), judge=Careless(outcome))
    ledger = builder.build("Pigs can fly. Salaries are paid on the last working day of each month.")
    assert [entry.verdict for entry in ledger.entries] == [Verdict.NOT_FOUND, Verdict.SUPPORTED]
    assert any("by the embedded judge instead" in warning for warning in ledger.warnings)


def test_limits() -> None:
    with pytest.raises(ValidationError, match="the limit is"):
        built("x" * 4_000_001)
    with pytest.raises(ValidationError, match="surrogate"):
        built("Staff get \ud800 days.")
    with pytest.raises(ValidationError, match="surrogate"):
        LedgerBuilder(Corpus(DOCUMENTS)).build("Staff get 27 days.", title="\udfff")
    with pytest.raises(ConfigurationError, match="most_passages"):
        LedgerPolicy(most_passages=0)


class Counting(WordJudge):
    """Notes each case that it is given."""

    def __init__(self) -> None:
        super().__init__()
        object.__setattr__(self, "seen", [])

    def judge(self, cases: Sequence[Case]) -> list[Judgement | JudgeFailure]:
        self.seen.extend(cases)
        return super().judge(cases)


def test_what_an_answer_says_again_and_again_is_judged_once() -> None:
    judge = Counting()
    ledger = LedgerBuilder(Corpus(DOCUMENTS), judge=judge).build("leave " * 20_000)
    assert len(ledger.entries) > 50
    assert len({entry.verdict for entry in ledger.entries}) == 1
    assert len(judge.seen) == len(set(judge.seen))
    assert len({(case.claim, case.context) for case in judge.seen}) <= 3


def test_what_cannot_be_judged_is_told_each_time_that_it_is_said() -> None:
    builder = LedgerBuilder(Corpus(DOCUMENTS), judge=WordJudge())
    ledger = builder.build("Is leave ??? paid.\n\n" * 3 + "Staff get leave.")
    found = [warning for warning in ledger.warnings if "it asks too much" in warning]
    assert len(found) == 1
    assert found[0].startswith("12 passages were judged by the embedded judge instead")


def test_one_call_is_enough() -> None:
    ledger = build_ledger("Late requests are not accepted.", DOCUMENTS, title="Requests")
    assert (ledger.title, only(ledger).verdict) == ("Requests", Verdict.SUPPORTED)


SAYS = "Full-time staff are entitled to 27 days of annual leave."
DENIES = "Full-time staff are not entitled to 27 days of annual leave."


def test_citations_and_copies_do_not_crowd_a_contradiction_out() -> None:
    notes = [document_from_text(f"# Note {n}\n\n{SAYS}\n", f"note{n}.md") for n in range(6)]
    copies = [document_from_text(f"# Note\n\n{SAYS}\n", f"copy{n}.md") for n in range(9)]
    policy = document_from_text(f"# Policy\n\n{DENIES}\n", "policy.md")
    listed = "\n".join(f"[{n + 1}] note{n}.md" for n in range(6))
    for answer, documents in (
        (SAYS, notes),
        (f"{SAYS} [1][2][3][4][5][6]\n\nSources:\n{listed}\n", notes),
        (SAYS, copies),
    ):
        entry = only(built(answer, *documents, policy))
        assert entry.verdict is Verdict.CONTRADICTED, entry.notes


def test_a_document_that_denies_what_it_says_contradicts() -> None:
    text = f"# Leave\n\n{DENIES}\n\n## Elsewhere\n\n{SAYS}\n"
    ledger = built(SAYS, document_from_text(text, "leave.md"))
    assert only(ledger).verdict is Verdict.CONTRADICTED
    assert RiskType.CONFLICTING_SOURCES in {flag.type for flag in ledger.risk_flags}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("leave-2026.md", "leave-2030.md"),
        ("minutes-2026-01.md", "minutes-2026-02.md"),
        ("contract-1998.md", "contract-1999.md"),
    ],
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


def test_two_documents_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"two documents are named 'leave\.md'"):
        LedgerBuilder(Corpus([DOCUMENTS[0], DOCUMENTS[0]]))


@pytest.mark.no_cover
def test_a_megabyte_of_ten_thousand_claims() -> None:
    """One claim more than are taken, so that what is left out is told."""
    sentence = (
        "Rule {:05}: full-time staff in department {:05} are entitled to 27 days of leave.\n\n"
    )
    answer = "".join(sentence.format(n, n) + " " * 20 for n in range(10_001))
    assert len(answer) >= 1_000_000
    policy = document_from_text(f"# Rules\n\n{sentence.format(7, 7)}", "rules.md")
    builder = LedgerBuilder(Corpus([policy]), judge=WordJudge())
    ledger = builder.build(answer, created_at=WHEN)
    assert ledger.summary.total_claims == len(ledger.entries) == 10_000
    supported = [e.claim.text for e in ledger.entries if e.verdict is Verdict.SUPPORTED]
    assert len(supported) == 1
    assert "00007" in supported[0]
    assert any("10,000 claims" in warning for warning in ledger.warnings)
    assert ledger_from_bytes(ledger_to_bytes(ledger)) == ledger
