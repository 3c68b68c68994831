"""What typesets a PDF, in a process of its own.

Reads one JSON object from standard input: `template`, `data`, `fonts` and `mono` (families in the
order of preference), `timestamp` (seconds since 1970). Writes one line of JSON and then the PDF's
bytes to what was standard output. The line holds `warnings`: scripts that no font can draw.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from veridical.reports.words import count

# Scripts for which no font was found: which they are, and what to install.


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


# Typst's standards for archives forbid text that no font can draw, and its errors name it.
_ARCHIVAL: Final = "a-2u"
_UNDRAWN = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
_ESCAPED = re.compile(r"\\u\{([0-9a-fA-F]{1,6})\}|\\(.)", re.DOTALL)
MAX_MEMORY_BYTES = 4 * 1024**3

_PROBE = b"#for each in json(bytes(sys.inputs.probe)) [ #text(each) ]"


def main() -> None:
    """Serve one request."""
    _limit_memory()
    reply_to = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    request = json.load(sys.stdin)
    data, header = typeset(request)
    with os.fdopen(reply_to, "wb") as stream:
        stream.write(json.dumps(header).encode("ascii") + b"\n" + data)


def _limit_memory() -> None:
    """Bound memory by the operating system, where it can (not on Windows)."""
    try:
        import resource
    except ImportError:
        return
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = MAX_MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MAX_MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def typeset(request: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    """The PDF, and what it warns of."""
    import typst

    fonts = typst.Fonts()
    families = set(fonts.families())
    data: dict[str, Any] = request["data"]
    data["fonts"] = [name for name in request["fonts"] if name in families]
    data["mono"] = [name for name in request["mono"] if name in families] + data["fonts"]
    warnings = missing_notices(undrawable(characters(data), fonts))
    data["notices"] += warnings
    pdf = _compile(
        request["template"].encode(), {"ledger": data}, fonts, timestamp=request["timestamp"]
    )
    return pdf, {"warnings": warnings}


def characters(value: Any) -> set[str]:
    """Every character of every string in the data."""
    found: set[str] = set()
    pending: list[Any] = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            found.update(each)
        elif isinstance(each, Mapping):
            pending.extend(each.values())
        elif isinstance(each, list | tuple):
            pending.extend(each)
    return found


def undrawable(found: set[str], fonts: Any) -> list[str]:
    """The characters that none of the fonts can draw, as typst itself finds by trying."""
    import typst

    probe = sorted(each for each in found if not each.isascii() and _is_drawn(each))
    try:
        _compile(_PROBE, {"probe": probe}, fonts, standard=_ARCHIVAL)
    except typst.TypstError as error:
        named = "".join(_unescaped(text) for text in _UNDRAWN.findall(error.diagnostic))
        return sorted(set(named) & set(probe)) or probe
    return []


def _compile(
    source: bytes,
    data: Mapping[str, Any],
    fonts: Any,
    *,
    timestamp: int = 0,
    standard: Literal["a-2u"] | None = None,
) -> bytes:
    """A PDF of the source. It can read and fetch nothing: its root and packages are empty."""
    import typst

    with tempfile.TemporaryDirectory() as nowhere:
        compiler = typst.Compiler(
            source,
            root=nowhere,
            package_path=nowhere,
            package_cache_path=nowhere,
            font_paths=fonts,
            sys_inputs={name: json.dumps(value) for name, value in data.items()},
        )
        pdf = compiler.compile(
            format="pdf", timestamp=timestamp, pdf_standards=[standard] if standard else []
        )
    if not isinstance(pdf, bytes):
        raise TypeError("typst gave no PDF")
    return pdf


def _is_drawn(character: str) -> bool:
    """Whether a character has a picture of its own: no space, control or variation selector."""
    kind = unicodedata.category(character)
    selector = "VARIATION SELECTOR" in unicodedata.name(character, "")
    return kind == "Co" or (kind[0] not in "CZ" and not selector)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], text)
