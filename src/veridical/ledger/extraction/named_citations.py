"""Citations that name a file: `(p.md)`, `[p.md, page 3]`, `([p.md](p.md))`, `Source: p.md`.

Only what says nothing else is one: a file name, and perhaps the place in it. All other words in
parentheses stay in the claim, for they may limit it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.ledger.extraction.words import LIMITS, has_verb, words_of
from veridical.sources.patterns import lazy
from veridical.sources.span import Span
from veridical.text.signs import SENTENCE_ENDS
from veridical.validation.lexicon import NEGATIONS, RESTRICTIONS

MAX_NAME_CHARS = 100
"""A longer name is no marker: the wire format holds no longer value."""

SUFFIX = r"\.(?:md|txt|html?|pdf|docx|json|vtt|srt)"
"""What a name must end with to be that of a file."""

_LINK = r"\[[^()\[\]\r\n]{1,200}+\]\([^()\s]{1,300}+\)"
_INSIDE = rf"(?:[^()\[\]\r\n\uff08\uff09\u3010\u3011]|{_LINK}){{1,300}}+"
_GROUP = re.compile(
    rf"(?<!\\)(?:(?P<round>[(\uff08])(?P<a>{_INSIDE})[)\uff09]"
    rf"|[\[\u3010](?P<b>{_INSIDE})[\]\u3011](?![(:]))"
)
_LABELLED = re.compile(
    r"(?<!\S)(?:\*\*|\*|_)?(?:Sources?|References?|Quellen?)(?:\*\*|\*|_)?[:\uff1a](?:\*\*|\*|_)?"
    r"[ \t]*(?P<body>[^\r\n]{1,300}+)(?=\r|\n|\Z)"
)
_HAS_FILE = re.compile(SUFFIX + r"(?!\w)", re.IGNORECASE)
_LEAD = re.compile(
    r"\s*(?:(?:see(?:\s+also)?|cf\.?|from|per|according\s+to|sources?|quellen?)\s*[:\uff1a]?\s+"
    r"|(?:sources?|refs?|references?|citations?|cites?|doc(?:ument)?s?|files?|quellen?)"
    r"\s*[:\uff1a]\s*)",
    re.IGNORECASE,
)
_WRAPPED_LINK = re.compile(r"\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]*)\)")
_NAME = re.compile(rf"[^\W_][\w ./\\&%+@-]{{0,{MAX_NAME_CHARS}}}?{SUFFIX}(?![\w.])", re.IGNORECASE)
_SIGNS = " \t*_`'\"\u201c\u201d\u2018\u2019"
_GENERIC = frozenset("source sources link ref reference citation quelle document doc".split())
_PLACE = lazy(
    r"""[\s:#>|\u2013\u2014-]*+(?:
    (?:sections?|sec\.?|\u00a7{1,2}|pages?|pp?\.?|chapters?|ch\.?|articles?|art\.?|clauses?|
       paragraphs?|paras?\.?|lines?|appendix|annex|slides?|abschnitt|seiten?|s\.|kapitel)\s*
    (?-i:(?:\d[\w.]{0,9}|[A-Z](?!\w))(?:\s?[-\u2013&]\s?\d[\w.]{0,9})?(?P<after>.*)|(?P<title>[A-Z].*))
    |(?<=:)\d{1,5}(?:[-\u2013]\d{1,5})?)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_MORE_PAGES = re.compile(r"\d{1,3}(?:\s?[-\u2013]\s?\d{1,3})?")
_MOST_TITLE_WORDS = 8

_NEEDS_NAME = re.compile(
    r"\b(?:in|into|to|from|of|the|a|an|with|under|as|is|are|be|submit|send|use|open|download|"
    r"complete|sign|attach|read|files?|forms?|templates?|documents?|scripts?|named?|called|"
    r"attachments?|configuration|settings)[\s\"'*_]*\Z",
    re.IGNORECASE,
)
"""Words before a name that make it a part of the sentence."""

_ATTRIBUTES = re.compile(
    r"\b(?:according\s+to|(?:stated|described|noted|set\s+out|laid\s+down|specified|outlined|"
    r"mentioned)\s+(?:in|by))\s*\Z",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[*_~\s]*+(?:\Z|[.,;:!?)|\[(\u3010\u3002\uff0c\uff1b\uff1a\uff01\uff1f\uff08])"
    r"|[*_~ \t]*+[\r\n]"
)
_BEGINS = re.compile(rf"(?:\A|[\r\n{SENTENCE_ENDS}])[\s*_~>)\]\"'\u201d-]*\Z")
_AROUND = 60


def named_citations(text: str) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """The place of each citation that names files, and the names as written; in no order."""
    for found in _GROUP.finditer(text):
        body = found["a"] or found["b"]
        if not _HAS_FILE.search(body):
            continue
        lead = _LEAD.match(body)
        stands_apart = bool(lead) or _stands_apart(text, found)
        names = file_names(body[lead.end() :] if lead else body) if stands_apart else ()
        if names:
            yield Span(found.start(), found.end()), names
    for found in _LABELLED.finditer(text):
        before = text[max(0, found.start() - _AROUND) : found.start()]
        body = found["body"].rstrip(_SIGNS + ".")
        if _HAS_FILE.search(body) and _BEGINS.search(before) and (names := file_names(body)):
            yield Span(found.start(), found.start("body") + len(body)), names


def _stands_apart(text: str, found: re.Match[str]) -> bool:
    """Whether the sentence is whole without it."""
    before = text[max(0, found.start() - _AROUND) : found.start()]
    if _NEEDS_NAME.search(before) and not _ATTRIBUTES.search(before):
        return False
    if not found["round"]:
        return True
    return _ENDS.match(text, found.end()) is not None or _BEGINS.search(before) is not None


def file_names(body: str) -> tuple[str, ...]:
    """The file names in a citation; none where it says more than files and places in them."""
    found: list[str] = []
    is_placed = False
    for part in re.split("[,;\uff0c\u3001]", body):
        bare = _WRAPPED_LINK.sub(_of_link, part).strip(_SIGNS)
        name = _NAME.match(bare)
        if name and len(name[0]) <= MAX_NAME_CHARS and (" " not in name[0] or _is_plain(name[0])):
            found.append(name[0])
            is_placed = False
            bare = bare[name.end() :].strip(_SIGNS)
            if not bare:
                continue
        goes_on = is_placed and _MORE_PAGES.fullmatch(bare)
        if not found or not (goes_on or _is_place(bare)):
            return ()
        is_placed = True
    return tuple(dict.fromkeys(found))


def _of_link(link: re.Match[str]) -> str:
    """What a link is called; its target where that is "source" or a number."""
    text = link["text"].strip(_SIGNS)
    return link["target"] if text.lower() in _GENERIC or text.isdecimal() else text


def _is_place(text: str) -> bool:
    """Whether a text only says where in a document: "section 3", "p. 4", "Section Annual leave"."""
    found = _PLACE().fullmatch(text)
    if not found:
        return False
    title = (found["title"] or found["after"] or "").strip(_SIGNS + ":>\u2013\u2014-()")
    return not any(character.isdigit() for character in title) and _is_plain(title)


def _is_plain(text: str) -> bool:
    """Whether a few words only name something: they neither limit, deny nor state anything."""
    words = words_of(text, _MOST_TITLE_WORDS + 1)
    loaded = not (NEGATIONS | RESTRICTIONS).isdisjoint(words)
    return len(words) <= _MOST_TITLE_WORDS and not (
        loaded or has_verb(text) or LIMITS().search(text)
    )
