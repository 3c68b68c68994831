"""Whether a text reads as English: the embedded judge knows no other language."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.alignment_words import Word


def is_english(words: Sequence[Word]) -> bool:
    """Whether a text reads as English. Short ones do unless their letters are foreign."""
    plain = [word for word in words if word.number is None]
    if not plain:
        return True
    if sum(not word.key.isascii() for word in plain) > _MOST_FOREIGN * len(plain):
        return False
    grammar = sum(not word.content for word in plain)
    foreign = sum(word.key in _FOREIGN for word in plain)
    return foreign <= grammar and (len(plain) < _TELLING or grammar >= _LEAST_GRAMMAR * len(plain))


_MOST_FOREIGN, _TELLING, _LEAST_GRAMMAR = 0.3, 14, 0.06
_FOREIGN = frozenset(
    """
    der die das und den dem ein eine einen ist sind nicht auf mit von für zu haben hat werden wird
    le la les des du et est sont une un pour dans que qui ne pas sur avec
    el los las del y es son una para por con il di e che per sono het een van zijn niet
    """.split()
) - {"die", "per", "pour", "con", "des", "est", "van", "y", "e"}
