"""Which sentences of a shown source a text keeps to, word for word as far as it matters."""

from __future__ import annotations

import re

from veridical.answering.generative.fidelity import keeps_to
from veridical.answering.generative.rows import keeps_to_row
from veridical.answering.generative.sources import ShownSource
from veridical.answering.generative.terms import keys_of
from veridical.retrieval.tables.layout import Layout

_LEANS = re.compile(
    r"(?:this|these|those|that|it|its|they|their|he|his|she|her|such|both|either|the same)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose subject stands in the one before it."""


def kept_in(text: str, source: ShownSource) -> tuple[int, ...]:
    """The sentences of a source that a text keeps to, by their places in `source.sentences`."""
    layout = Layout(source.chunk)
    found = []
    for place, sentence in enumerate(source.sentences):
        near = _near(source, place)
        if layout.is_row(source.indexes[place]):
            row = layout.row_in_words(source.indexes[place]) or ""
            if keeps_to_row(text, row, near):
                found.append(place)
        elif keeps_to(text, sentence, near):
            found.append(place)
    return tuple(found)


def _near(source: ShownSource, index: int) -> frozenset[str]:
    """The words that a statement on a sentence may take from around it."""
    words = [source.section.rsplit(" > ", 1)[-1], source.title, source.columns]
    if index and _LEANS.match(source.sentences[index]):
        words.append(source.sentences[index - 1])
    return keys_of(tuple(words))
