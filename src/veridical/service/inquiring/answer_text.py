"""An answer as a session keeps it: what its ledger checks, and what its page shows."""

from __future__ import annotations

from veridical.answering.answer import PolicyAnswer, Statement

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
