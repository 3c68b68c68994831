"""Front matter: the settings (YAML, TOML) that some tools put before the text of a document."""

from __future__ import annotations

import re

_LINE = re.compile(r"([^\r\n]*+)(?:\r\n?|\n|\Z)")
_SETTING = re.compile(r"[\w\"'.][^:=]*+[:=]|[ \t]|#|-(?:[ \t]|$)|[\[\]{}]|$")
_TITLE = re.compile(r"(?:\A|[\r\n])(?i:title|\"title\"|'title')[ \t]*+[:=][ \t]*+([^\r\n]++)")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^']|'')*+)'")
_COMMENT = re.compile(r"[ \t]#.*+")
_NO_TEXT = frozenset("|>[{&*!")
"""How a value starts that is more than one line of text."""


def front_matter_end(text: str) -> int:
    """Where the front matter of a text ends, an offset into `text`; 0 where there is none."""
    fence = ""
    for index, line in enumerate(_LINE.finditer(text)):
        content = line[1].rstrip()
        if index == 0:
            fence = content
            if fence not in {"---", "+++"}:
                return 0
        elif content == fence or (content == "..." and fence == "---"):
            return line.end() if index > 1 else 0
        elif not _SETTING.match(content):
            return 0
    return 0


def front_matter_title(text: str) -> str:
    """The title that the front matter of a text gives it, on one line; empty where it gives none.

    Only a title written on its own line is understood, with or without quotes.
    """
    found = _TITLE.search(text, 0, front_matter_end(text))
    if found is None:
        return ""
    value = found[1].strip()
    quoted = _QUOTED.match(value)
    if quoted:
        value = _unescaped(quoted)
    elif value[:1] in _NO_TEXT:
        return ""
    else:
        value = _COMMENT.sub("", value)
    return " ".join(value.split())


def _unescaped(quoted: re.Match[str]) -> str:
    if quoted[1] is None:
        return quoted[2].replace("''", "'")
    return re.sub(r"\\(.)", r"\1", quoted[1])
