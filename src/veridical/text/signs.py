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
