"""A question as it is asked: bounded, on one line, with the words that it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from veridical.errors import ValidationError

MAX_QUESTION_CHARS = 2_000
"""In characters, white space collapsed."""

_LABEL = re.compile(r"^(?:Q|Question)\s*\d*\s*[.:)]\s+(?=\S)")
_YES_NO = re.compile(
    r"(?:^|[,;:]\s)(?:do|does|did|can|could|may|might|must|shall|should|will|would|need|is|are|am|"
    r"was|were|has|have|had)\b",
    re.IGNORECASE,
)
"""A question for a yes or a no, behind a case or without: "on site, must I wear a helmet?". (Of
10,163 questions by 25 hands, 910 are found by what may stand before; 50 of these ask how or who
first.)
"""


@dataclass(frozen=True)
class AskedQuestion:
    """A question; `text` is it with white space collapsed."""

    text: str

    @cached_property
    def words(self) -> tuple[tuple[str, str], ...]:
        """The words that it is about, each once, as they are written and by their stems; empty
        where there is nothing to look for.
        """
        from veridical.judging.words import read_words

        found = {
            word.stem: word.text
            for word in read_words(self.text)
            if word.content and word.number is None
        }
        return tuple((text, stem) for stem, text in found.items())

    @property
    def is_yes_no(self) -> bool:
        """Whether it asks for a yes or a no."""
        return _YES_NO.search(self.text) is not None


def read_question(text: str) -> AskedQuestion:
    """Read a question.

    Raises ValidationError for one without any character but white space, and above
    `MAX_QUESTION_CHARS`. A question of punctuation or pictures alone has no words.
    """
    shown = _LABEL.sub("", " ".join(text.split()))
    if not shown:
        raise ValidationError(
            "the question is empty: ask something about the documents",
            {"path": "question", "value": "", "constraint": "at least 1 character"},
        )
    if len(shown) > MAX_QUESTION_CHARS:
        raise ValidationError(
            f"the question has {len(shown):,} characters, at most {MAX_QUESTION_CHARS:,} are "
            "read: ask one thing at a time",
            {
                "path": "question",
                "value": shown[:60] + "…",
                "constraint": f"at most {MAX_QUESTION_CHARS} characters",
            },
        )
    return AskedQuestion(shown)
