"""Words by what they weigh when two phrases are compared."""

from __future__ import annotations

FILLERS = frozenset("uh um er erm ah eh hm hmm mm".split())
ARTICLES = frozenset({"a", "an", "the"})

COUNTS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
"""Numbers that are written either way: "Engine 7", "Engine seven", "two-story"."""

EMPTY_WORDS = frozenset(
    """
    a an the of on in at to for with from by and or is are was were be been am i we you he she it
    they this that these those my our your their its me us him her them now just have has had do
    does did here there so up im ive we're weve youre theyre thats
    """.split()
)
"""Words that say nothing of what a sentence is about."""

PREPOSITIONS = frozenset("of on in at to for with from by up".split())
"""Those of the empty words without which "water on the fire" is no other than "water for it"."""
