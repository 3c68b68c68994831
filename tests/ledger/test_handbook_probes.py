"""No false claim over a handbook is supported, and most true ones are, at the default point."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.ledger.handbook_probes import HANDBOOKS, Probes

from veridical import Document, load_documents
from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import LedgerEntry
from veridical.retrieval.corpus import Corpus

pytestmark = pytest.mark.no_cover  # hundreds of claims: what they run is covered elsewhere

POLICIES = Path(__file__).parents[2] / "examples" / "policies"
MOMENT = datetime(2026, 6, 1, tzinfo=UTC)
LEAST_SUPPORTED = 0.80
"""Share of the true claims that must be `supported`, and not only spared."""


def documents(probes: Probes) -> list[Document]:
    if probes.text is None:
        return list(load_documents([POLICIES]).documents)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{probes.name}.md"
        path.write_text(probes.text, encoding="utf-8")
        return list(load_documents([path]).documents)


@cache
def entries(probes: Probes) -> Mapping[str, LedgerEntry]:
    """What the ledger of an answer that makes all the claims says of each."""
    claims = (*probes.false, *probes.true)
    answer = "\n\n".join(f"{claim}." for claim in claims)
    ledger = LedgerBuilder(Corpus(documents(probes))).build(answer, created_at=MOMENT)
    found = {entry.claim.statement.rstrip("."): entry for entry in ledger.entries}
    assert found.keys() == set(claims)
    return found


def told(probes: Probes, claim: str) -> str:
    entry = entries(probes)[claim]
    shown = entry.evidence[0].snippet if entry.evidence else ""
    return f"{entry.verdict}: {claim!r} ({entry.notes}) by {shown!r}"


@pytest.mark.parametrize("probes", HANDBOOKS, ids=lambda probes: probes.name)
def test_no_false_claim_is_supported(probes: Probes) -> None:
    passed = [
        told(probes, claim)
        for claim in probes.false
        if entries(probes)[claim].verdict is Verdict.SUPPORTED
    ]
    assert not passed, "\n".join(passed)


@pytest.mark.parametrize("probes", HANDBOOKS, ids=lambda probes: probes.name)
def test_no_true_claim_is_contradicted(probes: Probes) -> None:
    accused = [
        told(probes, claim)
        for claim in probes.true
        if entries(probes)[claim].verdict is Verdict.CONTRADICTED
    ]
    assert not accused, "\n".join(accused)


def test_most_true_claims_are_supported() -> None:
    verdicts = [
        (probes, claim, entries(probes)[claim].verdict)
        for probes in HANDBOOKS
        for claim in probes.true
    ]
    spared = [told(probes, claim) for probes, claim, v in verdicts if v is not Verdict.SUPPORTED]
    assert 1 - len(spared) / len(verdicts) >= LEAST_SUPPORTED, "\n".join(spared)
