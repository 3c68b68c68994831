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
    MomentKind.STORY: "I would like to begin where you began, with a story.",
    MomentKind.CALL_TO_ACTION: "You asked something of your listeners, so let us look at how.",
    MomentKind.CONTRAST: "You set ideas against each other, so let us look at how.",
    MomentKind.TRIAD: "You gave your words a rhythm, so let us look at where.",
    MomentKind.QUESTION: "You asked your listeners to think along, so let us look at where.",
}
PLAIN_LEAD = "Let us look at a few of the words that you chose."

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

PRAISE: dict[MomentKind, tuple[Text, ...]] = {
    MomentKind.STORY: (
        (
            "You took your listeners to a particular time early on.",
            (
                "A time and a person give people something to picture, and the ideas that "
                "follow have a place to stand."
            ),
        ),
        (
            "You let a story carry the first part of your talk.",
            (
                "Once people are inside a story they want to know how it goes on, and they "
                "listen for the point."
            ),
        ),
    ),
    MomentKind.QUESTION: (
        (
            "You asked a question and let it work on your listeners.",
            "A question invites people to look for an answer of their own before they hear yours.",
        ),
        (
            "You turned to your listeners with a question in the middle of the talk.",
            "A question at this point draws people back in and tells them what to listen for next.",
        ),
        (
            "You put a question to your listeners late in the talk.",
            "A question near the end is something that people can carry out of the room.",
        ),
    ),
    MomentKind.CONTRAST: (
        (
            "You set one idea against another in a single breath.",
            (
                "When people hear what something is not, the other half becomes easier to see "
                "and to remember."
            ),
        ),
        (
            "You sharpened your point with a contrast.",
            "Two halves that answer each other are easy to repeat, so the point can travel.",
        ),
    ),
    MomentKind.TRIAD: (
        (
            "You gave the line a rhythm by starting three times with the same word.",
            "The ear learns the pattern and waits for its end, which is where the weight falls.",
        ),
        (
            "You built a line out of three parts of the same shape.",
            "Repetition like this is easy to follow by ear and easy to retell.",
        ),
    ),
    MomentKind.CALL_TO_ACTION: (
        (
            "You told your listeners what to do with what they had heard.",
            "A plain request turns an idea into a next step that people can take.",
        ),
        (
            "You asked your listeners to act before you let them go.",
            "People leave with something to do, and that keeps the talk alive after its end.",
        ),
    ),
    MomentKind.OPENING_WORDS: (
        (
            "You gave your listeners these words near the beginning.",
            "Early words set what people expect, so it is good to know which ones you chose.",
        ),
        (
            "You led into your talk with this passage.",
            "A beginning in your own words shows people where you stand before the details come.",
        ),
    ),
    MomentKind.MIDDLE_PASSAGE: (
        (
            "You took your listeners through this passage on the way.",
            "Lines like this carry people from where a talk starts to where it ends.",
        ),
        (
            "You went on with these words in the body of the talk.",
            (
                "The body of a talk is where people stay or drift, and here you kept them with "
                "you in your own words."
            ),
        ),
    ),
    MomentKind.CLOSING_WORDS: (
        (
            "You left your listeners with these words towards the end.",
            "Late words ring on the longest, so they are worth choosing as you did.",
        ),
        (
            "You came to your close with this passage.",
            "A close in your own words gives people a line to take home.",
        ),
    ),
}

ADVICE: dict[MomentKind, tuple[Text, ...]] = {
    MomentKind.FILLERS: (
        (
            "Try a silent breath where a small filling word slips in.",
            (
                "Read this line aloud and pause wherever you search for the next word. Silence "
                "gives people time to take in what came before."
            ),
        ),
        (
            "Next time, let a short silence stand in for the small words between your thoughts.",
            (
                "Practise this line slowly, and close your mouth for a moment between its "
                "parts. The thoughts then stand out by themselves."
            ),
        ),
    ),
    MomentKind.RUSH: (
        (
            "Try to slow down in this stretch, which came faster than the rest.",
            (
                "Mark two places in it where you breathe. Each thing that you name then has a "
                "moment to be seen."
            ),
        ),
        (
            "Consider giving this quick stretch more room.",
            (
                "Speed can show excitement. Keep that, and pause before the line that matters, "
                "so that people arrive there with you."
            ),
        ),
    ),
    MomentKind.LONG_SENTENCE: (
        (
            "Try to tell this long sentence as several short ones.",
            (
                "Listeners cannot go back and read. End a sentence after each thought, and each "
                "of them gets its own weight."
            ),
        ),
        (
            "Consider where this long sentence could end sooner.",
            (
                "Say it aloud and stop where you first need a breath. That is often where one "
                "thought ends and the next one begins."
            ),
        ),
    ),
    MomentKind.OPENING_WORDS: (
        (
            "Try beginning with one detail that people can see or hear.",
            (
                "Take these early words and put a place, a sound or an object in front of them. "
                "A picture gives listeners a way in."
            ),
        ),
        (
            "Consider a short silence before words like these.",
            (
                "Stand still, look at your listeners and breathe in once. The first line then "
                "starts in a quiet room."
            ),
        ),
    ),
    MomentKind.MIDDLE_PASSAGE: (
        (
            "Try adding one small example to this passage.",
            (
                "Choose a person, a place or a thing that stands for the idea. Listeners "
                "remember the example, and the idea comes with it."
            ),
        ),
        (
            "Consider marking this point with a pause on either side.",
            "Stop before it and after it. The silence tells people that this line matters.",
        ),
    ),
    MomentKind.CLOSING_WORDS: (
        (
            "Try a longer silence around these late words.",
            (
                "Say them a little slower and wait before you go on. That lets people take the "
                "thought with them."
            ),
        ),
        (
            "Consider leading back to your beginning as you come to a close.",
            (
                "Pick one word from your first lines and say it again near these words. A "
                "circle tells people that the talk is complete."
            ),
        ),
    ),
}

TEXTS = {ItemType.COMMENDATION: PRAISE, ItemType.RECOMMENDATION: ADVICE}
