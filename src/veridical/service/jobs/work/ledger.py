"""The work of a job of the kind `ledger`: answer a question, if that was asked, and check the
answer against the documents, claim by claim.
"""

from __future__ import annotations

import time

from veridical.answering.answer import PolicyAnswer, Statement
from veridical.answering.answerer import PolicyAnswerer
from veridical.answering.wire import answer_to_wire
from veridical.errors import ConflictError
from veridical.service.corpora import WorkspaceCorpus
from veridical.service.jobs.work.kept import KeptModel
from veridical.service.jobs.workers import Doing
from veridical.store.inquiries import Inquiry, Mode

DISAGREEMENT = "The policies disagree:"


def answer_text(answer: PolicyAnswer) -> str:
    """The statements with their markers, and below them what each number stands for.

    Two things of `PolicyAnswer.text` are left out, since each would be checked as a claim of its
    own: the quotes, which repeat what the evidence of the claims shows, and how the policies
    disagree, which no passage can say. A refusal is as it is.
    """
    if answer.refusal is not None:
        return answer.text
    told = [_marked(statement) for statement in answer.statements]
    shown = [f"- {line}" for line in told] if len(told) > 1 else told
    listed = [f"[{citation.number}] {citation.doc_id}" for citation in answer.citations]
    before = [DISAGREEMENT, ""] if answer.disagreement else []
    return "\n".join((*before, *shown, "", "Sources:", *listed))


def _marked(statement: Statement) -> str:
    return f"{statement.text} {''.join(f'[{number}]' for number in statement.citations)}"


_ANSWERING = "answering the question"
_READING = "reading the documents"
_CHECKING = "checking claims"


def work(doing: Doing) -> None:
    """Have the inquiry answered and its ledger saved. Raises NoDocumentsError where there is
    nothing to answer from or to check against.
    """
    inquiries = doing.shelf.inquiries
    inquiry = inquiries.get(doing.job.subject_id)
    if inquiry is None:
        raise ConflictError("The session was deleted before it was worked on.")
    if inquiry.ledger_id is not None:
        return
    doing.tell(0, 0, _READING)
    found = doing.corpora.of(doing.shelf)
    if inquiry.mode is Mode.ANSWER and not inquiry.answer:
        doing.tell(0, 0, _ANSWERING)
        inquiry = _answered(doing, found, inquiry)
    doing.tell(0, 0, _CHECKING)
    ledger = found.builder.build(
        inquiry.answer,
        query=inquiry.query,
        title=inquiry.title,
        session_id=inquiry.id,
        progress=lambda done, total: doing.tell(done, total, _CHECKING),
    )
    inquiries.finish(inquiry.id, ledger)


def _answered(doing: Doing, found: WorkspaceCorpus, inquiry: Inquiry) -> Inquiry:
    """The inquiry with its answer, which is kept before it is checked."""
    start = time.perf_counter()
    answer = _answerer(doing, found).answer(inquiry.query)
    details = answer_to_wire(answer, (time.perf_counter() - start) * 1000)
    return doing.shelf.inquiries.keep_answer(inquiry.id, answer_text(answer), details)


def _answerer(doing: Doing, found: WorkspaceCorpus) -> PolicyAnswerer:
    model = doing.settings.model
    if model is None:
        return found.answerer
    return PolicyAnswerer(found.corpus, model=KeptModel(model, doing.steps))
