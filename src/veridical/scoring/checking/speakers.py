"""Who is meant by a speaker's name, and does it fit the label that the transcript has?"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from veridical.scoring.checking.units import is_diarised, unit_of
from veridical.text.spoken import spoken_keys

_NOBODY = frozenset({"", "unknown", "unknownspeaker", "unidentified", "speaker", "none", "na"})


class Fit(StrEnum):
    """How a claimed speaker agrees with who spoke by the transcript.

    `unconfirmed`: the transcript does not say who that was, only that it was one speaker or none.
    """

    SAME = "same"
    UNCONFIRMED = "unconfirmed"
    OTHER = "other"


class Speakers:
    """The speakers of a transcript by their labels."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels = tuple(labels)

    def meant_by(self, claimed: str) -> frozenset[str]:
        """The labels that a name may mean: the same but for case, spaces and signs, or the same
        unit ("E25" is "Engine 25").
        """
        plain, unit = _plain(claimed), unit_of(claimed)
        return frozenset(
            label
            for label in self._labels
            if _plain(label) == plain or (unit is not None and unit_of(label) == unit)
        )

    def fit(self, claimed: str | None, said_by: str | None) -> Fit:
        """Whether the one who is claimed to have spoken is `said_by`, None where nobody knows.

        A name that is no label of the transcript fits only where that has no name either.
        """
        if claimed is None or _plain(claimed) in _NOBODY:
            return Fit.SAME
        meant = self.meant_by(claimed)
        if meant:
            return Fit.SAME if said_by in meant else Fit.OTHER
        if said_by is None or (is_diarised(said_by) and not is_diarised(claimed)):
            return Fit.UNCONFIRMED
        return Fit.OTHER

    def is_invented(self, claimed: str | None) -> bool:
        """Whether a claimed speaker is surely none of these: names cannot be, where only numbers
        tell speakers apart.
        """
        if claimed is None or _plain(claimed) in _NOBODY or self.meant_by(claimed):
            return False
        named = any(not is_diarised(label) for label in self._labels)
        return named or (is_diarised(claimed) and bool(self._labels))


def _plain(label: str) -> str:
    return "".join(spoken_keys(label.replace("_", " ")))
