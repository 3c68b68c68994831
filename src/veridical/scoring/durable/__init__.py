"""Runs that are kept, and go on where they were. Needs the extra `durable`."""
