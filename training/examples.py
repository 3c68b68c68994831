"""What the reader learns from: labelled pairs of open sets, claims written for us, questions.

An `Example` is one pair as the network sees it. `target` is the class of a claim (`NOT_ENOUGH`,
`SUPPORTED`, `REFUTED`, or `NOT_SUPPORTED` where a source does not tell the last two apart), or for
a question 1 and 0: the passage answers it or not.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

NOT_ENOUGH, SUPPORTED, REFUTED, NOT_SUPPORTED = range(4)
FIRST_PIECE, END_PIECE = 101, 102  # [CLS] and [SEP] of the vocabulary
MOST_FIRST_PIECES = 64
"""Rows of the pool whose claim or question is longer are left out."""

# How many rows of each source of the pool, at most. Those whose licence is not stated stay out.
POOL = {
    "check_covid": 1400,
    "contract_nli": 1200,
    "defacto_xsum": 800,
    "factcg_doc": 1000,
    "fever_docnli": 2000,
    "fever_gold": 2400,
    "fever_nei_built": 1200,
    "fever_symmetric": 1316,
    "fm2": 2544,
    "folio": 500,
    "infotabs": 3000,
    "nli_mnli_taxinli": 1200,
    "nli_rte": 500,
    "realsumm_scu": 2200,
    "scifact": 600,
    "semi_nli_translate_wiki": 600,
    "summedits_ectsum": 300,
    "summedits_samsum": 300,
    "te_newprot_base": 1500,
    "te_newprot_contrast": 1000,
    "te_newprot_edit_other": 2400,
    "te_newprot_edit_premise": 1600,
    "te_newprot_paragraph": 920,
}
QUESTIONS = {
    "cdc_covid_faq": 300,
    "clapnq_dev": 500,
    "digitalgov": 300,
    "medquad": 400,
    "or_sharc": 900,
    "qed_nq_dev": 500,
    "squad2_dev": 900,
    "usgov_docs": 200,
}
_POOL_LABELS = {"N": NOT_ENOUGH, "S": SUPPORTED, "R": REFUTED, "X": NOT_SUPPORTED}


@dataclass(frozen=True, slots=True)
class Example:
    """Word pieces of a pair, where its second part begins, and what is true of it.

    `lines` are ranges of pieces, one a line that is shown, and `decides` tells of each whether it
    decides; both are empty where that is not known.
    """

    ids: tuple[int, ...]
    second: int
    target: int
    question: bool = False
    lines: tuple[tuple[int, int], ...] = ()
    decides: tuple[bool, ...] = ()


def pieces(tokenizer: Tokenizer, text: str) -> list[int]:
    """The word pieces of a text, without the marks of beginning and end."""
    return list(tokenizer.encode(text, add_special_tokens=False).ids)


def pair(first: list[int], second: list[int], target: int, *, question: bool = False) -> Example:
    """One example of the pieces of both parts."""
    head = [FIRST_PIECE, *first, END_PIECE]
    return Example((*head, *second, END_PIECE), len(head), target, question)


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer without padding and truncation: batches and windows do both."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _chosen(
    path: Path, most: dict[str, int], yes: str, rng: random.Random
) -> Iterator[dict[str, Any]]:
    """Rows of the named sources, each at most so often, half of them with the label `yes`."""
    by: dict[str, dict[bool, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in _lines(path):
        if row["source"] in most:
            by[row["source"]][str(row["label"]) == yes].append(row)
    for source, bound in most.items():
        true, other = by[source][True], by[source][False]
        rng.shuffle(true)
        rng.shuffle(other)
        taken = min(len(true), bound // 2) if other else min(len(true), bound)
        yield from true[:taken]
        yield from other[: bound - taken]


def pool_examples(
    data: Path, tokenizer: Tokenizer, most_pieces: int, rng: random.Random
) -> list[Example]:
    """Claims of the open sets whose evidence fits a window whole, and questions."""
    out = []
    for row in _chosen(data / "pool" / "pool.jsonl.gz", POOL, "S", rng):
        claim, evidence = pieces(tokenizer, row["claim"]), pieces(tokenizer, row["evidence"])
        if len(claim) <= MOST_FIRST_PIECES and len(claim) + len(evidence) + 3 <= most_pieces:
            out.append(pair(claim, evidence, _POOL_LABELS[row["label"]]))
    for row in _chosen(data / "question-pool" / "questions.jsonl.gz", QUESTIONS, "1", rng):
        asked, passage = pieces(tokenizer, row["question"]), pieces(tokenizer, row["passage"])
        if len(asked) <= MOST_FIRST_PIECES and len(asked) + len(passage) + 3 <= most_pieces:
            out.append(pair(asked, passage, int(row["label"]), question=True))
    rng.shuffle(out)
    return out
