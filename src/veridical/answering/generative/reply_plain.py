"""Words of a model as plain text: nothing in it is markup, a marker or a quotation."""

from __future__ import annotations

import re

from veridical.answering.generative.markers import without_markers

_TAG = re.compile(r"</?[A-Za-z!?][^<>]{0,300}>?|<(?![\s\d=])|(?<![\s\d=-])>")
_MARKS = re.compile(r"[*`|\\]+|~~+|__+|(?<!\w)_|_(?!\w)|^[\s#>+\u2022-]+|&(?=#?\w+;)|!(?=\()")
_QUOTATION = re.compile('["\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f\uff02]')
_SINGLE = re.compile(
    r"(?<!\w)['\u2018](?=\w)((?:[^'\u2018\u2019]|['\u2019](?=\w)){1,400})['\u2019](?!\w)"
)
_LABEL = re.compile(r"\b(?:quotes?|quotation)\s*[:\uff1a]", re.IGNORECASE)
_BEFORE_SIGN = re.compile(r"\s+(?=[.,;:!?](?:\s|$))")


def plain(text: str) -> str:
    """A text in one line that a page can show in any form without rendering any of it.

    Quotation marks go too: the words within are judged like all others, and what is quoted in an
    answer is put there from the sources. Apostrophes stay.
    """
    text = " ".join(text.split())
    while True:
        shorter = _once(text)
        if shorter == text:
            return text
        text = shorter


def _once(text: str) -> str:
    """One pass; each makes the text shorter or leaves it, for what goes may join what is around."""
    text = without_markers(_MARKS.sub("", _TAG.sub("", text)))
    text = _SINGLE.sub(r"\1", _QUOTATION.sub("", text))
    text = _LABEL.sub("", text)
    return _BEFORE_SIGN.sub("", " ".join(text.split()))
