"""The ledger as a PDF, typeset by typst in a process of its own.

The template is ours and fixed; everything else reaches it as JSON strings, which typst never reads
as markup. The process sees an empty folder and no packages, has limits on time and memory, and
needs no network.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from veridical.errors import DocumentParsingError, ProcessingError, require_package
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import (
    Evidence,
    EvidenceLedger,
    LedgerSummary,
    NewerVersion,
    RiskFlag,
    Source,
)
from veridical.ledger.export import wording
from veridical.ledger.export.forms import Export
from veridical.ledger.export.pdf_worker import pdf_of
from veridical.ledger.export.wording import (
    IMPORTANCE_WORDS,
    RISK_WORDS,
    SEVERITY_WORDS,
    TYPE_WORDS,
    VERDICT_MEANINGS,
    VERDICT_SIGNS,
    VERDICT_WORDS,
    WORST_FIRST,
    Numbered,
)
from veridical.ledger.review import EntryReview, Reviewed
from veridical.ledger.review import reviewed as reviewed_by
from veridical.ledger.risks import as_reviewed
from veridical.reports.page import asset
from veridical.reports.texts import visible
from veridical.reports.words import count
from veridical.sources.document import MEBIBYTE, SourceLimits
from veridical.sources.isolated import call_isolated

# Text on its way into the PDF.


MOST_CHARS = 3_000
"""A longer text is cut, and says so."""

# A run without a place to break at that is longer than this does not fit a narrow column.
_LONG_RUN = re.compile(r"[^\s\u200b]{17,}")
_AFTER = re.compile(r"([_/.,;:@&=?+-]+)(?=[^\W_])|(\w{16})(?=\w)")
_WIDE = re.compile("[\u0600-\u06ff\u0900-\u0dff\u1100-\u11ff\u2e80-\uffef\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """Text as the PDF prints it: controls by name, long runs with places to break, cut if long."""
    cut = len(text) > MOST_CHARS
    more = f" [… {count(len(text) - MOST_CHARS, 'more character')}]" if cut else ""
    return _LONG_RUN.sub(_breakable, visible(text[:MOST_CHARS]).strip()) + more


def _printed(data: Any) -> Any:
    """Data whose texts all are as the PDF prints them."""
    if isinstance(data, str):
        return printable(data)
    if isinstance(data, dict):
        return {key: _printed(value) for key, value in data.items()}
    return [_printed(value) for value in data] if isinstance(data, list) else data


def _breakable(found: re.Match[str]) -> str:
    """A long run with zero-width spaces; scripts that break or join by their own rules are left."""
    run = found[0]
    if _WIDE.search(run):
        return run
    return _AFTER.sub(lambda piece: f"{piece[0]}\u200b", run)


MOST_CLAIMS = 2_000
"""Of more claims the worst are printed, and the PDF says how many are left out. So many make some
700 pages, in about 4 seconds and 600 MB of memory; ten times as many would need ten times that.
"""

# An entry with less text than this is kept on one page.
_MOST_UNBROKEN_CHARS = 1_200
_MOST_NEAR = 2
_MOST_EVIDENCE = 3
_MOST_LISTED = 200
_MOST_SOURCES = 2_000
_MOST_NUMBERS = 60
_MOST_DECISIONS = 1_000
_MOST_FOOTER_CHARS = 200


def template_data(
    ledger: EvidenceLedger,
    notices: Sequence[str] = (),
    seal_head: str | None = None,
    reviewed: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
) -> dict[str, Any]:
    """Everything that the template prints. `notices` stand on the cover, after the warnings, and
    what is to be said of `newer` versions of sources before them.
    """
    found = reviewed or reviewed_by(ledger)
    machine, rows = ledger.summary, wording.rows_by_entry(ledger)
    ledger = as_reviewed(ledger, found.standing)
    sources = wording.sources_by_id(ledger)
    numbers = wording.numbers_by_claim(ledger)
    summary, title = ledger.summary, wording.heading(ledger)
    asked = ledger.query.strip()
    covered = f"evidence coverage {wording.covered_in_words(ledger)}"
    made, judge = wording.stamp(ledger.created_at), wording.judged_by(ledger)
    data: dict[str, Any] = _printed(
        {
            "title": title,
            "question": asked if asked != title else "",
            "made": f"Evidence ledger · {made} · judged by {judge}",
            "footer": " ".join(f"Evidence ledger · {title}".split())[:_MOST_FOOTER_CHARS],
            "supported": wording.supported_share(ledger.summary),
            "led": f"supported: {wording.supported_in_words(ledger)}",
            "covered": covered if summary.total_claims else "no claim was found",
            "total": summary.total_claims,
            "counts": [_counted(verdict, ledger.summary, machine) for verdict in WORST_FIRST],
            "reviewed": f"{wording.counted(found, ledger)}." if found.history else "",
            "notices": [
                *_listed([wording.newer_told(each) for each in newer], "newer version"),
                *_listed((*ledger.warnings, *notices), "warning"),
            ],
            "risks": [_risk(flag, numbers) for flag in ledger.risk_flags],
            "entries": [_entry(row, sources, found) for row in _chosen(ledger)[0]],
            "reviews": decisions(rows, found),
            "actions": _listed(ledger.actions, "action"),
            "questions": _listed(ledger.follow_up_questions, "question"),
            "sources": [_source(source) for source in ledger.sources[:_MOST_SOURCES]],
            "more_sources": max(0, len(ledger.sources) - _MOST_SOURCES),
            "record": [list(row) for row in wording.record(ledger, seal_head)],
        }
    )
    return data


def decisions(rows: Mapping[str, Numbered], found: Reviewed) -> list[dict[str, str]]:
    """Every decision, oldest first; of very many the latest, and how many are left out."""
    more = len(found.history) - _MOST_DECISIONS
    rest = [{"what": f"{count(more, 'earlier review')} left out.", "reason": ""}]
    return (rest if more > 0 else []) + [
        {
            "what": f"Claim #{wording.told(review, rows[review.entry_id])}",
            "reason": review.reason,
        }
        for review in found.history[max(0, more) :]
    ]


def left_out(ledger: EvidenceLedger) -> str | None:
    """What a reader must be told of claims that are not in the PDF."""
    _, rest = _chosen(ledger)
    if not rest:
        return None
    verdicts = [row.entry.verdict for row in rest]
    kinds = ", ".join(
        f"{verdicts.count(verdict):,} {VERDICT_WORDS[verdict].lower()}"
        for verdict in WORST_FIRST
        if verdict in verdicts
    )
    return (
        f"{count(len(rest), 'claim')} of {len(ledger.entries):,} left out ({kinds}): a PDF holds "
        f"{MOST_CLAIMS:,}, the worst verdicts before the others. "
        "The other forms of this ledger hold every claim."
    )


def _chosen(ledger: EvidenceLedger) -> tuple[list[Numbered], list[Numbered]]:
    """The entries that are printed, in the order of the answer, and those that are not."""
    ranked = wording.worst_first(wording.numbered(ledger))
    return sorted(ranked[:MOST_CLAIMS], key=lambda row: row.number), ranked[MOST_CLAIMS:]


def _listed(texts: Sequence[str], noun: str) -> list[str]:
    more = len(texts) - _MOST_LISTED
    rest = [f"{count(more, f'more {noun}')} left out."] if more > 0 else []
    return [*texts[:_MOST_LISTED], *rest]


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": verdict.value,
        "sign": VERDICT_SIGNS[verdict],
        "word": VERDICT_WORDS[verdict],
    }


def _counted(verdict: Verdict, summary: LedgerSummary, machine: LedgerSummary) -> dict[str, Any]:
    number, total = summary.by_verdict[verdict], summary.total_claims
    return {
        **_verdict(verdict),
        "number": number,
        "machine": machine.by_verdict[verdict],
        "share": wording.share(number / total if total else None),
        "meaning": VERDICT_MEANINGS[verdict],
    }


def _risk(flag: RiskFlag, numbers: Mapping[str, int]) -> dict[str, str]:
    claims = wording.affected(flag.affected_claim_ids, numbers)
    more = len(claims) - _MOST_NUMBERS
    listed = ", ".join(f"#{number}" for number in claims[:_MOST_NUMBERS])
    rest = f" and {more:,} more" if more > 0 else ""
    return {
        "name": RISK_WORDS[flag.type],
        "level": SEVERITY_WORDS[flag.severity],
        "severity": flag.severity.value,
        "description": flag.description,
        "todo": f"What to do: {flag.mitigation}" if flag.mitigation else "",
        "claims": f"Claims: {listed}{rest}" if claims else "",
    }


def _entry(row: Numbered, sources: Mapping[str, Source], found: Reviewed) -> dict[str, Any]:
    entry, review = row.entry, found.standing.get(row.entry.id)
    machine = review.machine_verdict if review else entry.verdict
    first = wording.deciding(entry)
    evidence = [_piece(each, sources) for each in entry.evidence[:_MOST_EVIDENCE]]
    near = [_piece(each, sources) for each in entry.near[:_MOST_NEAR]]
    claim = entry.claim.words
    texts = [claim, entry.notes, review.reason if review else ""]
    texts += [piece["snippet"] for piece in evidence + near]
    return {
        "number": row.number,
        "claim": claim,
        "long": sum(min(len(text), MOST_CHARS) for text in texts) > _MOST_UNBROKEN_CHARS,
        "type": TYPE_WORDS[entry.claim.type],
        "importance": IMPORTANCE_WORDS[entry.claim.importance],
        **_verdict(entry.verdict),
        "machine": _verdict(machine) if machine is not entry.verdict else None,
        # Of what was not found it would be 0 %, and read as that of the verdict.
        "confidence": wording.confidence(entry.confidence_score)
        if machine is not Verdict.NOT_FOUND
        else "",
        "band": wording.band(entry.confidence_score),
        "place": wording.short_place(entry, sources),
        "partial": wording.is_partial(entry),
        "evidence": evidence,
        "near": near,
        "notes": entry.notes,
        "review": _review(review) if review else None,
        "citation": wording.citation(first) if first else "",
    }


def _review(review: EntryReview) -> dict[str, str]:
    return {
        "decision": wording.DECISION_WORDS[review.decision],
        "who": wording.decided(review),
        "reason": review.reason,
    }


def _piece(evidence: Evidence, sources: Mapping[str, Source]) -> dict[str, Any]:
    return {
        "snippet": evidence.snippet,
        "place": wording.full_place(evidence, sources),
        "remarks": ["speaks against it"] * evidence.contradicts + ["cited"] * evidence.cited,
    }


def _source(source: Source) -> dict[str, str]:
    dated = f", dated {source.date}" if source.date else ""
    return {
        "name": source.filename,
        "facts": f"{source.format}, {count(source.chars, 'character')}{dated}",
        "sha256": source.sha256,
    }


MAX_SECONDS = 120.0
"""Typesetting that takes longer is stopped."""

# The first that is installed sets the text; the others fill in what it lacks, in this order.
# Libertinus Serif is part of typst, so that there is always one.
_FONTS = (
    "Noto Sans",
    "Liberation Sans",
    "Arial",
    "Helvetica",
    "DejaVu Sans",
    "Libertinus Serif",
    "Noto Sans Arabic",
    "Noto Naskh Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Lohit Devanagari",
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans Symbols2",
    "Noto Color Emoji",
    "Apple Color Emoji",
    "Segoe UI Emoji",
)
_MONO = ("Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono")

_MAX_MEMORY_BYTES = 4 * 1024 * MEBIBYTE
_ENTRY = "veridical.ledger.export.pdf_worker:typeset"


def export_pdf(
    ledger: EvidenceLedger,
    *,
    seal_head: str | None = None,
    reviewed: Reviewed | None = None,
    newer: Sequence[NewerVersion] = (),
    max_seconds: float = MAX_SECONDS,
) -> Export:
    """The ledger as a PDF, and warnings: scripts without a font, claims that were left out.

    The same ledger and the same fonts give the same bytes. The warnings stand on the cover, too.
    `seal_head` is the head of the ledger's hash chain, printed where it is given; `reviewed` what
    reviewers decided, whose verdicts are printed before the machine's; `newer` are sources that
    have another version since.

    Raises MissingExtraError where typst is not installed; ProcessingError where the PDF cannot be
    made, or not within `max_seconds`.
    """
    require_package("typst", "PDF export", "export")
    cut = left_out(as_reviewed(ledger, reviewed.standing) if reviewed else ledger)
    notices = [cut] if cut else []
    data = template_data(ledger, notices, seal_head, reviewed, newer)
    pdf, warnings = _typeset("ledger.typ", data, "the ledger", ledger.created_at, max_seconds)
    return Export(pdf, (*notices, *warnings))


MOST_BLOCKS = 20_000


def blocks_to_pdf(title: str, blocks: Sequence[tuple[str, str]], made_at: str = "") -> Export:
    """A report of blocks as a PDF, and warnings: scripts without a font, blocks that were left out.

    A block is its kind and its text: `part` and `point` are headings, `quote`, `text`, `soft`, and
    the tones of verdicts `ok`, `low`, `fail`, `none`. `made_at` is the time of the file.

    Raises as `export_pdf` does.
    """
    require_package("typst", "PDF export", "export")
    cut = len(blocks) - MOST_BLOCKS
    notices = [f"{count(cut, 'block')} of the report are left out here."] if cut > 0 else []
    listed = [{"kind": kind, "text": text} for kind, text in blocks[:MOST_BLOCKS]]
    data: dict[str, Any] = _printed({"title": title, "notices": notices, "blocks": listed})
    pdf, warnings = _typeset("pages.typ", data, "the report", made_at, MAX_SECONDS)
    return Export(pdf, (*notices, *warnings))


def _typeset(
    template: str, data: Mapping[str, Any], what: str, made_at: str, max_seconds: float
) -> tuple[bytes, list[str]]:
    """The PDF that a template makes of data, and what it warns of."""
    request = {
        "template": asset(template),
        "data": data,
        "fonts": _FONTS,
        "mono": _MONO,
        "timestamp": _seconds(made_at),
        "home": os.environ.get("HOME", ""),
    }
    limits = SourceLimits(max_parse_seconds=max_seconds, max_worker_memory_bytes=_MAX_MEMORY_BYTES)
    sent = json.dumps(request).encode("ascii")
    try:
        return call_isolated(
            _ENTRY,
            sent,
            what,
            lambda reply: (pdf_of(reply), [str(warning) for warning in reply["warnings"]]),
            limits=limits,
        )
    except DocumentParsingError:
        raise ProcessingError(
            f"The PDF could not be made within {max_seconds:g} seconds and "
            f"{_MAX_MEMORY_BYTES // MEBIBYTE:,} MB of memory. Export {what} as HTML, or check "
            "it in parts."
        ) from None


def _seconds(time: str) -> int:
    """A time of a ledger in seconds since 1970; 0 where it is none."""
    try:
        return max(0, int(datetime.fromisoformat(time).timestamp()))
    except (ValueError, OverflowError):
        return 0
