"""Reports of a validation for people and for other tools: HTML, JUnit XML and SARIF."""

from __future__ import annotations

from veridical.validation.reports.html import render_html
from veridical.validation.reports.junit import render_junit
from veridical.validation.reports.sarif import render_sarif

__all__ = ["render_html", "render_junit", "render_sarif"]
