"""Does a passage quote somebody, where the claim says it as a fact?

"The wall would have helped," said the councillor: that is his word, and the text may go on to
doubt it.
"""

from __future__ import annotations

import re

from veridical.judging.alignment_words import read_words
from veridical.judging.judge import Case

_QUOTED = re.compile(r"[\u201c\"]([^\u201c\u201d\"]{12,600})[\u201d\"]")
_SAYS = re.compile(
    r"\b(?:said|says|told|tells|added|adds|warned|warns|asked|asks|argued|argues|claimed|claims"
    r"|insisted|insists|wrote|writes|replied|replies|explained|explains)\b",
    re.IGNORECASE,
)
_NEAR = 60
"""Characters beside a quotation among which it stands who said it."""

_LEAST_SHARE = 0.8
"""Share of the claim's telling words that the quotation has, from which the claim repeats it."""


def quoted(case: Case, low: int, high: int) -> str | None:
    """The verb by which one of the sentences `low` to `high` quotes what the claim says, if the
    claim names nobody who says it; None elsewhere.
    """
    if _SAYS.search(case.claim) or _QUOTED.search(case.claim):
        return None
    ours = {word.stem for word in read_words(case.claim) if word.content}
    for sentence in case.sentences[low:high]:
        for found in _QUOTED.finditer(sentence):
            around = f"{sentence[: found.start()][-_NEAR:]} {sentence[found.end() :][:_NEAR]}"
            says = _SAYS.search(around)
            said = {word.stem for word in read_words(found[1])}
            if says and ours and len(ours & said) >= _LEAST_SHARE * len(ours):
                return says[0]
    return None
