"""The evaluation of a speech as a page for people."""
