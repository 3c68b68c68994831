"""The rows of a table that a question is about."""
