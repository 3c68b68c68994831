"""Names, claims and documents that try to be more than text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.store.samples import sample_ledger, text_pair

from veridical.errors import StoreError
from veridical.store.store import Store

HOSTILE = [
    "'; DROP TABLE claims; --",
    '"; DELETE FROM documents WHERE "1"="1',
    "x' OR '1'='1",
    "\\'; TRUNCATE sessions; --",
    ":name %(name)s %s $1 ? {0}",
    "\\.\n\\N\t\\x41\r\n",  # what COPY reads as its end, as NULL and as escapes
    '{a,NULL,"b\\"}',
    "$$; DROP SCHEMA public CASCADE; $$",
]


@pytest.fixture
def bystander(store: Store) -> Store:
    """A store that already holds something, which must be left as it is."""
    store.save(sample_ledger(name="bystander"))
    store.ingest([text_pair("bystander.txt", "Ten days.")])
    return store


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_only_text(bystander: Store, text: str) -> None:
    store = bystander
    ledger = sample_ledger(2)
    entry = ledger.entries[0]
    ledger = replace(
        ledger, title=text, query=text, answer=text, warnings=(text,),
        entries=(
            replace(
                entry, notes=text, claim=replace(entry.claim, text=text, context=text),
                evidence=(replace(entry.evidence[0], snippet=text, heading_path=(text, text)),),
            ),
            ledger.entries[1],
        ),
    )  # fmt: skip
    store.save(ledger)
    assert store.load(ledger.id) == ledger
    pair = text_pair(text, f"{text}\n\nMore of {text}")
    store.ingest([pair])
    assert store.document_text(text) == pair[0].text
    assert store.resolve_citation(pair[1][0].sha256).resolved
    store.record_export(ledger.id, format=text, sha256="ab" * 32, path=text)
    assert store.exports(ledger.id)[0].path == text
    assert store.delete_document(text)
    assert store.load(sample_ledger(name="bystander").id) == sample_ledger(name="bystander")
    assert [document.filename for document in store.documents()] == ["bystander.txt"]


@pytest.mark.parametrize("name", [text for text in HOSTILE if text.isprintable()])
def test_the_name_of_a_workspace_is_only_a_name(bystander: Store, name: str) -> None:
    assert bystander.list(name) == ()
    assert bystander.documents(name) == ()
    bystander.save(sample_ledger(), name)
    bystander.ingest([text_pair("a.txt", "Twelve days.")], name)
    assert [row.ledger_id for row in bystander.list(name)] == [sample_ledger().id]
    assert [row.ledger_id for row in bystander.list()] == [sample_ledger(name="bystander").id]
    with pytest.raises(StoreError, match="There is no document"):
        bystander.document_text("bystander.txt", name)
