"""Verifying a ledger: what became of the words that its verdicts rest on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.ledgers import (
    AGAINST,
    LEAVE,
    document,
    entry,
    ledger_of,
    piece,
    sentence_at,
)
from tests.ledger.verifying import (
    ALTERED,
    HELD,
    MOVED,
    ORPHANED,
    against,
    first,
    quoting,
    statuses,
    verified,
)

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.wire import ledger_to_bytes


def test_a_paragraph_put_before_moves_what_stands_after_it():
    found = against(LEAVE.replace("## Carrying", "Mind the 3 forms.\n\n## Carrying"))
    assert found.ok
    assert statuses(found) == [HELD, MOVED, HELD, None]
    check = found.entries[1].evidence[0]
    assert check.now is not None
    assert check.now.line == 11
    assert check.now.span.start - check.was.span.start == len("Mind the 3 forms.\n\n")
    assert not check.stale
    assert any("leave.md, line 11" in line for line in found.to_lines())


@pytest.mark.parametrize(
    ("old", "new", "kind", "then", "now"),
    [
        ("25 days", "30 days", "number", "25", "30"),
        ("days* of", "days* not of", "negation", "", "not"),
        ("25 days*", "25 weeks*", "unit", "days", "weeks"),
        ("paid leave", "sick leave", "wording", "paid", "sick"),
    ],
)
def test_changed_words_are_altered_with_their_difference(old, new, kind, then, now):
    found = against(LEAVE.replace(old, new, 1))
    assert not found.ok
    assert statuses(found)[0] is ALTERED
    assert found.entries[0].stale
    change = first(found).changes[0]
    assert (change.kind, change.quoted, change.source) == (kind, then, now)
    assert [part for part in first(found).diff if not part.equal]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("Staff get 15 days of leave", "cut out of another number"),
        ("Staff get .5 days of leave", "cut out of another number"),
        ("Staff get  $5 days of leave", "cut off its sign"),
    ],
)
def test_words_within_other_words_are_not_the_same(new, why):
    file = quoting("Staff get  5 days of leave", "5 days of leave")
    assert statuses(verified(document(new, "rules.txt"), file=file)) == [ALTERED], why


@pytest.mark.parametrize(
    ("new", "status"),
    [
        ("Rule: <p>Taxis are not repaid.</p>", MOVED),
        ("Rule: <!-- Taxis are not repaid. -->", ORPHANED),
        ("Rule: <del>Taxis are not repaid.</del>", ALTERED),
        ("<p>Note.</p><p>Taxis are <b>not</b>\nrepaid.</p>", MOVED),
    ],
)
def test_only_what_a_reader_sees_counts(new, status):
    page = "<html><body>{}</body></html>"
    taxis = "Taxis are not repaid."
    file = quoting(page.format(f"<p>{taxis}</p>"), taxis, "travel.html")
    assert statuses(verified(document(page.format(new), "travel.html"), file=file)) == [status]


@pytest.mark.parametrize(("before", "nearest"), [(0, 0), (40, 1), (200, 2)])
def test_of_repeated_words_the_nearest_is_chosen(before, nearest):
    words = "Taxis are not repaid."
    file = quoting(" " * before + words, words)
    text = f"{words}\n{'-' * 20}\n{words}\n{'-' * 100}\n{words}\n"
    changed = document(f"\n{text}", "rules.txt")
    now = first(verified(changed, file=file)).now
    starts = [at for at in range(len(changed.text)) if changed.text.startswith(words, at)]
    assert now is not None
    assert now.span.start == starts[nearest]
    many = f"{words}\n" * 400
    found = verified(document("Note:\n" + many, "rules.txt"), file=quoting(many, words))
    assert first(found).now is not None
    assert first(found).now.line == 2


SENTENCES = (
    "Staff get 25 days of paid leave a year.",
    "Taxis are not repaid.",
    "Claims must reach the office within 30 days.",
    "The committee meets on the first Monday of March.",
    "No one may carry over more than 5 days.",
)


def ledger_over(lines: Sequence[str]) -> EvidenceLedger:
    source = document("\n".join(lines), "rules.txt")
    answer, entries = "", []
    for index, line in enumerate(lines):
        text = f"Claim {index}."
        evidence = piece(source, sentence_at(source, line), AGAINST)
        entries.append(entry(text, len(answer), AGAINST, [evidence]))
        answer += f"{text} "
    return ledger_of(answer, entries, [source])


@given(st.permutations(SENTENCES), st.sets(st.integers(0, 4)), st.integers(0, 3))
def test_what_is_kept_is_found_and_what_is_dropped_is_not(order, kept, gap):
    """Whatever is shuffled, dropped and put in between: words that stand are held or moved, and
    what is pointed to is those very words; words that do not stand never count as such.
    """
    filler = "Something else altogether stands here instead.\n" * gap
    text = filler + "\n".join(order[index] for index in sorted(kept)) + "\nThe end."
    found = verified(document(text, "rules.txt"), file=ledger_to_bytes(ledger_over(SENTENCES)))
    for check, line in zip(found.entries, SENTENCES, strict=True):
        assert (check.status in (HELD, MOVED)) is (line in text)
        now = check.evidence[0].now
        if check.status in (HELD, MOVED):
            assert now is not None
            assert text[now.span.start : now.span.end] == line
