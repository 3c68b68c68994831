"""Sessions: asked for, their ledger with what reviewers decided, and exports of it."""
