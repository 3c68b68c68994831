"""Why a quote or an event was not believed, or was put right, in plain words: one place for all."""

from __future__ import annotations

from collections.abc import Sequence

NO_WORDS = "it has no words"
NOT_THERE = "these words do not stand in the transcript one after the other"
LEAVES_OUT = (
    "it leaves words out, and what stands on either side of the gap cannot be put together; "
    "quote words that follow one another"
)
SEVERAL_TURNS = "the words are said in more than one turn, so by nobody"
SILENCE = "the words are parted by a long silence"
NO_TIME = "the transcript has no time for these words"
NOT_PARAPHRASED = "neither these words nor others that say the same stand in the transcript"
NOT_STATED = "what is said there is a question, an order, a plan or a doubt, and states nothing"
DENIES = "the words that say something like it deny what it says, or the other way round"
DENIED_AROUND = "what is said around these words denies them or takes them back"
PARAPHRASED = "it is no quote: the transcript says it in other words"
NO_EVENT_TIME = "the transcript has no times"
NO_EVIDENCE = "no verified quote of this criterion shows it"
EVENT_REFUSED = "the quote that was cited for its second is not verified"

_MOST_SHOWN = 80


def too_long(length: int, limit: int) -> str:
    """A quote of more characters than are checked."""
    return f"the quote has {length:,} characters; more than {limit:,} are not checked"


def too_many(limit: int) -> str:
    """A quote after the last that is checked."""
    return f"only the first {limit} of a criterion are checked"


def changed(said: str) -> str:
    """Words that stand there with another number, sign or short form."""
    return f"a number, sign or short form was changed: the transcript reads {quoted(said)}"


def cut_off(word: str) -> str:
    """A place that was cut from a word which makes something else of it."""
    return f"it leaves out {quoted(word)} next to it, and so says something else"


def in_doubt(meant: str) -> str:
    """Words that are not simply said to be so; `meant` as in `Reading`."""
    return f"in its place it is said {meant}"


def too_many_events(limit: int) -> str:
    """Events after the last that is kept."""
    return f"only the first {limit} events of a criterion are kept"


def too_short(count: int, least: int) -> str:
    """Too few words that are no utterance of their own."""
    words = "word is" if count == 1 else "words are"
    return f"{count} {words} too few, at least {least} are needed unless they are all that was said"


def said_by(spoken: Sequence[str | None], claimed: str) -> str:
    """Words that somebody else said, or nobody knows who."""
    named = sorted({label for label in spoken if label is not None})
    if not named:
        return f"the transcript does not tell who said it, so not that it was {quoted(claimed)}"
    return f"said by {_either(named)}, not by {quoted(claimed)}"


def speaker_unconfirmed(claimed: str, label: str | None) -> str:
    """A speaker's name where the transcript has none."""
    there = "has no speaker there" if label is None else f"only has {label} there"
    return f"claimed for {quoted(claimed)}, but the transcript {there}"


def no_such_speaker(claimed: str) -> str:
    """A speaker whom the transcript does not have."""
    return f"the transcript has no speaker {quoted(claimed)}"


def elsewhere(claimed: float, said: float) -> str:
    """Words that stand only at another second than was claimed."""
    return f"claimed for {claimed:g} s, said at {said:g} s"


def several_places(count: str, claimed: float | None, tolerance: float) -> str:
    """Words that stand at several places of which none is the claimed one."""
    if claimed is None:
        return f"said at {count} places, and no second tells which is meant"
    return f"said at {count} places, none within {tolerance:g} s of {claimed:g} s"


def unknown_event(name: str) -> str:
    """An event that the rubric does not have."""
    return f"the rubric has no event {quoted(name)}"


def event_too_far(at: float, nearest: float, tolerance: float) -> str:
    """An event that no verified quote lies near."""
    return (
        f"no verified quote of this criterion lies within {tolerance:g} s of {at:g} s; "
        f"the nearest is at {nearest:g} s"
    )


def _either(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def quoted(text: str) -> str:
    """Words of somebody else: in quotation marks, on one line, shortened."""
    shown = " ".join(text.split())
    return f"\u201c{shown[:_MOST_SHOWN]}{'...' if len(shown) > _MOST_SHOWN else ''}\u201d"
