"""The colours of a report, read from the style that it carries, and how well they can be told."""

from __future__ import annotations

import re

SCHEMES = ("light", "dark")
_DARK = "@media screen and (prefers-color-scheme: dark)"


def palette(style: str, scheme: str) -> dict[str, str]:
    """The colours of a scheme: those of every page, and those of reports beside them."""
    found: dict[str, str] = {}
    for number, part in enumerate(re.split(re.escape(_DARK), style)):
        # What stands in the first block of a part is dark, the rest of the part is not.
        dark, light = ("", part) if number == 0 else part.split("}", 1)
        block = dark if scheme == "dark" else light
        found.update(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    return found


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def low_contrasts(colours: dict[str, str], least: dict[tuple[str, str], float]) -> set[str]:
    """The pairs that stand out less than they must."""
    return {
        f"{text} on {ground}: {contrast(colours[text], colours[ground]):.2f}"
        for (text, ground), ratio in least.items()
        if contrast(colours[text], colours[ground]) < ratio
    }


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
