"""The clause that holds some words, and what stands around it in the sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.scoring.offline import moods as m
from veridical.scoring.offline import words as w
from veridical.scoring.offline.heard import Said


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around the words of a cue, in one string each; empty where there is nothing.

    `before` and `after` belong to the same clause. `earlier` and `later` are the sentence's other
    clauses, `rest` all that follows the words in the sentence.
    """

    before: str
    hit: str
    after: str
    earlier: tuple[str, ...]
    later: tuple[str, ...]

    @property
    def rest(self) -> str:
        """All that follows the words in the sentence."""
        return " ".join(part for part in (self.after, *self.later) if part)


_STOP = re.compile(r"[,;:()\u2013\u2014]|(?<!\S)-+(?!\S)|\.\.|\u2026|[.?!]")


def around_of(said: Said) -> Around:
    """What stands around some words in their sentence."""
    clauses = _clauses(said.words, said.gaps, said.past)
    first = next(i for i, clause in enumerate(clauses) if said.first in clause)
    last = next(i for i, clause in enumerate(clauses) if said.past - 1 in clause)
    before = " ".join(said.words[clauses[first].start : said.first])
    earlier = [" ".join(said.words[c.start : c.stop]) for c in clauses[:first]]
    begun, before = _restarted(before)
    return Around(
        before=before,
        hit=" ".join(said.words[said.first : said.past]),
        after=" ".join(said.words[said.past : clauses[last].stop]),
        earlier=(*earlier, *begun),
        later=tuple(" ".join(said.words[c.start : c.stop]) for c in clauses[last + 1 :]),
    )


def _clauses(said: Sequence[str], gaps: Sequence[str], hit: int) -> list[range]:
    """The clauses of a sentence, parted at commas and "but", unless what stands there goes on.

    The words of a cue, which end before word `hit`, are never broken off.
    """
    cuts = [
        i
        for i in range(1, len(said))
        if _STOP.search(gaps[i]) or (said[i] in w.SPLITTING and said[i - 1] not in w.BUT)
    ]
    pieces = [range(a, b) for a, b in zip([0, *cuts], [*cuts, len(said)], strict=True)]
    joined: list[range] = []
    open_pieces = 0
    for piece in pieces:
        text = " ".join(said[piece.start : piece.stop])
        is_last = piece.stop == len(said)
        is_aside = w.PARENTHETICAL.fullmatch(text) is not None and not (is_last and text == "now")
        if joined and (open_pieces or is_aside):
            joined[-1] = range(joined[-1].start, piece.stop)
        else:
            joined.append(piece)
        # A comma after "we are not" begins an aside, and what it belongs to comes after that.
        breaks_off = said[piece.stop - 1] in w.BREAKING_OFF and piece.stop != hit
        follows = open_pieces == 2 and not is_aside and w.ASIDE.match(text) is not None
        open_pieces = 2 if breaks_off else 1 if is_aside or follows else 0
    return joined


def _restarted(before: str) -> tuple[list[str], str]:
    """What stands before a new statement in a clause without commas, and that from there on."""
    for found in reversed(list(w.RESTART.finditer(before))):
        left = before[: found.start()].strip()
        if not left:
            continue
        if left.split()[-1] in w.AUXILIARIES or _governs(left):
            break
        return [left], before[found.start() :]
    return [], before


def _governs(left: str) -> bool:
    """Whether what comes after some words is still a part of what they say."""
    return (
        w.GOVERNING.search(left) is not None
        or m.FUTURE.search(left) is not None
        or opens_question(left)
    )


def after_address(clause: str) -> str:
    """A clause without the names and the "okay, so" that it begins with."""
    found = w.ADDRESS.match(clause)
    return clause[found.end() :] if found else clause


def opens_question(text: str) -> bool:
    """Whether what is said begins, or holds, the beginning of a question."""
    plain = text
    for leading in ("and ", "so ", "okay ", "ok ", "copy ", "well "):
        plain = plain.removeprefix(leading)
    if w.ASKING_FIRST.match(plain) or w.INVERTED_FIRST.match(after_address(plain)):
        return True
    if w.WONDERING.search(text) or w.ASKING_AFTER_NAME.match(after_address(plain)):
        return True
    for found in w.INVERTED.finditer(text):
        before = text[: found.start()].split()[-1:]
        if not before or (before[0] not in w.SUBJECTS and before[0] != "to"):
            return True
    return False


def is_statement(hit: str) -> bool:
    """Whether the words of a cue are a whole statement: "gas is off", not "water on the fire"."""
    words = hit.split()
    return any(word in w.AUXILIARIES or word in w.PERFECT for word in words[1:-1])
