"""Rubrics as files: reading, checking and writing them, and the ones that are shipped."""
