"""Sessions that are asked for: what must hold before one is kept and worked on."""

from __future__ import annotations

from veridical.answering.question.limits import MAX_QUESTION_CHARS
from veridical.errors import ValidationError
from veridical.ledger.limits import MAX_ANSWER_CHARS
from veridical.service.context import Service
from veridical.service.entry.access import Access
from veridical.store.inquiries import Inquiry, Mode

MOST_TITLE_CHARS = 200
MOST_QUERY_CHARS = 10_000
"""Of what is kept beside an answer to be checked; a question to be answered has its own limit."""

__all__ = ["MAX_ANSWER_CHARS", "MAX_QUESTION_CHARS", "MOST_QUERY_CHARS", "MOST_TITLE_CHARS",
           "new_inquiry"]  # fmt: skip


def new_inquiry(
    service: Service,
    access: Access,
    mode: Mode,
    query: str,
    *,
    answer: str | None = None,
    title: str = "",
    earlier: str | None = None,
) -> Inquiry:
    """Keep a question, or an answer to be checked, and have it worked on. `earlier` is the session
    that it checks again.

    Raises ValidationError for a question without words, an answer where none belongs or none where
    one does, and for what is too long.
    """
    _check_length("title", title, MOST_TITLE_CHARS)
    if mode is Mode.ANSWER:
        if answer is not None:
            raise ValidationError("answer: only a session of the mode “verify” has one to check")
        # Not at the top: it loads the words of questions, and the service is to start first.
        from veridical.answering.question.asked import read_question

        query = read_question(query).text
    else:
        _check_length("query", query, MOST_QUERY_CHARS)
        _check_length("answer", answer or "", MAX_ANSWER_CHARS)
        if not (answer or "").strip():
            raise ValidationError("answer: there is nothing to check; give the answer's text")
    inquiry, job = access.shelf.inquiries.add(
        mode,
        query.strip(),
        answer=answer or "",
        title=title.strip(),
        by=access.actor,
        id=access.new_id,
        earlier=earlier,
    )
    service.jobs.wake(job.id)
    return inquiry


def _check_length(name: str, given: str, most: int) -> None:
    if len(given) > most:
        raise ValidationError(f"{name}: it has {len(given):,} characters, the limit is {most:,}")
