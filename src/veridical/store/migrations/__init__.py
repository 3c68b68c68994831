"""How the tables came about, step by step. Run by `veridical.store.schema`."""
