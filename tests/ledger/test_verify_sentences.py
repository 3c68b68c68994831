"""Verifying a ledger: the same words do not say the same where others join their sentence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ledger.ledgers import document
from tests.ledger.verifying import (
    ALTERED,
    HELD,
    MOVED,
    ORPHANED,
    first,
    quoting,
    statuses,
    verified,
)

from veridical import Document, Format

RULE = "Full-time staff are entitled to 27 days of leave."
BARE, LATER = RULE[:-1], RULE[0].lower() + RULE[1:]
TEXT = f"# Leave\n\n{RULE}\n"


FILE = quoting(TEXT, RULE, "leave.md")


@pytest.mark.parametrize(
    ("sentence", "put_in"),
    [
        (f"It is no longer true that {LATER}", "It is no longer true that"),
        (f"Nobody believes that {LATER}", "Nobody believes that"),
        (f"No {RULE}", "No"),
        (f"Only directors who are also {LATER}", "Only directors who are also"),
        (f"From 2020 to 2022 {LATER}", "From 2020 to 2022"),
        (f"The following is withdrawn: {RULE}", "The following is withdrawn"),
        (f"{BARE} no longer.", "no longer"),
        (f"{BARE} only in 2019.", "only in 2019"),
        (f"{BARE} unless they are in their first five years.", "unless they are"),
        (f"{BARE}, except interns.", "except interns"),
        (f"\N{CROSS MARK} {RULE}", "\N{CROSS MARK}"),
        (f"- It is untrue that {LATER}", "It is untrue that"),
        (f"| Void | {RULE} |\n|---|---|\n| a | b |", "Void"),
    ],
)
@pytest.mark.parametrize("before", ["", "A new paragraph.\n\n"])
def test_words_put_into_the_sentence_alter_it(sentence, put_in, before):
    text = f"# Leave\n\n{before}{sentence}\n"
    found = verified(document(text, "leave.md"), file=FILE)
    assert statuses(found) == [ALTERED]
    assert found.entries[0].stale
    assert not found.ok
    check = first(found)
    assert put_in in " ".join(change.source for change in check.changes)
    assert [part for part in check.diff if not part.equal]
    assert check.now is not None
    assert put_in in text[check.now.span.start : check.now.span.end]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (f"{TEXT}\nAnother paragraph.\n", HELD),
        (f"# Leave\n\nAnother paragraph.\n\n{RULE}\n", MOVED),
        (f"# Leave\n\n{RULE} Ask the office.\n", HELD),
        (f"# Leave\n\nAsk the office. {RULE} Ask HR. Then go.\n", MOVED),
        (f"# Leave\n\nAsk HR. {RULE}\n", MOVED),
        (f"# Leave\n\n{RULE[:15]}\n{RULE[16:]}\n", MOVED),
        (f"# Leave\n\n- {RULE}\n- Ask the office.\n", MOVED),
        (f"# Leave\n\n- {RULE} Ask the office.\n", MOVED),
        (f"# Leave\n\n1. One.\n2. {RULE}\n", MOVED),
        (f"# Leave\n\n> {RULE}\n", MOVED),
        (f"# Leave\n\n**{RULE}**\n", MOVED),
        (f"# Leave\n\n{RULE}[12]\n", HELD),
        (
            f"# Leave\n\n\N{LEFT DOUBLE QUOTATION MARK}{RULE}\N{RIGHT DOUBLE QUOTATION MARK}\n",
            MOVED,
        ),
    ],
)
def test_what_stands_around_the_sentence_does_not_alter_it(text, status):
    found = verified(document(text, "leave.md"), file=FILE)
    assert statuses(found) == [status]
    assert found.ok


def test_of_several_places_the_unaltered_one_counts():
    text = f"# Leave\n\nNobody believes that {LATER}\n\nNow as ever: so.\n\n{RULE}\n"
    found = verified(document(text, "leave.md"), file=FILE)
    assert statuses(found) == [MOVED]
    assert first(found).now is not None
    assert first(found).now.span.start == text.rindex(RULE)


def test_very_many_altered_places_and_a_changed_copy_elsewhere():
    text = f"Nobody believes that {RULE}\n\n" * 150
    other = document(f"# News\n\nIt is untrue that {LATER}\n", "news.md")
    for source in (document(text, "leave.md"), other):
        assert statuses(verified(source, file=FILE)) == [ALTERED]


PART = "27 days of leave"


def test_a_part_of_a_sentence_is_held_where_nothing_has_changed():
    file = quoting(TEXT, PART, "leave.md")
    assert statuses(verified(document(TEXT, "leave.md"), file=file)) == [HELD]
    assert verified(document(TEXT, "leave.md"), file=file).ok
    renamed = verified(document(TEXT, "holidays.md"), file=file)
    assert statuses(renamed) == [MOVED]
    assert renamed.ok


def test_a_row_of_a_table_is_more_than_one_cell():
    table = "| Who | Leave |\n|---|---|\n| Full-time staff | 27 days |\n"
    file = quoting(table, "| Full-time staff | 27 days |", "leave.md")
    more = table.replace("| 27 days |", "| 27 days | until 2019 |").replace("Leave |", "Leave | |")
    assert statuses(verified(document(table, "leave.md"), file=file)) == [HELD]
    assert statuses(verified(document("New.\n\n" + table, "leave.md"), file=file)) == [MOVED]
    assert statuses(verified(document(more, "leave.md"), file=file)) == [ALTERED]


FILLER = st.sampled_from(["Ask the office.", "All of it is voluntary.", "See the wiki!", "Why?"])
PUT_BEFORE = st.sampled_from(["It is untrue that", "Nobody says that", "Before 2019,", "Few"])


@settings(max_examples=40, deadline=None)
@given(st.lists(FILLER, max_size=4), st.lists(FILLER, max_size=4), st.sampled_from([" ", "\n\n"]))
def test_whole_sentences_around_are_no_alteration(before, after, gap):
    text = gap.join([*before, RULE, *after]) + "\n"
    assert statuses(verified(document(text, "leave.md"), file=FILE)) in ([HELD], [MOVED])


@settings(max_examples=40, deadline=None)
@given(PUT_BEFORE, st.lists(FILLER, max_size=4), st.lists(FILLER, max_size=4))
def test_words_before_are_found_wherever_the_sentence_stands(put_in, before, after):
    text = " ".join([*before, f"{put_in} {LATER}", *after]) + "\n"
    assert statuses(verified(document(text, "leave.md"), file=FILE)) == [ALTERED]


LONG = " ".join(f"Rule {n} grants {n + 3} days to those who ask in time." for n in range(80))


def plain(text: str) -> Document:
    return Document("rules.txt", text, Format.PLAIN_TEXT)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (LONG, HELD),
        (f"Preface.\n\n{LONG}", MOVED),
        (LONG.replace("Rule 70 grants 73", "Rule 70 grants 99"), ALTERED),
        (LONG.replace("Rule 1 grants 4", "Rule 1 grants 9"), ALTERED),
        (LONG.replace("Rule 70 grants", "Rule 70\ngrants"), MOVED),
        ("Something else altogether. " * 150, ORPHANED),
    ],
)
def test_snippets_longer_than_the_search_takes(text, status):
    assert len(LONG) > 2_000
    found = verified(plain(text), file=quoting(LONG, LONG))
    assert statuses(found) == [status]
    if status is ALTERED:
        assert {change.source for change in first(found).changes} & {"99", "9"}


def test_words_put_before_a_snippet_of_any_length():
    """A few characters more must not take hours: words are compared by their edges there."""
    words = " ".join(f"and rule {n} too" for n in range(20_000)) + "."
    file = quoting(words, words)
    assert statuses(verified(plain(words), file=file)) == [HELD]
    assert statuses(verified(plain(f"Intro.\n\n{words}"), file=file)) == [MOVED]
    assert statuses(verified(plain(f"It is untrue: {words}"), file=file)) == [ALTERED]
