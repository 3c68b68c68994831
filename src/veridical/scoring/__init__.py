"""Rubrics scored over transcripts, section by section, every verdict on verified words."""
