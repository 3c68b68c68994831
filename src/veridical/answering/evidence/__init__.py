"""Which sentences answer a question."""
