"""A session as its page shows it: what a template is given, and what is kept of it in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from fastapi import Request
from markupsafe import Markup

from veridical.ledger.entry import Severity
from veridical.ledger.export import wording
from veridical.ledger.export.wording import stretches
from veridical.ledger.review import MOST_REASON_CHARS
from veridical.service.entry.access import Access
from veridical.service.inquiring.ledger_view import LedgerView, newer_versions, standing_counts
from veridical.service.pages.ask import unwrapped
from veridical.service.pages.claim_rows import (
    DECISION_WORDS,
    MOST_ROWS,
    Asked,
    Decided,
    Order,
    Row,
    before_of,
    claim_parts,
    document_link,
    earlier_view,
    in_order,
    newer_of_claim,
    related_to,
    rows_of,
    source_rows,
)
from veridical.service.pages.rendering import environment, rendered

MOST_WHOLE = 40
"""Claims up to which a page carries them in full from the start: to be opened at once, and printed.
Those of a longer ledger are fetched when they are opened."""

MOST_EXPANDED = 500
"""Claims that are shown in full at most on one page."""

EXPORTS = (("pdf", "PDF"), ("markdown", "Markdown"), ("html", "Web page"), ("json", "JSON"))
"""Formats of an export, and their names in the menu."""

_COLUMNS = (
    ("number", "#", "n"),
    ("claim", "Claim", "c"),
    ("type", "Type", "t"),
    ("worst", "Verdict", "v"),
    ("source", "Source", "s"),
)
_ORDERS = {
    Order.WORST: "the worst verdicts first",
    Order.NUMBER: "as in the answer",
    Order.CLAIM: "by their words",
    Order.TYPE: "by type",
    Order.SOURCE: "by source",
}
_MOST_NUMBERS = 20
"""Claims that a risk names; the others are counted."""

_SEVERITIES = list(Severity)
_MOST_KEPT = 8

CLAIM_WORDS = {
    "type_words": wording.TYPE_WORDS,
    "importance_words": wording.IMPORTANCE_WORDS,
    "most_reason_chars": MOST_REASON_CHARS,
    "decision_words": DECISION_WORDS,
    "unwrapped": unwrapped,
}
"""What the templates of a claim need beside its parts."""


@dataclass(frozen=True, slots=True)
class _Kept:
    rows: tuple[Row, ...]
    cells: tuple[Markup, ...]
    answer: Markup


@lru_cache(maxsize=_MOST_KEPT)
def _kept(view: LedgerView, earlier: LedgerView | None) -> _Kept:
    """The rows of a ledger, their cells and its answer, which are the same for whoever looks: the
    same views are the same state of it and of the earlier check.
    """
    row_template = environment().get_template("_row.html")
    rows = rows_of(view, before_of(view, earlier))
    answer = (
        environment()
        .get_template("_answer.html")
        .render(
            pieces=stretches(view.ledger),
            rows=rows,
            words=wording.VERDICT_WORDS,
        )
    )
    cells = (
        row_template.render(row=row, session_id=view.inquiry.id, **CLAIM_WORDS) for row in rows
    )
    return _Kept(rows, tuple(map(Markup, cells)), Markup(answer))  # noqa: S704  # they escape


def session_context(
    request: Request, access: Access, view: LedgerView, asked: Asked, *, expanded: bool
) -> dict[str, Any]:
    """What the page of a session with a ledger is made of."""
    ledger, inquiry = view.ledger, view.inquiry
    kept = _kept(view, earlier_view(request, access, view))
    shown = {row.number for row in kept.rows if asked.fits(row)}
    newer = newer_versions(access.shelf, ledger, view.versions, view.versions)
    rows, earlier, later = _on_this_page(in_order(kept.rows, asked.order), shown, asked)
    sources = source_rows(view, newer)
    details = inquiry.details or {}
    counts = standing_counts(view)
    return {
        "view": view,
        "inquiry": inquiry,
        "ledger": ledger,
        "title": inquiry.title.strip() or wording.heading(ledger),
        "judged_by": wording.judged_by(ledger),
        "standing_counts": counts,
        "covered": wording.covered(ledger.summary.by_verdict),
        "after_review": wording.share_after(ledger, counts),
        "related": related_to(access, inquiry),
        "changed": sum(row.before is not None and row.before.differs for row in kept.rows),
        "done": sum(1 for row in kept.rows if row.review is not None),
        "formats": EXPORTS,
        "answer": kept.answer,
        "asked": asked,
        "open_ones": Decided.OPEN,
        "shown_count": len(shown),
        "columns": _COLUMNS,
        "orders": {order.value: order for order in Order},
        "order_words": _ORDERS[asked.order],
        "can_expand": len(kept.rows) <= MOST_EXPANDED,
        "is_long": len(kept.rows) > MOST_WHOLE,
        "is_whole": len(kept.rows) <= MOST_ROWS,
        "body": _body(request, access, view, kept, rows, shown, newer, expanded=expanded),
        "earlier": earlier,
        "later": later,
        "relied": [row for row in sources if row.seen],
        "others": [row for row in sources if not row.seen],
        "stale": [row for row in sources if row.newer_link],
        "refusal": details.get("refusal"),
        "missing": (details.get("refusal") or {}).get("missing", []),
        "nearest": _nearest(details, view),
        "disagreement": details.get("disagreement", ""),
        "notes": details.get("notes", []),
        "risks": sorted(ledger.risk_flags, key=lambda flag: _SEVERITIES.index(flag.severity)),
        "risk_words": wording.RISK_WORDS,
        "severity_words": wording.SEVERITY_WORDS,
        "most_numbers": _MOST_NUMBERS,
        "affected": lambda flag: wording.affected(
            flag.affected_claim_ids, wording.numbers_by_claim(ledger)
        ),
    }


def _nearest(details: dict[str, Any], view: LedgerView) -> list[dict[str, Any]]:
    """What came nearest to an answer that was refused, with the address of its place."""
    ids = {source.filename: source.id for source in view.ledger.sources}
    return [
        {**one, "link": document_link(ids[one["doc_id"]], None, start=one["start"], end=one["end"])}
        for one in details.get("nearest", [])
        if one["doc_id"] in ids
    ]


def _on_this_page(rows: list[Row], shown: set[int], asked: Asked) -> tuple[list[Row], str, str]:
    """The rows of this page, and the addresses of those before and after it, "" for none.

    All rows are there where they fit on one page, those that are not shown too, so that a script
    can filter without asking again.
    """
    if len(rows) <= MOST_ROWS:
        return rows, "", ""
    fitting = [row for row in rows if row.number in shown]
    at = min(asked.first, max(1, len(fitting))) - 1
    earlier = asked.query(first=max(1, at + 1 - MOST_ROWS)) if at else ""
    later = asked.query(first=at + 1 + MOST_ROWS) if at + MOST_ROWS < len(fitting) else ""
    return fitting[at : at + MOST_ROWS], earlier, later


def _body(
    request: Request,
    access: Access,
    view: LedgerView,
    kept: _Kept,
    rows: list[Row],
    shown: set[int],
    newer: dict[str, int],
    *,
    expanded: bool,
) -> Markup:
    """The rows, each a table body of its own, so that a claim can be changed in place."""
    whole = MOST_EXPANDED if expanded else MOST_WHOLE
    if len(rows) <= whole:
        return Markup("\n").join(
            _claim_body(
                request, access, view, kept, row.number, newer,
                is_open=expanded, is_hidden=row.number not in shown,
            )
            for row in rows
        )  # fmt: skip
    # Numbers, words of ours, and cells that their template escaped.
    return Markup(  # noqa: S704
        "\n".join(
            f'<tbody id="claim-{row.number}" class="claim" role="rowgroup" data-n="{row.number}" '
            f'data-v="{row.verdict.value}"{" data-done" if row.review else ""}'
            f"{'' if row.number in shown else ' hidden'}>{kept.cells[row.number - 1]}</tbody>"
            for row in rows
        )
    )


def fresh_body(
    request: Request, access: Access, view: LedgerView, number: int, **more: Any
) -> Markup:
    """The row of one claim alone, as a table body that is open."""
    kept = _kept(view, earlier_view(request, access, view))
    newer = newer_of_claim(access.shelf, view, number)
    return _claim_body(request, access, view, kept, number, newer, **more)


def _claim_body(
    request: Request,
    access: Access,
    view: LedgerView,
    kept: _Kept,
    number: int,
    newer: dict[str, int],
    *,
    is_open: bool = True,
    is_hidden: bool = False,
    problem: str = "",
    given: dict[str, str] | None = None,
) -> Markup:
    """The row of a claim with all that is told of it, as a table body."""
    row = kept.rows[number - 1]
    return rendered(
        request, "_claim_body.html", access=access, row=row, cells=kept.cells[number - 1],
        parts=claim_parts(view, number, newer, row.before), is_open=is_open,
        is_hidden=is_hidden, problem=problem, given=given, **CLAIM_WORDS,
    )  # fmt: skip
