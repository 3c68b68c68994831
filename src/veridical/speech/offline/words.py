"""What the fixed rules say about a moment: for each kind, a summary and an explanation.

A rule sees words, signs and times. So each text says what is there and what it can do for a
listener; none claims that it did. Where a kind has several texts, the place in the talk decides.
"""

from __future__ import annotations

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
    MomentKind.TRIAD: "You repeated a word on the way, so let us look at where.",
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


def _texts(table: str) -> dict[MomentKind, tuple[Text, ...]]:
    """The texts of each kind of moment, from a table: its kind, its summary, its explanation."""
    texts: dict[MomentKind, tuple[Text, ...]] = {}
    for entry in table.split("\n\n"):
        kind, summary, *explanation = (line.strip() for line in entry.strip().splitlines())
        known = texts.get(MomentKind(kind), ())
        texts[MomentKind(kind)] = (*known, (summary, " ".join(explanation)))
    return texts


PRAISE = _texts(
    """
    story
    You took your listeners to a particular time early on.
    You said when it was and what you did then. That gives people something to picture, and the
    ideas that follow have a place to stand.

    question
    You asked a question in the first part of your talk.
    A question invites people to look for an answer of their own before they hear yours.

    question
    You asked a question in the middle of your talk.
    A question at this point can draw people back in, and they listen for what comes.

    question
    You asked a question late in your talk.
    A question near the end is something that people can carry out of the room.

    contrast
    You set one thing against another in a single breath.
    When people hear what something is not, the other half becomes easier to see and to remember.

    contrast
    You put a no and a yes side by side.
    Two halves that answer each other are easy to repeat, so the point can travel.

    triad
    You started three parts in a row with the same word.
    The ear learns a pattern and waits for its end, and that is where weight can fall.

    call_to_action
    You asked your listeners to act before you let them go.
    People leave with something to do, and that can keep a talk alive after its end.

    other_words
    You spoke these words yourself, in front of people.
    Standing up and speaking is where every talk starts, whatever comes of the plan.

    other_words
    You went on speaking to the people in front of you.
    Words like these belong to a room with people in it, and you were there with them.

    opening_words
    You gave your listeners these words near the beginning.
    Early words set what people expect, so it is good to know which ones you chose.

    opening_words
    You led into your talk with this passage.
    A beginning in your own words can show people where you stand.

    middle_passage
    You came to this passage on the way.
    Lines like this carry people from where a talk starts to where it ends.

    middle_passage
    You went on with these words in the body of the talk.
    The body of a talk is where people stay or drift, so each line there has its work.

    closing_words
    You spoke these words towards the end.
    Late words ring on the longest, so it is good to know which ones you chose.

    closing_words
    You came to your close with this passage.
    A close in your own words can give people a line to take home.
    """
)

ADVICE = _texts(
    """
    fillers
    Try a silent breath where a small filling word slips in.
    Read this line aloud and pause wherever you search for the next word. Silence gives people time
    to take in what came before.

    fillers
    Next time, let a short silence stand in for the small words between your thoughts.
    Practise this line slowly, and close your mouth for a moment between its parts. The thoughts
    then stand out by themselves.

    rush
    Try to slow down in this stretch, which came faster than the rest.
    Choose two places in it where you breathe. Each thing that you name then has a moment to be
    seen.

    rush
    Consider giving this quick stretch more room.
    Speed can show excitement. Keep that, and pause before the line that matters, so that people
    arrive there with you.

    long_sentence
    Try to tell this long sentence as several short ones.
    Listeners cannot go back and read. End a sentence after each thought, and each of them gets its
    own weight.

    long_sentence
    Consider where this long sentence could end sooner.
    Say it aloud and stop where you first need a breath. That is often where one thought ends and
    the next one begins.

    opening_words
    Try beginning with one detail that people can see or hear.
    Take these early words and put a place, a sound or an object in front of them. A picture gives
    listeners a way in.

    opening_words
    Consider a short silence before words like these.
    Stand still, look at your listeners and breathe in once. The first line then starts in a quiet
    room.

    middle_passage
    Try adding one small example to this passage.
    Choose a person, a place or a thing that stands for the idea. Listeners remember the example,
    and the idea comes with it.

    middle_passage
    Consider marking this point with a pause on either side.
    Stop before it and after it. The silence tells people that this line matters.

    closing_words
    Try a longer silence around these late words.
    Say them a little slower and wait before you go on. That lets people take the thought with them.

    closing_words
    Consider leading back to your beginning as you come to a close.
    Pick one word from your first lines and say it again near these words. A circle tells people
    that the talk is complete.

    other_words
    Try saying these words once more, slowly, and listen to them.
    Ask yourself what you want people to do or feel when they hear them. Keep what serves that, and
    leave out the rest.
    """
)

TEXTS = {ItemType.COMMENDATION: PRAISE, ItemType.RECOMMENDATION: ADVICE}
