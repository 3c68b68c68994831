"""Which sentences of a shown source a text keeps to, by `generative_fidelity`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.answering.generative.fidelity import keeps_to
from veridical.answering.generative.rows import keeps_to_row
from veridical.answering.generative.slips import slips
from veridical.answering.generative.sources import ShownSource
from veridical.answering.generative.terms import keys_of
from veridical.retrieval.tables.layout import Layout

_LEANS = re.compile(
    r"(?:this|these|those|that|it|its|they|their|he|his|she|her|such|both|either|the same)\b",
    re.IGNORECASE,
)
"""How a sentence begins whose subject stands in the one before it."""


@dataclass(frozen=True, slots=True)
class KeptTo:
    """A sentence of a source, by its index in `ShownSource.sentences`, that a text keeps to.

    `whole` says that the text leaves nothing of it out.
    """

    index: int
    whole: bool


def kept_in(text: str, source: ShownSource) -> tuple[KeptTo, ...]:
    """The sentences of a source that a text keeps to, those said as a whole first."""
    layout = Layout(source.chunk)
    found = []
    for index, sentence in enumerate(source.sentences):
        near = _near(source, index)
        if layout.is_row(source.indexes[index]):
            row = layout.row_in_words(source.indexes[index]) or ""
            if keeps_to_row(text, row, near) and not slips(text, [sentence, row]):
                found.append(KeptTo(index, whole=False))
        elif (kept := keeps_to(text, sentence, near)) is not None:
            found.append(KeptTo(index, kept.whole))
    return tuple(sorted(found, key=lambda one: not one.whole))


def _near(source: ShownSource, index: int) -> frozenset[str]:
    """The words that a statement on a sentence may take from around it."""
    words = [source.section.rsplit(" > ", 1)[-1], source.title, source.columns]
    if index and _LEANS.match(source.sentences[index]):
        words.append(source.sentences[index - 1])
    return keys_of(tuple(words))
