"""Which of a transcript's speakers is evaluated?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from veridical.errors import ConfigurationError
from veridical.sources.transcript import Transcript
from veridical.text.spoken import spoken_keys


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The label of the speaker in the transcript, None for all that was said, and why that one."""

    label: str | None
    warning: str | None = None


def evaluated_speaker(
    transcript: Transcript, *, speaker: str | None = None, label: str | None = None
) -> Evaluated:
    """The speaker to evaluate: with that `label`, else labelled with the name `speaker`.

    Where neither tells, the one who says the most, with a warning if there are others.
    Raises ConfigurationError for a label that the transcript does not have.
    """
    labels = transcript.speakers
    if label is not None:
        if label not in labels:
            known = ", ".join(labels) or "none"
            raise ConfigurationError(
                f"no speaker of {transcript.name} is labelled {label!r}; its labels are: {known}"
            )
        return Evaluated(label)
    named = [other for other in labels if speaker and spoken_keys(other) == spoken_keys(speaker)]
    if named:
        return Evaluated(named[0])
    if len(labels) < 2:
        return Evaluated(None)
    words = _words_said(transcript)
    most = max(labels, key=lambda other: words[other])
    return Evaluated(
        most,
        f"the transcript has {len(labels)} speakers; the one with the most words is evaluated "
        "(say which with --speaker or --label)",
    )


def _words_said(transcript: Transcript) -> Counter[str | None]:
    words: Counter[str | None] = Counter()
    for segment in transcript.segments:
        text = transcript.text[segment.span.start : segment.span.end]
        words[segment.speaker] += len(spoken_keys(text))
    return words
