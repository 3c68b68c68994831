"""Which source a claim says that it is from, in its own words: "According to travel.md, ...".

A file name counts there, and a whole title; so does a file name alone above the claim, as a heading
or as "From travel.md:". A file that a sentence is about ("Send travel.md to payroll") is no source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.ledger.extraction.named_citations import SUFFIX
from veridical.sources.patterns import lazy

_FLAGS = re.IGNORECASE | re.VERBOSE
_FILE = rf"[\w()%+&/\\-][\w.()%+&/\\-]{{0,99}}?{SUFFIX}(?!\w)"
_IN = (
    r"(?:according\ to|as\ per|based\ on|(?:as\ )?(?:stated|noted|described|set\ out|outlined|"
    r"specified|mentioned|written|laid\ down)\ (?:in|by))"
)
_SAYS = r"(?:states?|says?|notes|explains?|specif(?:y|ies)|provides?|tells?|reads)"

_FILE_BEHIND = lazy(
    rf"\b(?:{_IN}|per|see(?:\ also)?|sources?:)[\s*_`\"'(\[]+(?P<name>{_FILE})", _FLAGS
)
_FILE_SPEAKS = lazy(rf"(?:\A|[\s*_`\"'(])(?P<name>{_FILE})[*_`\"')]*\s+{_SAYS}\b", _FLAGS)
_FILE_BEGINS = lazy(rf"\A\W*(?:(?:from|in)\W+)?(?P<name>{_FILE})[*_`\"')]*[:,]", _FLAGS)
_TITLE_BEHIND = lazy(
    rf"\b{_IN}\s+(?:the|our)\s+(?P<name>[^,;:.\n()]{{1,80}})(?=[,;:.()]|\Z)", _FLAGS
)
_TITLE_SPEAKS = lazy(
    rf"\A\W*(?:as\ )?(?:the|our)\s+(?P<name>[^,;:.\n]{{1,80}}?)\s+{_SAYS}(?:\ that\b|,)", _FLAGS
)
_IN_CLAIM = (_FILE_BEHIND, _FILE_SPEAKS, _FILE_BEGINS, _TITLE_BEHIND, _TITLE_SPEAKS)
_LABEL = lazy(rf"\W*(?:(?:from|in|{_IN}|file|sources?)\W+)?(?P<name>{_FILE})\W*", _FLAGS)


def attributions(text: str, context: str) -> Iterator[str]:
    """What a claim, and the lines above it that lead in to it, call its sources."""
    lines = [part for line in context.splitlines() for part in line.split(" > ")]
    for said in (text, *(line for line in lines if line.rstrip().endswith(":"))):
        for pattern in _IN_CLAIM:
            yield from (found["name"].strip() for found in pattern().finditer(said))
    for line in lines:
        if label := _LABEL().fullmatch(line):
            yield label["name"]
