"""Training examples of claims about documents, each in the windows that the product would show.

What a window lacks it cannot say: where the deciding words of a claim are known (`basis`) and not
all of them are inside, the example of that window is "not enough", whatever the document says.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from tokenizers import Tokenizer

from training.examples import NOT_ENOUGH, REFUTED, SUPPORTED, Example, pair
from training.shown import WrittenClaim, shown
from veridical.judging.lines import Lines
from veridical.matching.embeddings import default_embedder
from veridical.reader.windows import Pieces, Window, WindowMaker, relinked

LABELS = {"not_enough": NOT_ENOUGH, "supported": SUPPORTED, "refuted": REFUTED}
WITHOUT_BASIS = 0.08
"""Share of decided claims that are also shown without the words that decide, as not enough."""


def encoder(tokenizer: Tokenizer) -> WindowMaker:
    """Makes the product's windows with the training tokenizer."""

    def encode(texts: Sequence[str]) -> list[Pieces]:
        found = tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [tuple(entry.ids) for entry in found]

    return WindowMaker(encode, default_embedder())


def plain(text: str) -> str:
    """Letters and digits only: how words are looked up in rows and across line ends."""
    return "".join(c for c in text.casefold() if c.isalnum())


def lines_with(basis: Iterable[str], lines: Lines) -> list[set[int]]:
    """The lines that have each of some fragments: as they stand, or, in a row, all their words."""
    texts = [plain(line.text) for line in lines.lines]
    out = []
    for fragment in basis:
        whole = plain(fragment)
        found = {i for i, text in enumerate(texts) if whole in text}
        if not found:
            words = [plain(word) for word in fragment.replace("|", " ").split()]
            found = {i for i, text in enumerate(texts) if all(word in text for word in words)}
        out.append(found)
    return out


def deciding_lines(basis: Iterable[str], lines: Lines) -> set[int]:
    """The lines that have any of some fragments."""
    return set().union(*lines_with(basis, lines))


def holds_basis(claim: WrittenClaim, lines: Lines, chosen: Sequence[int]) -> bool:
    """Whether some lines, with their titles, have all that decides; True where it is not known."""
    titles = plain(" ".join({lines.lines[i].heading for i in chosen}))
    needed = zip(claim.basis, lines_with(claim.basis, lines), strict=True)
    return all(
        found & set(chosen) or plain(fragment) in titles or not found for fragment, found in needed
    )


def examples_of(
    claims: Sequence[WrittenClaim], maker: WindowMaker, rng: random.Random, alone: float = 0.0
) -> Iterator[Example]:
    """The examples of claims: the first window, and the second where the first lacks the basis.

    `alone` is the share of claims that are also shown with the lines of their basis and no other.
    """
    for claim, lines in shown(claims):
        label = LABELS[claim.label]
        decide = deciding_lines(claim.basis, lines) if label != NOT_ENOUGH else set()
        first = maker.window(claim.claim, lines.lines)
        held = holds_basis(claim, lines, first.lines)
        yield example(first, label if held else NOT_ENOUGH, first.lines, decide)
        if not held:
            left = [i for i in range(len(lines.lines)) if i not in first.lines]
            second, chosen = _of(maker, claim, lines, left)
            if chosen:
                inside = holds_basis(claim, lines, chosen)
                yield example(second, label if inside else NOT_ENOUGH, chosen, decide)
        elif claim.basis and rng.random() < alone:
            kept = sorted(deciding_lines(claim.basis, lines))
            window, chosen = _of(maker, claim, lines, kept)
            if chosen and len(chosen) == len(kept):
                yield example(window, label, chosen, decide)
        elif claim.basis and rng.random() < WITHOUT_BASIS:
            left = [i for i in range(len(lines.lines)) if i not in decide]
            window, chosen = _of(maker, claim, lines, left)
            if chosen and decide:
                yield example(window, NOT_ENOUGH, chosen, set())


def _of(
    maker: WindowMaker, claim: WrittenClaim, lines: Lines, left: Sequence[int]
) -> tuple[Window, list[int]]:
    window = maker.window(claim.claim, relinked(lines.lines, left))
    return window, [left[i] for i in window.lines]


def example(
    window: Window,
    target: int,
    shown: Sequence[int],
    decide: Collection[int],
    *,
    question: bool = False,
) -> Example:
    """A window as an example. `shown` are the indexes of its lines, `decide` those that decide;
    which of them do is not known where none does, but for a question that is not answered.
    """
    made = pair(list(window.claim), list(window.evidence), target, question=question)
    decides = tuple(line in decide for line in shown)
    if not any(decides) and not (question and not target):
        return made
    spans = tuple((made.second + start, made.second + end) for start, end in window.spans)
    return replace(made, lines=spans, decides=decides)
