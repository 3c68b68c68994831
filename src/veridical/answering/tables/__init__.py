"""Tables of a passage: their cells, their titles, and the row that a question is about."""
