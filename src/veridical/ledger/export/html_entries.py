"""The expanded entries: section 8.2 of the ledger specification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veridical.judging.confidence import confidence_band
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import CitationCheck, Evidence, EvidenceLedger, LedgerEntry, Source
from veridical.ledger.export import wording
from veridical.ledger.export.html_reviews import review_lines
from veridical.ledger.export.html_words import TONES, listed, section, verdict_badge
from veridical.ledger.export.wording import IMPORTANCE_WORDS, TYPE_WORDS, Numbered
from veridical.ledger.review import EntryReview
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.markup import isolated
from veridical.validation.reports.wording import count

MOST_PASSAGES = 5


def render_entries(ledger: EvidenceLedger, found: Reviewed) -> str:
    """Every entry in full, in the order of the answer."""
    if not ledger.entries:
        return ""
    sources = wording.sources_by_id(ledger)
    entries = "".join(
        _entry(row, sources, found.standing.get(row.entry.id)) for row in wording.numbered(ledger)
    )
    return section("entries", "Claims in detail", entries)


def _entry(row: Numbered, sources: Mapping[str, Source], review: EntryReview | None) -> str:
    entry, n = row.entry, row.number
    claim = entry.claim
    kind = f"{TYPE_WORDS[claim.type]} · {IMPORTANCE_WORDS[claim.importance]}"
    context = (
        f'<p class="soft">Speaks of: {isolated(claim.context)}</p>' if claim.context.strip() else ""
    )
    return (
        f'<article class="entry {TONES[entry.verdict]}" id="claim-{n}" '
        f'aria-labelledby="claim-{n}-name" tabindex="-1"><h3 id="claim-{n}-name">'
        f'<span class="soft">Claim #{n}</span> {isolated(wording.claim_words(claim))}</h3>'
        f'{context}<p class="line">{verdict_badge(entry.verdict)} {_confidence(entry)} '
        f'<span class="soft">{kind}</span></p>{review_lines(review)}'
        f"{''.join(_body(entry, sources))}"
        f'<p class="back"><a href="#said-{n}">Show in the answer</a> '
        f'<a class="to-table" href="#row-{n}">Back to the table</a></p></article>'
    )


def _confidence(entry: LedgerEntry) -> str:
    """A confidence as number, bar and word, in its band's style; nothing beside what was not found,
    where it would be read as that of the verdict.
    """
    if entry.verdict is Verdict.NOT_FOUND:
        return ""
    score = wording.confidence(entry.confidence_score)
    width = min(1.0, max(0.0, entry.confidence_score)) * 60
    style = confidence_band(entry.confidence_score).value.replace("_", "-")
    return (
        f'<span class="conf {style}"><span class="soft">Confidence</span> {score} '
        '<svg viewBox="0 0 60 8" aria-hidden="true"><rect class="rail" width="60" height="8"/>'
        f'<rect width="{width:g}" height="8"/></svg> '
        f'<b class="badge">{wording.band(entry.confidence_score)}</b></span>'
    )


def _body(entry: LedgerEntry, sources: Mapping[str, Source]) -> Iterator[str]:
    first = wording.deciding(entry)
    if first:
        yield f"<h4>Evidence</h4>{_passage(first, sources)}"
    if entry.notes.strip():
        yield f'<h4>Judge’s notes</h4><p class="notes">{isolated(entry.notes)}</p>'
    if first:
        yield _cite(first)
    if more := entry.evidence[1:]:
        yield _folded(f"{count(len(more), 'more passage')}", more, sources)
    if entry.near:
        name = "Nearest passages: they do not bear the claim out"
        yield _folded(name, entry.near, sources, opened=True)
    if entry.citations:
        yield "<h4>The answer’s own citations</h4>" + listed(
            [_checked(check, sources) for check in entry.citations]
        )


def _passage(evidence: Evidence, sources: Mapping[str, Source]) -> str:
    where = isolated(wording.full_place(evidence, sources))
    against = '<strong class="fail">speaks against it</strong> ' if evidence.contradicts else ""
    cited = " · cited by the answer" if evidence.cited else ""
    return (
        f"<figure><blockquote>{isolated(evidence.snippet)}</blockquote><figcaption>{against}"
        f'— {where}<span class="soft">{cited}</span></figcaption></figure>'
    )


def _folded(
    name: str,
    passages: tuple[Evidence, ...],
    sources: Mapping[str, Source],
    *,
    opened: bool = False,
) -> str:
    shown = "".join(_passage(each, sources) for each in passages[:MOST_PASSAGES])
    left = len(passages) - MOST_PASSAGES
    rest = f'<p class="soft">{count(left, "passage")} left out here.</p>' if left > 0 else ""
    return (
        f'<details class="near"{" open" if opened else ""}><summary>{name}</summary>'
        f"{shown}{rest}</details>"
    )


def _cite(evidence: Evidence) -> str:
    marker = isolated(wording.citation(evidence))
    return (
        f'<p class="cite"><span class="soft">Citation</span> <code>{marker}</code> '
        '<button type="button" class="copy js-only">Copy citation</button></p>'
    )


def _checked(check: CitationCheck, sources: Mapping[str, Source]) -> str:
    source = sources.get(check.source_id or "")
    marker = f"<code>{isolated(check.marker.value)}</code>"
    if check.problem or source is None:
        return f'{marker} <span class="fail">✗ {isolated(check.problem or "not found")}</span>'
    return f"{marker} ✓ {isolated(source.filename)}"
