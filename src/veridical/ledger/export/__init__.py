"""The ledger for people: as Markdown, as a page, as a PDF, and as JSON."""
