"""The signs that end a sentence or a clause, in the scripts that a text may be written in."""

from __future__ import annotations

SENTENCE_ENDS = ".!?…‽。．！？｡؟۔।॥։።፧။᙮⸮"
"""Signs that end a sentence: Latin, East Asian, Arabic, Urdu, Hindi, Armenian, Ethiopic, Burmese.

Each can stand in a character class of a pattern as it is.
"""

QUESTION_MARKS = frozenset("?？؟፧⸮")
"""Those of them that end a question. The Greek one is a semicolon, and cannot be told from it."""

CLAUSE_ENDS = SENTENCE_ENDS + ",;:—–、，；：､،؛፣፤፥՝၊"
"""Signs that end a clause. A hyphen does so only between spaces, and is no sign of its own."""

NEGATING_SIGNS = (
    "\u274c\u274e\u2717\u2718\u2715\u2716\u2612\u26d4\U0001f6ab\U0001f44e\U0001f645\U0001f6d1"
    "\U0001f6c7\U0001f5d9\U0001f5f4\u2298\u29b8\u00ac\u2260\u2226\u2209\u20e0"
)
"""Crosses, no entry, thumbs down, the signs of logic. Each can stand in a class of characters."""
