"""Every bound of the MCP server: of what it takes, what it gives back, and how long it works."""

from __future__ import annotations

from veridical.answering.question import MAX_QUESTION_CHARS
from veridical.validation.claims import MAX_QUOTE_CHARS

__all__ = ["MAX_QUESTION_CHARS", "MAX_QUOTE_CHARS"]

MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""A longer message of the client is not read, and answered with an error."""

MAX_QUOTES = 50
"""Quotes in one call."""

MAX_ANSWER_CHARS = 60_000
"""Characters of an answer that is checked: some twenty pages."""

MAX_CLAIMS = 200
"""Claims of an answer that is checked."""

MAX_NAME_CHARS = 1_000
MAX_HINT_CHARS = 2_000
MAX_ANCHOR_CHARS = 64

MAX_SPAN_CHARS = 20_000
"""Characters of a document that are opened at once."""

MAX_CONTEXT_CHARS = 5_000
"""Characters shown before and after them, each."""

MAX_TEXT_CHARS = 600
"""Of a claim or a passage in a list, so much is shown; `open_span` shows the whole."""

MAX_PASSAGE_CHARS = 4_000
"""Of a passage that is alone in a result."""

MAX_REPLY_CHARS = 20_000
"""Of the answer to a question."""

MAX_LINE_CHARS = 300
"""Of a title, a note or a piece of advice."""

MAX_LISTED = 10
"""Notes, changes, citations and the like in one list; the rest is counted."""

MAX_PASSAGES = 3
"""Passages that are shown of one claim."""

MAX_DOCUMENTS = 100
"""Documents in one list; the next ones are asked for by their number."""

MAX_RESULT_CHARS = 500_000
"""A result that would be longer, as JSON, is an error."""

WORKERS = 4
"""Calls that are worked on at a time."""

MAX_WAITING = 32
"""Calls that are worked on or wait; one more is refused."""

CALL_SECONDS = 120.0
"""How long a call may take."""

READING_SECONDS = 45.0
"""How long a call waits for documents to be read. Many clients give up after a minute."""

LOOK_SECONDS = 2.0
"""How old the last look at the folders may be, for a call to do without another."""

PROGRESS_SECONDS = 0.5
"""How often progress is told."""
