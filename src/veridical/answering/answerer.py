"""From a question to an answer: retrieve, decide whether to answer, draft, and prove."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from veridical.answering.answer import Draft, PolicyAnswer, Refusal, RefusalReason
from veridical.answering.assemble import assemble
from veridical.answering.evidence.finding import Evidence, find_evidence
from veridical.answering.extractive.author import draft_extractively
from veridical.answering.nearest import NearestFinder
from veridical.answering.question.asked import AskedQuestion, read_question
from veridical.answering.refusal.decision import decide
from veridical.errors import ModelUnavailable
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.tracing import tell, traced

if TYPE_CHECKING:
    from veridical.judging.judge import Judge
    from veridical.models.protocol import LanguageModel

PASSAGES = 8
"""Passages that an answer is looked for in, and that a model is shown."""

EXTRACTIVE = "extractive"
"""How the embedded author is named: it answers in the sentences of the policies themselves."""

_log = logging.getLogger(__name__)


class PolicyAnswerer:
    """Answers questions from a corpus, or refuses them. Usable from several threads at once.

    With a `model`, answers are in its words, each statement judged against what it cites by
    `judge` (the embedded one by default) and dropped if that does not bear it out; a model that
    cannot be reached is stood in for by the embedded author, and the answer says so. Where the
    embedded author would refuse, the reader looks for what comes nearest: a model is asked about
    that, and may refuse itself; without one, a refusal shows it.
    """

    def __init__(
        self, corpus: Corpus, *, model: LanguageModel | None = None, judge: Judge | None = None
    ) -> None:
        self._corpus = corpus
        self._retriever = HybridRetriever(corpus)
        self._nearest = NearestFinder(corpus)
        self._model = model
        self._judge = judge

    @property
    def name(self) -> str:
        """Who writes the answers: the model, or the embedded author."""
        return EXTRACTIVE if self._model is None else self._model.name

    def prepare(self) -> None:
        """Make now what the first question would wait for. The model is not asked."""
        self._corpus.prepare()
        asked = read_question("How much leave is there?")
        hits, evidence = self._found(asked)
        draft_extractively(asked, evidence)
        self._nearest.find(asked.text)
        if self._model is not None:
            from veridical.answering.generative.author import ModelAuthor
            from veridical.models.scripted import ScriptedModel

            stand_in = ScriptedModel(["- There is leave. [1]"])
            ModelAuthor(stand_in, self._judge).draft(asked, hits, evidence)

    @traced("answering.answer")
    def answer(self, question: str) -> PolicyAnswer:
        """The answer to a question.

        Raises ValidationError for a question that is empty or too long, and ModelError where the
        model's server refuses the key, the model or the request.
        """
        asked = read_question(question)
        unusable = self._unusable(asked)
        if unusable is not None:
            return self._assembled(asked, Draft((), unusable), EXTRACTIVE, 0.0)
        hits, evidence = self._found(asked)
        decision = decide(asked, evidence, self._corpus)
        refusal = decision.refusal
        if refusal is None:
            draft, author = self._written(
                asked, hits, evidence, lambda: draft_extractively(asked, evidence)
            )
        else:
            evidence = self._nearest.find(asked.text)
            draft, author = self._written(asked, hits, evidence, lambda: Draft((), refusal))
        return self._assembled(asked, draft, author, decision.probability, evidence)

    def _found(self, asked: AskedQuestion) -> tuple[tuple[Hit, ...], tuple[Evidence, ...]]:
        """Passages, and the sentences of them that may answer."""
        (hits,) = self._retriever.search_questions([asked.text], PASSAGES)
        return hits, find_evidence(asked, hits)

    def _unusable(self, asked: AskedQuestion) -> Refusal | None:
        if not self._corpus.chunks:
            return Refusal(RefusalReason.EMPTY_CORPUS)
        return None if asked.terms else Refusal(RefusalReason.UNUSABLE_QUESTION)

    def _written(
        self,
        asked: AskedQuestion,
        hits: tuple[Hit, ...],
        evidence: tuple[Evidence, ...],
        otherwise: Callable[[], Draft],
    ) -> tuple[Draft, str]:
        """The model's draft, or where there is none to ask what is said `otherwise`."""
        if self._model is None:
            return otherwise(), EXTRACTIVE
        from veridical.answering.generative.author import ModelAuthor

        try:
            author = ModelAuthor(self._model, self._judge)
            return author.draft(asked, hits, evidence), self._model.name
        except ModelUnavailable as error:
            _log.warning("the model is not available: %s", error)
            note = f"The model {self._model.name} is not available: {error}"
            return _with_note(otherwise(), note), EXTRACTIVE

    def _assembled(
        self,
        asked: AskedQuestion,
        draft: Draft,
        author: str,
        probability: float,
        evidence: tuple[Evidence, ...] = (),
    ) -> PolicyAnswer:
        tell(refused=draft.refusal is not None, statements=len(draft.statements))
        return assemble(
            asked,
            draft,
            self._corpus,
            answered_by=author,
            probability=probability,
            evidence=evidence,
        )


def _with_note(draft: Draft, note: str) -> Draft:
    return Draft(draft.statements, draft.refusal, draft.disagreement, (*draft.notes, note))
