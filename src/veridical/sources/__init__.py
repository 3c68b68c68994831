"""Sources: a file becomes a Document, with its sections, pages and what a reader sees."""
