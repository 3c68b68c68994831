"""Answers as models write them, drawn at random, and the policy that they are about."""

from __future__ import annotations

from hypothesis import strategies as st

POLICY = """# Leave

Full-time staff are entitled to 27 days of annual leave in each leave year.

Up to five days may be carried over into the next leave year. They must be used by 30 June.

Late requests are not accepted. Requests are made in the staff portal.

| Kind | Days |
|---|---|
| Annual leave | 27 |
| Study leave | 8 |
"""

RIGHT = "Full-time staff are entitled to 27 days of annual leave in each leave year."
WRONG = "Full-time staff are entitled to 28 days of annual leave in each leave year."
LATE = "Late requests are not accepted."
UNKNOWN = "Dogs may be brought to the office on Fridays."

SENTENCES = (
    "Full-time staff get 27 days of leave.",
    "They must ask the manager by 3. May 2024.",
    "It is paid, e.g. at 5 p.m. on Fridays.",
    "See Dr. Smith for No. 5 of the list.",
    "**Nobody may smoke.**",
    'He said "No. Never. Not here." and left it at that.',
    "The fee is 5.5 % (see [fees](http://x.y/z) for more).",
    "Is it so?",
    "I think it is fine.",
    "Staff are *very* happy with `x = 1. Y`.",
    "The rate is 3.",
    "5 days are the limit [1].",
    "All pay the fee [1][2]. [3]",
    "Leave is granted (leave.md).",
    "It ends here...",
    "**Leave is fixed. It may not be moved.** It stays so.",
    "In 2024. the rule changed.",
    "\u00dc is a letter; \u00fc is one, too.",
    "Use <b>bold</b> words here.",
    "It is ~~not~~ paid.",
    "~~Leave is not paid.~~",
    "Are dogs not allowed?",
    'See [the rules](a.md "Dogs are allowed").',
    "The rules apply, and they last 5 days.",
)

_paragraph = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map(" ".join)
_list = st.lists(_paragraph, min_size=1, max_size=3).map(
    lambda items: "\n".join(f"- {item}" for item in items)
)
_nested = st.lists(st.tuples(_paragraph, _paragraph), min_size=1, max_size=3).map(
    lambda pairs: (
        "The rules are:\n\n"
        + "\n".join(f"{n}. {one}\n   - {two}" for n, (one, two) in enumerate(pairs, 1))
    )
)
_table = st.lists(st.integers(1, 99), min_size=1, max_size=3).map(
    lambda days: "| Kind | Days |\n|---|---|\n" + "\n".join(f"| Annual | {n} |" for n in days)
)
_block = st.one_of(
    _paragraph,
    _paragraph,
    _list,
    _nested,
    _table,
    st.sampled_from(
        [
            *("## Leave", "## What is paid?", "## Leave is 25 days", "```\nx = 1. Y\n```"),
            *("| Dogs are allowed | 5 days |\n|---|---|", "| Dogs | No |\n|---|---|\n| | |"),
            "```\nDogs are allowed\n```",
        ]
    ),
)

answers = st.lists(_block, min_size=1, max_size=4).map("\n\n".join)
"""Answers in ordinary Markdown."""

_SCRAPS = (
    *("Staff get 27 days", "They must pay", "5", ". ", " ", "\n", "\n\n", "- ", "  - ", "1. "),
    *("# ", "**", "*", "_", "`", "```\n", "|", "---", "\n|---|---|\n", "<!--", "-->", "<b>"),
    *("</b>", "<script>", "</script>", "[1]", "[a](b)", "[^1]: x", "[x]: y\n", "> ", "    "),
    *("\t", "\r\n", "\r", "?", "!", "...", "\u3002", "\u65e5\u672c\u8a9e", "\u201c", "\u201d"),
    *('"', "(", ")", "~~", "Sources:\n", "leave.md", "\u202e", "\x1b[31m", "e.g.", "3.", ": "),
    *("\u27e6x\u27e7", "&lobrk;", "<div>", "\ufeff", "\u200b", "```markdown\n", "\x85", "\u2028"),
)
scraps = st.lists(st.sampled_from(_SCRAPS), max_size=40).map("".join)
"""What nobody would write, but somebody who wants to do harm."""
