"""An eight-hour transcript and quotes from it, for the row of timed quotes."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

from veridical.sources.document import Format, Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.text.spoken import spoken_keys
from veridical.validation.timed import TimedQuote, TimedQuoteChecker, TimedQuoteResult

WORDS = 70_000
SECONDS_A_WORD = 8 * 3600 / WORDS
WORDS_A_SEGMENT = 18


def spoken_text(data: Path, otherwise: str) -> str:
    """Mission radio where the shared data is at hand, as people speak; else any text."""
    radio = data / "transcripts" / "apollo11_air_ground.dev.jsonl"
    if not radio.is_file():
        return otherwise
    with radio.open(encoding="utf-8") as lines:
        return " ".join(json.loads(line)["text"] for line in lines)


def transcript(text: str) -> Transcript:
    """The first words of a text, as if they were said at one pace for eight hours."""
    said = [word for word in text.split() if any(map(str.isalnum, word))][:WORDS]
    words: list[Word] = []
    at = 0
    for number, word in enumerate(said):
        start = round(number * SECONDS_A_WORD, 3)
        words.append(Word(Span(at, at + len(word)), start, round(start + 0.3, 3)))
        at += len(word) + 1
    groups = [words[n : n + WORDS_A_SEGMENT] for n in range(0, len(words), WORDS_A_SEGMENT)]
    return Transcript(
        name="eight hours",
        text=" ".join(said),
        format=Format.TRANSCRIPT,
        words=tuple(words),
        segments=tuple(
            Segment(Span(g[0].span.start, g[-1].span.end), g[0].start, g[-1].end) for g in groups
        ),
    )


def quotes(said: Transcript, count: int, *, seed: int) -> list[TimedQuote]:
    """Quotes of 7 to 13 words: of ten, eight as said, one at a wrong second, one altered."""
    rng = random.Random(seed)
    drawn: list[TimedQuote] = []
    for number in range(count):
        first, length = rng.randrange(len(said.words) - 20), rng.randint(7, 13)
        words = said.words[first : first + length]
        text = said.text[words[0].span.start : words[-1].span.end]
        seconds = (words[0].start or 0.0) + rng.uniform(-15, 15)
        if number % 10 == 8:
            seconds += 300
        if number % 10 == 9:
            altered = text.split()
            altered[length // 2] = "otherwise"
            text = " ".join(altered)
        drawn.append(TimedQuote(text.capitalize(), seconds))
    return drawn


def check(said: Transcript, asked: Sequence[TimedQuote]) -> list[TimedQuoteResult]:
    """Our work: the transcript made ready, the quotes checked and the failed ones corrected."""
    return TimedQuoteChecker(said).check_all(asked)


def judge(said: Transcript, asked: Sequence[TimedQuote]) -> list[TimedQuoteResult]:
    """The same without looking for corrections: what the contract's algorithm asks for."""
    checker = TimedQuoteChecker(said)
    return [checker.judge(quote) for quote in asked]


def plainly(said: Transcript, asked: Sequence[TimedQuote]) -> list[bool]:
    """The contract's algorithm as it is written: two lists of tokens, every place tried."""
    tokens = [spoken_keys(said.text[word.span.start : word.span.end])[0] for word in said.words]
    passed: list[bool] = []
    for quote in asked:
        wanted = spoken_keys(quote.quote)
        places = [
            at
            for at in range(len(tokens) - len(wanted) + 1)
            if tokens[at : at + len(wanted)] == wanted
        ]
        near = any(abs((said.words[at].start or 0.0) - quote.seconds) <= 20 for at in places)
        passed.append(near and 6 <= len(wanted) <= 15)
    return passed
