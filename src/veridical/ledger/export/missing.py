"""Scripts for which no font was found: which they are, and what to install."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from veridical.validation.reports.wording import count

_MOST_SHOWN = 8
_EAST_ASIAN = frozenset(("CJK", "Hangul", "Hiragana", "Katakana", "Bopomofo", "Halfwidth"))
_PICTURES = "symbols and emoji"
_PRIVATE = "private use"


def missing_notices(characters: Sequence[str]) -> list[str]:
    """One sentence a script, with some of its characters and the fonts that would help."""
    scripts: dict[str, list[str]] = {}
    for character in sorted(characters):
        scripts.setdefault(script_of(character), []).append(character)
    return [_notice(script, found) for script, found in sorted(scripts.items())]


def script_of(character: str) -> str:
    """The script of a character as its Unicode name begins: `Thai`, `Hangul`, `CJK`."""
    kind = unicodedata.category(character)
    if kind == "Co":
        return _PRIVATE
    if kind[0] == "S":
        return _PICTURES
    first = unicodedata.name(character, "UNKNOWN SCRIPT").split()[0]
    return first if first == "CJK" else first.capitalize()


def _notice(script: str, found: Sequence[str]) -> str:
    codes = ", ".join(f"U+{ord(character):04X}" for character in found[:_MOST_SHOWN])
    more = len(found) - _MOST_SHOWN
    rest = f" and {more:,} more" if more > 0 else ""
    return (
        f"No font was found for {count(len(found), 'character')} of {script}: {codes}{rest}. "
        f"Empty boxes stand for them. {_remedy(script)}"
    )


def _remedy(script: str) -> str:
    if script == _PRIVATE:
        return "Their meaning is private to the source's own font."
    if script in _EAST_ASIAN:
        return "Install a font such as Noto Sans CJK (Debian, Ubuntu: fonts-noto-cjk)."
    if script == _PICTURES:
        return (
            "Install fonts such as Noto Color Emoji and Noto Sans Symbols (Debian, Ubuntu: "
            "fonts-noto-color-emoji, fonts-noto-core)."
        )
    return f"Install a font such as Noto Sans {script} (Debian, Ubuntu: fonts-noto-core)."
