"""What a user says about names: options that two commands share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.speech.names.finders import NameFinder


@dataclass(frozen=True, slots=True)
class Names:
    """Names to leave out, what stands for them, and a spaCy model that finds more."""

    listed: tuple[str, ...] = ()
    phrase: str | None = None
    model: str | None = None

    def finder(self) -> NameFinder | None:
        """The finder of names; None for the embedded one alone."""
        if self.model is None:
            return None
        from veridical.speech.names.finders import AllNames, PatternNames, SpacyNames

        return AllNames(PatternNames(), SpacyNames(self.model))
