"""Words that markup hides, in an answer that is shown as it was written."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.verdict import Verdict
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.extraction.rules import RuleExtractor
from veridical.ledger.verify import inconsistencies
from veridical.retrieval.corpus import Corpus
from veridical.sources.markdown import read_markdown

SOURCE = """\
# Leave

Employees get 20 days of paid leave each year.

Managers may approve remote work.
"""


@cache
def _builder() -> LedgerBuilder:
    return LedgerBuilder(Corpus([read_markdown(SOURCE, "leave.md", size_bytes=len(SOURCE))]))


def ledger(answer: str) -> EvidenceLedger:
    return _builder().build(answer, created_at=datetime(2026, 6, 1, tzinfo=UTC))


INSIDE = [
    *("<never>", "<must-not>", "</not>", "<b not></b>", "<b title='never'></b>", "<!-- not -->"),
    *("<?not?>", "<script>not</script>", "<style>never</style>", "<span hidden>not</span>"),
    *("![never](x)", "![](not)", '[x](http://y "never")', "[cite:never]", "[^not]", "\u274c"),
    *("\u30101\u2020never\u3011", "<!-- not", "\n<!-- not -->\n", "<br>not", "  \nnot"),
    *("\\\nnot", "<div>not</div>", "\u202eton\u202c"),
]


@pytest.mark.parametrize("inside", INSIDE)
def test_words_that_a_reader_sees_inside_a_claim_are_judged(inside: str) -> None:
    answer = f"Managers may {inside} approve remote work.\n\n[^not]: never"
    built = ledger(answer)
    assert Verdict.SUPPORTED not in {entry.verdict for entry in built.entries}
    assert all(entry.notes for entry in built.entries)
    for entry in built.entries:
        assert answer[entry.claim.span.start : entry.claim.span.end] == entry.claim.text
    assert not list(inconsistencies(built, {}))


@pytest.mark.parametrize("inside", ["<n>", "<!-- foo -->"])
def test_words_that_deny_nothing_are_shown_to_the_judge_as_well(inside: str) -> None:
    (entry,) = ledger(f"Managers may {inside} approve remote work.").entries
    assert inside.strip("<!-> ") in entry.claim.statement.split("may")[1].split("approve")[0]


@pytest.mark.parametrize(
    "answer",
    [
        "Managers may approve remote work.",
        "Managers may <b>approve</b> remote work.",
        "Managers may <b class='x'>approve</b> <br> remote work.",
        "Managers may [approve](https://example.org/never) remote work.",
        "Managers may approve remote work [cite:12].",
        "Managers may approve remote work [^1].\n\n[^1]: leave.md",
        "<!-- checked -->\nManagers may approve remote work.",
        "Managers may approve remote work.\n\n![Chart](chart.png)",
        "Managers may<!-- --> approve remote work.",
        "- Managers may approve remote work.\n<!-- next -->\n- Employees get 20 days of leave.",
        "\u2705 Managers may approve remote work.",
        "Managers may\u00ad approve <u>remote</u> work \u30101\u2020source\u3011.",
    ],
)
def test_markup_that_says_nothing_changes_nothing(answer: str) -> None:
    assert ledger(answer).entries[0].verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "answer",
    [
        "Managers may approve remote work \u274c",
        "Managers may approve remote work. \u274c",
        "\U0001f44e Managers may approve remote work.",
        "- \u2717 Managers may approve remote work.",
        "Managers may approve remote work<br>only on Mars.",
        "Employees get 20 days of paid leave each year<br>only after ten years.",
        "Employees get 20.\u200b5 days of paid leave each year.",
        "<script>Managers may approve remote work.</script>",
    ],
)
def test_what_stands_beside_a_claim_belongs_to_it(answer: str) -> None:
    assert Verdict.SUPPORTED not in {entry.verdict for entry in ledger(answer).entries}


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        ("<!-- Managers must never approve remote work. -->", "must never approve"),
        ("<!-- never -->", "never"),
        ('[x]: http://a "Managers must never approve remote work."', "must never approve"),
        ("![Managers must never approve remote work.](x)", "must never approve"),
        ("# If ill, managers must never approve it", "must never approve"),
        ("```\nManagers must never approve remote work.\n```", "code block"),
    ],
)
def test_words_that_became_no_claim_are_told(lost: str, told: str) -> None:
    built = ledger(f"Employees get 20 days of paid leave each year.\n\n{lost}")
    assert any(told in warning for warning in built.warnings)
    assert len(built.entries) == 1


@pytest.mark.parametrize(
    "quiet",
    [
        "# Leave and remote work",
        "![Chart](chart.png)",
        "<div align='center'>\n</div>",
        "<!-- x -->",
    ],
)
def test_what_says_nothing_is_not_told(quiet: str) -> None:
    assert not ledger(f"Employees get 20 days of paid leave each year.\n\n{quiet}").warnings


def test_a_footnote_that_narrows_is_a_claim() -> None:
    built = ledger(
        "Employees get 20 days of paid leave each year[^1].\n\n[^1]: Only after ten years."
    )
    assert [entry.claim.text for entry in built.entries][1:] == ["Only after ten years"]
    assert built.entries[1].verdict is not Verdict.SUPPORTED


NAMES = st.sampled_from(
    ["x", "not", "never", "foo", "no-way", "Managers", "g", "set", "text"]
) | st.from_regex(r"\A[a-z]{3,8}q\Z")
DENIAL = st.sampled_from(["not", "never", "no longer", "unless told otherwise"])
PLACES = st.integers(1, 4)


@given(NAMES, DENIAL, PLACES, st.sampled_from(["<{} {}>", "<!-- {} {} -->", "<{0} a='{1}'/>"]))
def test_an_unknown_tag_with_a_denial_never_leaves_a_claim_supported(
    name: str, denial: str, place: int, shape: str
) -> None:
    words = "Managers may approve remote work".split()
    words.insert(place, shape.format(name, denial))
    entries = ledger(" ".join(words) + ".").entries
    assert Verdict.SUPPORTED not in {entry.verdict for entry in entries}


@given(st.lists(st.sampled_from([*INSIDE, "a", "b.", "\n", "\n\n", "- ", "<p>", "# ", "`"])))
def test_reading_keeps_places_and_order(parts: list[str]) -> None:
    answer = " ".join(parts)
    found = RuleExtractor().extract(answer, "s")
    spans = sorted([*(c.span for c in found.claims), *(s.span for s in found.skipped)])
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(answer[c.span.start : c.span.end] == c.text for c in found.claims)
