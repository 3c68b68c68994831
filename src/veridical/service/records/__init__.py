"""Validations, speech evaluations, scorecards and runs: as asked for, made, and kept."""
