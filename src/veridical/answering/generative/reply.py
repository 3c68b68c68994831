"""A model's reply as bullets of sentences, each with the sources that it cites.

The Markdown of it is read as that of any answer (`veridical.ledger.extraction`), which also tells
statements from headings, pleasantries, remarks and refusals. None of it is believed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from veridical.answering.generative.markers import source_numbers
from veridical.answering.generative.prompts import CANNOT_ANSWER
from veridical.answering.generative.reply_cleaning import cleaned
from veridical.answering.generative.reply_plain import plain
from veridical.ledger.entry import AnswerClaim
from veridical.ledger.extraction.blocks import BlockKind
from veridical.ledger.extraction.extractor import Skipped, SkipReason
from veridical.ledger.extraction.finishing import finished
from veridical.ledger.extraction.outline import refers_back
from veridical.ledger.extraction.page import AnswerPage, read_page
from veridical.ledger.extraction.reader import ClaimReader, Draft
from veridical.ledger.extraction.shown import shown_text
from veridical.ledger.extraction.words import has_verb, words_of
from veridical.ledger.markers import markers_of
from veridical.models.protocol import FinishReason, ModelReply

MAX_CLAIMS = 60
"""Claims that are read of one reply; what is behind them is far beyond what was asked for."""

_MOST_FRAGMENT_WORDS = 6
_CONDITION = re.compile(
    r"\b(?:if|unless|except|only|not|never|cannot|without|until)\b|n['\u2019]t\b"
    r"|^\W*(?:when|where|for|in|during|after|before|no)\b",
    re.IGNORECASE,
)
"""What an introduction must not be left out for: "If you work part-time:"."""

_SAYS = re.compile(
    r"(?:the|this|our|your)\ (?:polic(?:y|ies)|sources?|documents?|handbook|guide)\ (?:also\ )?"
    r"(?:states?|says?|specif(?:y|ies)|notes?|explains?|provides?)(?:\ that\b|\s*[:,])\s*",
    re.IGNORECASE,
)
"""Who says so: what every statement is followed by in brackets anyway."""

_REFUSED = re.compile(rf"\W*{CANNOT_ANSWER}\b", re.IGNORECASE)
_ENDS = ".!?\u2026\u3002\uff01\uff1f"


@dataclass(frozen=True, slots=True)
class ReplySentence:
    """A sentence of a reply, as plain text without its full stop.

    `claims` are the sentence itself, or its two independent clauses. `cites` are the numbers of
    sources in order. `context` is what its pronouns and ellipses refer to. `is_fragment` says that
    it is no sentence by itself ("27 days"), `refers_back` that it leans on the one before it.
    """

    text: str
    claims: tuple[str, ...]
    cites: tuple[int, ...]
    context: str = ""
    is_fragment: bool = False
    refers_back: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a reply says: its bullets, in order, and whether it refuses.

    `refused` means that it begins with a refusal; `denies` that it has one anywhere.
    `is_empty` means that it says nothing at all.
    """

    bullets: tuple[tuple[ReplySentence, ...], ...]
    refused: bool = False
    denies: bool = False
    is_empty: bool = False


def read_reply(reply: ModelReply, sources: int) -> Reply:
    """Read a reply to a prompt with so many `sources`. Never fails, whatever it is.

    A sentence without markers of its own cites what its bullet, or its paragraph, cites.
    """
    text = cleaned(reply.text, cut_off=reply.finish_reason is not FinishReason.STOP)
    if not any(character.isalnum() for character in text):
        return Reply((), is_empty=True)
    if _REFUSED.match(text):
        return Reply((), refused=True, denies=True)
    page = read_page(text)
    markers = markers_of(page)
    reader = ClaimReader(page, markers, MAX_CLAIMS)
    reader.read()
    extraction = finished(page, markers, reader, "", "")
    read = list(zip(reader.drafts, extraction.claims, strict=True))
    first = read[0][0].span.start if read else len(text)
    refusals = [skip for skip in extraction.skipped if skip.reason is SkipReason.REFUSAL]
    return Reply(
        tuple(_bullets(page, read, sources)),
        refused=_is_before(refusals, first),
        denies=bool(refusals),
    )


def _is_before(refusals: Sequence[Skipped], first: int) -> bool:
    return any(skip.span.start < first for skip in refusals)


_Read = tuple[Draft, AnswerClaim]


def _bullets(
    page: AnswerPage, read: Sequence[_Read], sources: int
) -> Iterator[tuple[ReplySentence, ...]]:
    """List items as they are; of a paragraph each sentence with those that refer back to it."""
    for _, members in groupby(read, key=lambda one: one[0].block):
        block = list(members)
        of_block = source_numbers((m for _, claim in block for m in claim.markers), sources)
        sentences = [
            sentence
            for _, parts in groupby(block, key=lambda one: one[0].sentence)
            if (sentence := _sentence(page, list(parts), sources, of_block)) is not None
        ]
        bullet: list[ReplySentence] = []
        for sentence in sentences:
            if bullet and block[0][0].kind is not BlockKind.ITEM and not sentence.refers_back:
                yield tuple(bullet)
                bullet = []
            bullet.append(sentence)
        if bullet:
            yield tuple(bullet)


def _sentence(
    page: AnswerPage, parts: Sequence[_Read], sources: int, of_block: tuple[int, ...]
) -> ReplySentence | None:
    """One sentence from its clauses; None where no words are left of it."""
    draft = parts[0][0]
    claims = [_statement(part.statement) for part, _ in parts]
    text = claims[0] if len(parts) == 1 else _statement(_shown(page, parts))
    if not any(character.isalpha() for character in text):
        return None
    lead = _lead(draft, text)
    if lead:
        text = f"{lead}: {text}"
    markers = [marker for _, claim in parts for marker in claim.markers]
    cites = source_numbers(markers, sources) if markers else of_block
    return ReplySentence(
        text=_without_stop(text),
        claims=(text,) if lead or len(parts) == 1 else tuple(claims),
        cites=cites,
        context=draft.context,
        is_fragment=not lead and draft.kind is not BlockKind.ROW and _is_fragment(text),
        refers_back=not lead and refers_back(text),
    )


def _shown(page: AnswerPage, parts: Sequence[_Read]) -> str:
    """What a reader sees of a sentence of two clauses, without its markers."""
    start, end = parts[0][0].span.start, parts[-1][0].span.end
    places = sorted({m.span for _, claim in parts for m in claim.markers})
    cuts = [place for place in places if start <= place.start and place.end <= end]
    return shown_text(page.document, start, end, cuts).text


def _statement(shown: str) -> str:
    """Plain text without who says so before it."""
    text = plain(shown)
    says = _SAYS.match(text)
    rest = text[says.end() :] if says else text
    return f"{rest[:1].upper()}{rest[1:]}" if says and rest else text


def _lead(draft: Draft, text: str) -> str:
    """What introduces a list item that means nothing, or something else, without it."""
    if draft.kind not in (BlockKind.ITEM, BlockKind.TEXT) or not draft.context:
        return ""
    above = draft.context.rsplit("\n", 1)[-1]
    lead = plain(above).rstrip(":\uff1a. ")
    introduces = above.rstrip().endswith((":", "\uff1a"))
    if _is_fragment(text) or (introduces and _CONDITION.search(above)):
        return lead
    return ""


def _is_fragment(text: str) -> bool:
    """Whether words are no sentence by themselves: without a verb, or without a subject."""
    if text[:1].islower():
        return True
    return not has_verb(text) and len(words_of(text, 20)) <= _MOST_FRAGMENT_WORDS


def _without_stop(text: str) -> str:
    return text.rstrip(_ENDS + " ") or text
