"""What `veridical serve --demo` shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from veridical.judging.verdict import Verdict
from veridical.ledger.review import Decision
from veridical.service import demo
from veridical.store.inquiries import InquiryState, Mode
from veridical.store.records import RecordKind, RecordState
from veridical.store.store import Shelf, Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("demo") / "demo.db") as store:
        demo.load(store, "default")
        yield store


@pytest.fixture
def shelf(store: Store) -> Shelf:
    return store.shelf("default")


def everything(shelf: Shelf) -> list[object]:
    return [
        *shelf.documents.page().items,
        *shelf.inquiries.page().items,
        *(item for kind in RecordKind for item in shelf.records.page(kind).items),
        *shelf.jobs.page(limit=200).items,
        *(r for i in shelf.inquiries.page().items for r in shelf.reviews.of_session(i.id)),
    ]


def test_a_document_has_two_versions_and_one_is_a_pdf(shelf: Shelf) -> None:
    documents = {shown.filename: shown for shown in shelf.documents.page().items}
    assert documents["pto-policy.md"].ready is not None
    assert documents["pto-policy.md"].ready.version == 2
    assert any(shown.ready and shown.ready.format == "pdf" for shown in documents.values())
    for shown in documents.values():
        assert shown.latest is not None
        assert shelf.documents.upload_content(shown.latest.id)


def test_the_checked_answer_shows_every_verdict_risks_and_an_overruling(shelf: Shelf) -> None:
    checked = [i for i in shelf.inquiries.page().items if i.mode is Mode.VERIFY]
    (inquiry,) = checked
    assert inquiry.state is InquiryState.READY
    assert inquiry.summary is not None
    assert all(inquiry.summary.by_verdict[verdict] for verdict in Verdict)
    assert inquiry.risks
    (review,) = shelf.reviews.of_session(inquiry.id)
    assert review.decision is Decision.OVERRULE
    assert review.verdict is not review.machine_verdict


def test_a_question_was_answered(shelf: Shelf) -> None:
    (asked,) = [i for i in shelf.inquiries.page().items if i.mode is Mode.ANSWER]
    assert asked.state is InquiryState.READY
    whole = shelf.inquiries.get(asked.id)
    assert whole is not None
    assert "5" in whole.answer


def test_there_is_a_record_of_each_kind_and_runs_to_compare(shelf: Shelf) -> None:
    kinds = {kind: shelf.records.page(kind).items for kind in RecordKind}
    assert all(record.state is RecordState.READY for rows in kinds.values() for record in rows)
    assert {kind: len(rows) for kind, rows in kinds.items()} == {
        RecordKind.VALIDATION: 1,
        RecordKind.SPEECH: 2,
        RecordKind.SCORECARD: 1,
        RecordKind.EVALUATION: 2,
    }


def test_nothing_is_left_to_do(store: Store) -> None:
    assert not store.job_board.open_jobs()


def test_again_changes_nothing(store: Store, shelf: Shelf) -> None:
    before = everything(shelf)
    demo.load(store, "default")
    assert everything(shelf) == before


def test_all_of_it_is_in_the_package() -> None:
    folder = Path(demo.__file__).parent / "demo_data"
    assert {file for _, file, _ in demo._DOCUMENTS} <= {path.name for path in folder.iterdir()}
