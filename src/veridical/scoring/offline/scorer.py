"""The scorer that needs no model: it looks the cues of a rubric up in the transcript."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from threading import Lock

from veridical.scoring.answer import SectionAnswer
from veridical.scoring.offline.heard import Heard
from veridical.scoring.offline.lookup import Lookup
from veridical.scoring.offline.quotes import Quoter
from veridical.scoring.offline.verdicts import Judge
from veridical.scoring.rubric import Rubric, Section
from veridical.sources.transcript import Transcript


class CueScorer:
    """Scores by the cues of a rubric: the embedded default, with no model and no network.

    A criterion is answered by what was said as done; questions, orders, denials, doubts and
    read-backs do not count, and the rationale says so. Without a cue there is no verdict. Its
    quotes are checked like a model's. The same transcript and rubric give the same answers; the
    cues of all sections are looked up once, when the first section is scored.
    """

    name = "cues"
    rule_based = True

    def __init__(self, transcript: Transcript, rubric: Rubric) -> None:
        self._transcript = transcript
        self._rubric = rubric
        self._lock = Lock()

    def score(self, section: Section) -> SectionAnswer:
        """What the cues say of a section of the rubric."""
        with self._lock:
            judge = self._judge
        answers, warnings = [], []
        for criterion in section.criteria:
            answer, told = judge.answer(criterion)
            answers.append(answer)
            warnings += [
                replace(warning, section_id=section.id, criterion_id=criterion.id)
                for warning in told
            ]
        return SectionAnswer(section.id, tuple(answers), warnings=tuple(warnings))

    @cached_property
    def _judge(self) -> Judge:
        heard = Heard(self._transcript)
        lookup = Lookup(heard, _phrases(self._rubric))
        return Judge(lookup, Quoter(heard, self._rubric.llm.evidence_quote_max_chars))


def _phrases(rubric: Rubric) -> Iterator[str]:
    """The phrases of all cues."""
    for section in rubric.sections:
        for criterion in section.criteria:
            if criterion.cues is not None:
                yield from (cue.phrase for cue in criterion.cues.all_cues())
