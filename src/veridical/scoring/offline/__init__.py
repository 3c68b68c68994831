"""The scorer that needs no model: a rubric's cues, looked up in the transcript."""

from __future__ import annotations

from veridical.scoring.offline.scorer import CueScorer

__all__ = ["CueScorer"]
