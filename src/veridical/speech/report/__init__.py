"""The evaluation of a speech as a page for people."""

from __future__ import annotations

from veridical.speech.report.html import render_speech_html

__all__ = ["render_speech_html"]
