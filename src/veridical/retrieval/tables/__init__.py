"""The tables of a chunk: their cells, and the titles of their columns."""
