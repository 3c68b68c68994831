"""What the fixed rules say about a moment: for each kind, a summary and an explanation.

A rule sees words, signs and times. So each text says what is there and what it can do for a
listener; none claims that it did. Where a kind has several texts, the place in the talk decides.
"""

from __future__ import annotations

from importlib import resources

from veridical.speech.evaluation import ItemType
from veridical.speech.offline.moments import MomentKind

Text = tuple[str, str]

OPENING = (
    "Thank you for your talk. {lead} These notes were put together by fixed rules that look for "
    "moments in your own words, so take what helps you and leave the rest."
)
LEADS = {
    MomentKind.STORY: "You told of something that you did, so let us begin there.",
    MomentKind.CALL_TO_ACTION: "You asked something of your listeners, so let us look at how.",
    MomentKind.CONTRAST: "You set one thing against another, so let us look at how.",
    MomentKind.QUESTION: "You asked a question on the way, so let us look at where.",
}
PLAIN_LEAD = "Let us look at a few of the words that you chose."
SHORT_LEAD = "There were few words in a row to quote from, so these notes are short."

CLOSING = (
    "That is what the fixed rules picked out, and a listener will have noticed more than rules "
    "can. {wish} Thank you for speaking to us."
)
WISHES = {
    MomentKind.FILLERS: "Please take one quiet breath with you to your next talk.",
    MomentKind.RUSH: "Please give your best lines their time when you tell them again.",
    MomentKind.LONG_SENTENCE: "Please bring us the same thoughts again, one at a time.",
}
PLAIN_WISH = "Please choose one line to work on, and bring it to your next talk."

NOTHING_TO_QUOTE = (
    (
        "Thank you for speaking. These notes were put together by fixed rules, and there were "
        "too few words in a row for the rules to quote from."
    ),
    "Please come back with a longer talk. Thank you for speaking to us.",
)


def _texts(file: str) -> dict[MomentKind, tuple[Text, ...]]:
    """The texts of each kind of moment, from a file: its kind, its summary, its explanation."""
    texts: dict[MomentKind, tuple[Text, ...]] = {}
    table = resources.files(__package__).joinpath(file).read_text("utf-8")
    for entry in table.strip().split("\n\n"):
        kind, summary, *explanation = entry.splitlines()
        known = texts.get(MomentKind(kind), ())
        texts[MomentKind(kind)] = (*known, (summary, " ".join(explanation)))
    return texts


PRAISE = _texts("praise.txt")
ADVICE = _texts("advice.txt")
TEXTS = {ItemType.COMMENDATION: PRAISE, ItemType.RECOMMENDATION: ADVICE}
