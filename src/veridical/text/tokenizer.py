"""Tokenizers as `tokenizer.json` defines them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kitoken import Kitoken


def tokenizer_of(definition: bytes) -> Kitoken:
    """The tokenizer of the bytes of a `tokenizer.json`."""
    from kitoken import Kitoken

    # It tells of every byte that it knows twice: nothing for the log of another program.
    logging.getLogger("kitoken").setLevel(logging.WARNING)
    return Kitoken.from_tokenizers(definition)
