"""How well `veridical check --fix` repairs answers whose values were changed.

    python benchmarks/repairs.py DOCUMENTS.jsonl... [--answers 60]

A line with a "text" is a document, and "doc" its name; one whose "label" is "supported" has a true
"claim" in other words. An answer is sentences of one document, every other one with a number, date,
name or unit changed where it has one, and two invented sentences.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from pathlib import Path

from veridical import Corpus, document_from_text
from veridical.ledger.build import LedgerBuilder
from veridical.ledger.repair import RepairKind, find_repairs, fixed

MONTHS = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
).split("|")
DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday".split("|")
UNITS = ("days", "weeks", "months", "years", "hours", "minutes", "km", "miles", "kg", "tonnes")
NAMES = ("Marlowe", "Quispe", "Andersen", "Tanaka", "Whitcombe")
VALUES = {
    "number": (r"(?<![\w.,-])\d+(?!\w|[.,:]\d)", ()),
    "month": (rf"\b(?:{'|'.join(MONTHS)})\b", MONTHS),
    "day": (rf"\b(?:{'|'.join(DAYS)})\b", DAYS),
    "unit": (rf"(?<=\d )(?:{'|'.join(UNITS)})\b", UNITS),
    "name": (r"(?<=[a-z] )[A-Z][a-z]+(?= [A-Z][a-z]+)", NAMES),
}
INVENTED = (
    "Visitors may borrow a bicycle free of charge on Sundays.",
    "The roof garden was paid for by a lottery in Bergen.",
    "A brass band plays in the lobby at the solstice.",
    "Left-handed applicants receive a second umbrella.",
    "The archive of postcards is kept in a former lighthouse.",
)


def changed(sentence: str, rng: random.Random) -> tuple[str, str]:
    """The sentence with one value changed, and the kind of value; "true" where it has none."""
    for kind in rng.sample(sorted(VALUES), len(VALUES)):
        pattern, others = VALUES[kind]
        if found := list(re.finditer(pattern, sentence)):
            one = rng.choice(found)
            pool = [other for other in others if other != one[0]]
            new = rng.choice(pool) if pool else str(int(one[0]) + rng.choice((1, 2, 3, 7)))
            return sentence[: one.start()] + new + sentence[one.end() :], kind
    return sentence, "true"


def sentences_of(text: str) -> list[str]:
    """The plain sentences of a document."""
    lines = [re.sub(r"^[-*\d.\s]+(?=[A-Z])", "", line) for line in text.split("\n")]
    found = [
        re.findall(r"[A-Z][^.!?|*]{25,200}[.](?= [A-Z]|$)", s) for s in lines if s[:1] not in "#|"
    ]
    cut = re.compile(r"\b(?:[ap]|[ap]\.m|e\.g|No|Dr|Mr|St)\.$")
    return [one for several in found for one in several if not cut.search(one)]


def measure(builder: LedgerBuilder, text: str, rng: random.Random) -> Counter[str]:
    """What becomes of one answer, counted."""
    count: Counter[str] = Counter(answers=1)
    parts = [
        (*(changed(one, rng) if at % 2 else (one, "true")), one)
        for at, one in enumerate(sentences_of(text)[:12])
    ]
    parts += [(one, "invented", "") for one in rng.sample(INVENTED, 2)]
    rng.shuffle(parts)
    answer = " ".join(wrong for wrong, _, _ in parts)
    repairs = find_repairs(builder, builder.build(answer))
    at = 0
    for wrong, kind, original in parts:
        end = at + len(wrong)
        here = [one for span, one in repairs.items() if span.start < end and span.end > at]
        made = fixed(answer[:end], here)[at:].strip()
        count[kind] += 1
        count[f"{kind}: noticed"] += bool(here)
        count[f"{kind}: changed"] += any(one.applied for one in here)
        count[f"{kind}: as in the source afterwards"] += made == original
        count[f"{kind}: offered to be removed"] += any(
            one.kind is RepairKind.REMOVE for one in here
        )
        at = end + 1
    after = builder.build(fixed(answer, repairs.values())).entries
    count["contradicted afterwards"] = sum(one.verdict.value == "contradicted" for one in after)
    return count


def main() -> None:
    """Print the counts."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("files", nargs="+", type=Path)
    given.add_argument("--answers", type=int, default=60)
    args = given.parse_args()
    rows = [json.loads(line) for path in args.files for line in path.read_text().splitlines()]
    texts = {row["doc"]: row["text"] for row in rows if "text" in row}
    rng = random.Random(7)
    count: Counter[str] = Counter()
    for name in rng.sample(sorted(texts), args.answers):
        builder = LedgerBuilder(Corpus([document_from_text(texts[name], f"{name}.md")]))
        count += measure(builder, texts[name], rng)
        told = [row for row in rows if row["doc"] == name and row.get("label") == "supported"]
        found = find_repairs(builder, builder.build("\n\n".join(row["claim"] for row in told)))
        count["true, in other words"] += len(told)
        count["true, in other words: changed"] += sum(one.applied for one in found.values())
    for key, number in sorted(count.items()):
        print(f"{key}: {number}")


if __name__ == "__main__":
    main()
