"""How each figure is measured, for the reader of the table."""

from __future__ import annotations

from benchmarks.rows import Settings


def notes(settings: Settings, *, one_core: bool) -> list[str]:
    core = "The process is bound to one core" if one_core else "This system cannot bind to one core"
    sample = (
        "Peers look for all claims."
        if settings.peer_sample >= settings.claims
        else f"Peers look for the first {settings.peer_sample:,} claims; their time is scaled."
    )
    return [
        (
            f"{core}; times are `time.process_time`, so the time of all threads: the median of "
            f"{settings.runs} runs ({max(1, settings.runs // 2)} in row d; in rows a and b, all "
            "programs take turns) after a warm-up, and the fastest in brackets. 1 MB is 1,048,576 "
            "bytes of UTF-8."
        ),
        (
            "Claims are drawn from what a reader sees of the text, with a fixed seed: 30 to 300 "
            "characters, half with changed case, spacing and typography, a quarter with 1 to 3 "
            "edits, a tenth damaged (8 to 25 % of the characters) or shortened with an ellipsis, "
            "the rest from pages that are not in the text."
        ),
        (
            "Rows a and b, Veridical: folding the document and the claims is counted, reading the "
            "Markdown is not. k is at most 15 % of the claim. Row a is `locate_near`, row b "
            "`locate`."
        ),
        (
            "Rows a and b, peers: they get text and claims folded already, which is not counted. "
            f"{sample} fuzzysearch has the same k as Veridical; exact claims are taken out by one "
            "pass of ahocorasick-rs first, except for `fuzzysearch alone`. rapidfuzz has "
            "`score_cutoff=85` in both rows; its similarity is another, so its count is not "
            "comparable to the claim. edlib aligns each claim with the whole text "
            "(mode HW, k = 15 %), on bytes."
        ),
        (
            "`differ from edlib`: claims for which the best distance within the row's k is not the "
            "one that edlib finds over the whole text. What Veridical locates beyond that is best "
            "effort, which row b counts as located."
        ),
        (
            "Row c: claims as JSON text in, report as JSON text out; 60 % direct quotes made as "
            "above, 20 % paraphrases, 10 % concept and 10 % section references; a quarter expects "
            "a section, a tenth has a hint; all strategies on. The document is parsed each time; "
            "the embedding model is loaded before. The specification allows 3.0 s."
        ),
        (
            "Row d: the same claims; the text of row b stands at the beginning of the longer ones. "
            "Reading the Markdown is not counted."
        ),
        (
            "Row e: a fresh process each, with the document, all modules, the claims and (for a "
            "validation) the embedding model loaded; the growth of the resident set at its peak "
            "(`VmHWM` after a reset through `/proc/self/clear_refs`, less `VmRSS` before; "
            "elsewhere `ru_maxrss`), results included."
        ),
        (
            f"Row f: fresh processes, wall clock, median of {settings.starts} (fastest in "
            "brackets) and median of user and system time, after one run that fills the file cache."
        ),
        (
            "Row g: mission radio of the shared data as one recording at one pace, with a time for "
            "each word (elsewhere the text of row c); quotes of 7 to 13 words, eight of ten as "
            "said, one at a wrong second, one altered. Making the transcript's tokens ready is "
            "counted, reading its file is not. The plain algorithm runs on a sample, scaled."
        ),
        (
            "Row h: 3,000,000 characters of handbook and articles as 1,000 pages; recall is the "
            "share of questions (their own heading blanked) and of claims of which a passage that "
            "holds the answer is among the first so many. Parameters were chosen on the same sets."
        ),
        (
            "Row i: ten ledgers of 10,000 entries, wall clock, the server's work included. An "
            "entry is two rows: its claim and its verdict."
        ),
        (
            "Row j: 200 sentences of the documents as an answer, half as they stand, a quarter "
            "with a word left out, a quarter with another number in them; finding the claims, "
            "retrieval, judging and the ledger itself are counted, indexing is not."
        ),
        (
            "Row k: 23 minutes of radio, a model in the same process that sleeps and then answers, "
            "wall clock; prompts, checks and the scorecard are counted, but not in the last line."
        ),
        (
            "Row l: wall clock, the 25 questions of `eval/questions.jsonl` over the sample "
            "policies, after one round that warms up; the server is a process of its own. The "
            "model of the last line replies at once with four bullets that the sources hold."
        ),
        (
            "Row m: the handbook's pages over and over as 10,000 files, each copy with words of "
            "its own; files are read, chunked, indexed and embedded; wall clock, in a process of "
            "its own, whose peak memory is told. Asked are the questions of row l and the "
            "handbook's own."
        ),
        (
            "Rows n to r: `veridical serve` in a process of its own, all cores, modules compiled "
            "as installing does it. Row n: 20 clients on connections that they keep, each asking "
            "again as soon as it was answered; the same bytes from a bare FastAPI application."
        ),
        (
            "Rows o and p: Chromium, a fresh profile each time, from the address until all rows "
            "are there and a key moves the focus (o), and until the words are marked on the drawn "
            "page, inside the window (p). The PDF is made by typst; its text is known to the "
            "server, its pages are drawn by pdf.js."
        ),
        (
            "Row q: process start, empty SQLite database; one policy uploaded and read, one "
            "question answered and its ledger built, each seen by a client that asks every 10 ms."
        ),
        (
            "Row r: pages, ledgers, claims, documents, questions and decisions in the order in "
            "which a reviewer asks for them; memory of the process (`VmRSS`) after the first tenth "
            "and at the end."
        ),
        (
            "Row x: answers of 20 sentences of the documents, a quarter altered and a quarter "
            "shortened, in pieces of four characters; other answers warm the guard up. CPU time "
            "between two outputs; the rest is shared among the last sentences."
        ),
    ]
