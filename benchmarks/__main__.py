"""`python -m benchmarks`: measure, print the table, and keep it in RESULTS.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.measure import progress, stay_on_one_core

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
SHARED_DATA = ROOT.parent / "shared" / "data"

ROWS = {
    "ab": "locating",
    "c": "validating",
    "d": "scaling",
    "e": "memory",
    "f": "starting",
    "g": "timed_quotes",
    "h": "retrieving",
    "i": "storing",
    "j": "building",
    "k": "scoring",
    "lm": "answering",
    "nopqr": "serving",
    "x": "guarding",
}


def main() -> None:
    options = _options()
    one_core = stay_on_one_core()  # before numpy counts the cores
    from benchmarks.corpus import load_corpus
    from benchmarks.machine import describe
    from benchmarks.notes import notes
    from benchmarks.report import results, table
    from benchmarks.rows import Bench, Settings

    settings = Settings()
    if options.quick:
        settings = Settings(runs=1, peer_sample=100, megabytes=(10,), starts=3, quick=True)
    source = load_corpus(options.data)
    progress(f"text: {source.description}")
    bench = Bench(source, settings, options.data, wanted=options.rows)
    lines = []
    for row, method in ROWS.items():
        if options.rows is None or any(letter in options.rows for letter in row):
            lines += getattr(bench, method)()
    print(table(lines))
    if options.quick or options.rows:
        progress("a part only, so RESULTS.md stays as it is")
        return
    size = min(source.real_bytes, 50 * 1024**2) / 1024**2
    text = f"{source.description}; {size:.1f} MB, continued by a word-pair model beyond that"
    report = results(lines, describe(), text, notes(settings, one_core=one_core), options.date)
    options.output.write_text(report, "utf-8")
    progress(f"written to {options.output}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="one run each, peers on a sample; writes no file"
    )
    parser.add_argument("--rows", metavar="LETTERS", help="measure only these rows, such as `ac`")
    parser.add_argument(
        "--data",
        type=Path,
        default=SHARED_DATA,
        help="folder with policies/ and quotes/; where it is missing, the text comes with Python",
    )
    parser.add_argument("--date", default="", help="printed in the results")
    parser.add_argument("--output", type=Path, default=RESULTS, help="where the results go")
    return parser.parse_args()


if __name__ == "__main__":
    main()
