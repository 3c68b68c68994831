"""Asking a language model, and reading what it says."""
