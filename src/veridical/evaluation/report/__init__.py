"""The evaluation as a page."""
