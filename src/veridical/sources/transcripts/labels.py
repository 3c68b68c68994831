"""The label of a speaker before what they say: `MARIA:`, `Tom Reed:`, `[SPEAKER_00]:`."""

from __future__ import annotations

from veridical.sources.patterns import lazy

MAX_LABEL_WORDS = 4

_BRACKETED = lazy(r"\s*+(?:>>+|-)?\s*+\[([^\[\]:]{1,60}+)\]\s*+[:\uff1a]\s*+")
_PLAIN = lazy(
    r"\s*+(?:>>+\s*+)?([^\W_](?:[\w .'\u2019&()/-]{0,58}[\w.)])?)\s{0,3}"
    r"[:\uff1a](?:\s++|\Z|(?<=\uff1a))"
)
_PARTICLES = frozenset("al and bin da de del der di du el la le of the van von und et y".split())


def split_label(line: str) -> tuple[str, str] | None:
    """Label and the rest of a line; None where the line begins with no label.

    A label is up to `MAX_LABEL_WORDS` words that begin as names do.
    """
    found = _BRACKETED().match(line)
    if found is None:
        found = _PLAIN().match(line)
        if found is None or not _is_name(found[1]):
            return None
    return " ".join(found[1].split()), line[found.end() :]


def is_certain(label: str) -> bool:
    """Whether a label cannot well be the first words of a sentence ("Remember: ...")."""
    words = label.split()
    return label == label.upper() or len(words) > 1 or not label.isalpha()


def is_shouted(label: str) -> bool:
    """Whether a label is written as captions write them: in capitals, or with a number."""
    return label == label.upper() or any(character.isdigit() for character in label)


def _is_name(label: str) -> bool:
    words = label.split()
    first = words[0]
    if len(words) > MAX_LABEL_WORDS or not first[0].isalpha() or first[0].islower():
        return False
    return all(not word[0].islower() or word in _PARTICLES for word in words)
