"""The scorecard for people: as lines for a terminal, as Markdown, and as a page."""
