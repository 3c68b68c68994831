"""Speech evaluations every quote of which satisfies the evidence contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridical.models.protocol import LanguageModel
from veridical.sources.transcript import Precision, Transcript
from veridical.speech.author import Assignment, Author
from veridical.speech.drafting import Draft, Drafting, quotes_of
from veridical.speech.evaluation import StructuredEvaluation
from veridical.speech.prompts import is_cut
from veridical.speech.results import PublicEvaluation, SpeechEvaluation
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy, TimedQuoteResult
from veridical.validation.timed_checker import TimedQuoteChecker

if TYPE_CHECKING:
    from veridical.speech.names.finders import NameFinder
    from veridical.speech.script import Script


class EvaluationGenerator:
    """Writes, checks and renders evaluations.

    Without a model the author is the embedded one, which follows fixed rules and needs no network.
    """

    def __init__(
        self,
        model: LanguageModel | None = None,
        *,
        author: Author | None = None,
        policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY,
    ) -> None:
        self.policy = policy
        self.author = author or _author(model, policy)

    def generate(
        self, transcript: Transcript, *, speaker: str | None = None, label: str | None = None
    ) -> SpeechEvaluation:
        """An evaluation of the speech.

        `label` is the transcript's label of the speaker who is evaluated; by default all that was
        said may be quoted. `speaker` is the speaker's name.

        The budget is that of `drafting`. Past it comes the best effort, with a warning: perhaps too
        few items, but never one whose quote fails.
        Raises ModelError where the model cannot be used, or gave no reply at all.
        """
        assignment = Assignment(transcript, label, speaker)
        checker = TimedQuoteChecker(transcript, self.policy)
        drafting = Drafting(self.author, assignment, checker)
        hindrance = _hindrance(checker)
        draft = drafting.give_up(hindrance) if hindrance else drafting.run()
        return self._result(assignment, draft, drafting)

    def validate(
        self, evaluation: StructuredEvaluation, transcript: Transcript, *, label: str | None = None
    ) -> list[TimedQuoteResult]:
        """The check of each item, in order. The transcript is the raw one, names and all."""
        checker = TimedQuoteChecker(transcript, self.policy)
        return checker.check_all(quotes_of(evaluation.items, label))

    def render_script(
        self,
        result: SpeechEvaluation,
        *,
        seconds: float | None = None,
        names: Sequence[str] = (),
        finder: NameFinder | None = None,
        phrase: str | None = None,
    ) -> Script:
        """The evaluation as spoken text without names; see `veridical.speech.script.render_script`.

        It takes what `generate` gave: only a checked evaluation is redacted, never the reverse.
        """
        from veridical.speech.redaction import DEFAULT_PHRASE
        from veridical.speech.script import render_script

        return render_script(
            result,
            seconds=seconds,
            names=names,
            finder=finder,
            phrase=DEFAULT_PHRASE if phrase is None else phrase,
        )

    def publish(
        self,
        result: SpeechEvaluation,
        *,
        names: Sequence[str] = (),
        finder: NameFinder | None = None,
        phrase: str | None = None,
        title: str | None = None,
        with_transcript: bool = False,
    ) -> PublicEvaluation:
        """The copy that may be shown, without names; see `veridical.speech.publish.publish`."""
        from veridical.speech.publish import publish
        from veridical.speech.redaction import DEFAULT_PHRASE

        return publish(
            result,
            names=names,
            finder=finder,
            phrase=DEFAULT_PHRASE if phrase is None else phrase,
            title=title,
            with_transcript=with_transcript,
        )

    def _result(self, assignment: Assignment, draft: Draft, drafting: Drafting) -> SpeechEvaluation:
        from veridical.speech.metrics import measure
        from veridical.speech.tone import check_tone

        evaluation = StructuredEvaluation(
            draft.opening, tuple(checked.item for checked in draft.kept), draft.closing
        )
        warnings = [*assignment.transcript.warnings]
        if not self.author.rule_based and is_cut(assignment):
            warnings.append("the transcript is too long for a model: it was shown the beginning")
        if len({item.evidence_quote for item in evaluation.items}) < len(evaluation.items):
            warnings.append("two items rest on the same words")
        if drafting.shortfall:
            warnings.append(drafting.shortfall)
        return SpeechEvaluation(
            evaluation=evaluation,
            checks=tuple(checked.check for checked in draft.kept),
            transcript=assignment.transcript,
            metrics=measure(assignment.transcript, label=assignment.label),
            author=self.author.name,
            rule_based=self.author.rule_based,
            speaker=assignment.speaker,
            history=drafting.history,
            tone=check_tone(evaluation),
            warnings=tuple(warnings),
        )


def _author(model: LanguageModel | None, policy: TimedQuotePolicy) -> Author:
    if model is None:
        from veridical.speech.offline.author import OfflineAuthor

        return OfflineAuthor(policy)
    from veridical.speech.model_author import ModelAuthor

    return ModelAuthor(model, policy)


def _hindrance(checker: TimedQuoteChecker) -> str | None:
    """Why no item could pass, whoever writes it; no attempt is spent then."""
    if checker.transcript.precision is Precision.NONE:
        return "the transcript has no times, so that no evidence_timestamp can be checked"
    least = checker.policy.min_tokens
    if len(checker.index) < least:
        return f"the transcript has fewer than {least} words, too few for one quote"
    return None
