"""Pages: the first page, and help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from veridical.answering.question.limits import MAX_QUESTION_CHARS
from veridical.judging.verdict import Verdict
from veridical.ledger.export import wording
from veridical.service.context import Service, service_of
from veridical.service.entry.access import Access, Reader
from veridical.service.inquiring.ledger_view import standing_counts
from veridical.service.pages.rendering import render
from veridical.store.inquiries import Inquiry, Mode
from veridical.store.store import Shelf

# Sessions in a list: what each is called, and how many of its claims have which verdict.


@dataclass(frozen=True, slots=True)
class ListedSession:
    """`counts` are of the verdicts that stand; `is_by_review` says that they are not all the
    machine's.
    """

    inquiry: Inquiry
    counts: Mapping[Verdict, int]
    is_by_review: bool


def listed(service: Service, shelf: Shelf, items: Sequence[Inquiry]) -> list[ListedSession]:
    """Sessions of one page of a list. Only ledgers that somebody reviewed are looked at."""
    reviewed = shelf.reviews.reviewed([item.id for item in items if item.summary])
    return [_listed(service, shelf, item, item.id in reviewed) for item in items]


def _listed(service: Service, shelf: Shelf, item: Inquiry, is_reviewed: bool) -> ListedSession:
    machine: Mapping[Verdict, int] = item.summary.by_verdict if item.summary else {}
    view = service.ledgers.find(shelf, item.id) if is_reviewed else None
    if view is None:
        return ListedSession(item, machine, is_by_review=False)
    counts = standing_counts(view)
    return ListedSession(item, counts, is_by_review=counts != view.ledger.summary.by_verdict)


router = APIRouter(include_in_schema=False)

_RECENT = 6
_BANDS = (0.9, 0.75, 0.6, 0.4, 0.1)
"""A confidence of each band, for the help page."""


@router.get("/")
def first_page(request: Request, access: Reader, query: str = "", mode: str = "") -> Response:
    """One box to ask or to have an answer checked; what there is, and what was asked before.

    `query` and `mode` fill the box in: links to a question to ask next have them.
    """
    wanted = Mode.VERIFY if mode == Mode.VERIFY.value else Mode.ANSWER
    return home_page(request, access, mode=wanted, query=query[:MAX_QUESTION_CHARS])


def home_page(
    request: Request, access: Access, *, mode: Mode = Mode.ANSWER, query: str = "",
    answer: str = "", problem: str = "", status: int = 200,
) -> Response:  # fmt: skip
    """The first page with what was typed, and what is wrong with it."""
    return render(
        request, "home.html", access=access, status=status, mode=mode.value, query=query,
        answer=answer, problem=problem, most_question_chars=MAX_QUESTION_CHARS,
        documents=len(access.shelf.documents.state()),
        recent=listed(
            service_of(request), access.shelf, access.shelf.inquiries.page(limit=_RECENT).items
        ),
        under_way=len(access.shelf.jobs.page(limit=50, active_only=True).items),
    )  # fmt: skip


@router.get("/help")
def help_page(request: Request, access: Reader) -> Response:
    """Keys, and what signs and words mean."""
    return render(
        request, "help.html", access=access, bands=_BANDS, worst_first=wording.WORST_FIRST
    )
