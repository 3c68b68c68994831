"""Sessions and claims by their address; what is not there is a page that says so."""

from __future__ import annotations

from fastapi import Request

from veridical.service.context import service_of
from veridical.service.entry.access import Access
from veridical.service.errors import NotFoundError
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.store.inquiries import Inquiry


def inquiry_of(access: Access, session_id: str) -> Inquiry:
    """The inquiry of an address. Raises NotFoundError where there is none."""
    inquiry = access.shelf.inquiries.get(session_id)
    if inquiry is None:
        raise NotFoundError("There is no such session. It may have been deleted.")
    return inquiry


def view_of(request: Request, access: Access, session_id: str) -> LedgerView:
    """The ledger of an address. Raises NotFoundError where there is none (yet)."""
    view = service_of(request).ledgers.find(access.shelf, session_id)
    if view is None:
        inquiry_of(access, session_id)
        raise NotFoundError("This session has no ledger yet.")
    return view


def claim_of(request: Request, access: Access, session_id: str, number: int) -> LedgerView:
    """The ledger that has a claim of this number. Raises NotFoundError where none has."""
    view = view_of(request, access, session_id)
    if not 1 <= number <= len(view.ledger.entries):
        raise NotFoundError(f"There is no claim {number} in this session.")
    return view
