"""The evaluation of a speech as a page for people."""

from __future__ import annotations

from veridical.speech.report.html import parts, render_speech_html

__all__ = ["parts", "render_speech_html"]
