"""Checks an answer while it is being written, sentence by sentence."""
