"""What a newcomer meets, beside other tools, each installed anew (`make bench-peers`).

Every tool gets a virtual environment of its own, from the package index: seconds of `pip install`,
packages and megabytes, seconds of the first result after it (nothing is compiled yet), and what it
says of ten faithful quotes, which differ from the source only in how they are written, and of ten
with one word or figure changed. A tool that gives a score is asked at the threshold that its own
documentation uses, or 90 of 100.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SOURCE = """# Pool rules

The teaching pool may be used by **at most 24 swimmers** at a time. Children under 8 years must
be accompanied by an adult in the water. The water of the teaching pool is kept at 31 degrees; that
of the main pool is kept at 27 degrees. Towels aren't included in the entry fee of \u20ac4.50.

Lockers are emptied every Sunday at 21:00. What is found is kept for 14 days at the
reception &mdash; it is not sent by post. A season ticket is valid from 1 May to 30
September and cannot be passed on to another person. The duty manager, Helen Marsh, may
close a lane without notice. Nobody is allowed to dive from the side of the teaching pool.
More than three missed lessons end a course.
"""

FAITHFUL = (
    "The teaching pool may be used by at most 24 swimmers at a time",
    "Children under 8 years must be accompanied by an adult in the water",
    "the water of the teaching pool is kept at 31 degrees",
    "Towels aren\u2019t included in the entry fee of \u20ac4.50",
    "LOCKERS ARE EMPTIED EVERY SUNDAY AT 21:00",
    "What is found is kept for 14 days at the reception \u2014 it is not sent by post",
    "A season ticket is valid from 1 May to 30 September and cannot be passed on to another person",
    "The duty manager, Helen Marsh,  may close a lane without  notice.",
    "Nobody is allowed to dive \u2026 of the teaching pool",
    "More than three missed lessons end a course",
)
"""Case, blanks, line breaks, quotation marks, dashes, markup, an entity, an ellipsis."""

ALTERED = (
    "The teaching pool may be used by at most 42 swimmers at a time",
    "Children under 8 years may be accompanied by an adult in the water",
    "The water of the teaching pool is kept at 27 degrees",
    "Towels are included in the entry fee of \u20ac4.50",
    "Lockers are emptied every Monday at 21:00",
    "What is found is kept for 14 weeks at the reception",
    "A season ticket is valid from 1 May to 30 November and cannot be passed on to another person",
    "The duty manager, Helen Marsh, may not close a lane without notice",
    "Nobody is allowed to dive from the side of the main pool",
    "Less than three missed lessons end a course",
)

_SCORE = "accepted = [best(quote) >= 90 for quote in quotes]\n"
_SNIPPETS = {
    "veridical": """
from veridical import check_quotes
report = check_quotes(quotes, {"pool.md": source})
accepted = [result.status == "VALIDATED" for result in report.results]
""",
    "rapidfuzz": "from rapidfuzz.fuzz import partial_ratio\n"
    "best = lambda quote: partial_ratio(quote, source)\n" + _SCORE,
    "thefuzz": "from thefuzz.fuzz import partial_ratio\n"
    "best = lambda quote: partial_ratio(quote, source)\n" + _SCORE,
    "fuzzysearch": """
from fuzzysearch import find_near_matches
accepted = [bool(find_near_matches(q, source, max_l_dist=len(q) // 10)) for q in quotes]
""",
    "regex": """
import regex
accepted = [
    bool(regex.search("(?b)(?:%s){e<=%d}" % (regex.escape(q), len(q) // 10), source))
    for q in quotes
]
""",
    "langextract": """
from langextract.data import Extraction
from langextract.resolver import WordAligner
groups = [[Extraction(extraction_class="quote", extraction_text=q)] for q in quotes]
aligned = WordAligner().align_extractions(groups, source)
accepted = [group[0].alignment_status is not None for group in aligned]
""",
}
_RUN = """
import json, sys
given = json.load(sys.stdin)
source, quotes = given["source"], given["quotes"]
{snippet}
print(json.dumps([bool(one) for one in accepted]))
"""
_LIMIT = 900


@dataclass(frozen=True, slots=True)
class Figures:
    """What one tool came to; `trouble` says why there is nothing else."""

    tool: str
    install_s: float = 0.0
    packages: int = 0
    megabytes: float = 0.0
    first_s: float = 0.0
    faithful: int = 0
    altered: int = 0
    trouble: str = ""

    def row(self) -> str:
        """A line of a Markdown table."""
        if self.trouble:
            return f"| {self.tool} | {self.trouble} | | | | | |"
        return (
            f"| {self.tool} | {self.faithful} of {len(FAITHFUL)} | {self.altered} of "
            f"{len(ALTERED)} | {self.packages} | {self.megabytes:.0f} MB | {self.install_s:.0f} s "
            f"| {self.first_s:.1f} s |"
        )


def measured(tool: str, requirement: str, folder: Path) -> Figures:
    """Install one tool into `folder` and ask it about all quotes."""
    python = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=_LIMIT)
    before = _installed(python)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    started = time.perf_counter()
    done = subprocess.run(
        [*pip, "--no-compile", requirement],
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    if done.returncode:
        return Figures(tool, trouble="cannot be installed here")
    installed = time.perf_counter() - started
    packages = _installed(python) - before
    size = sum(f.stat().st_size for f in folder.rglob("site-packages/**/*") if f.is_file())
    code = _RUN.format(snippet=_SNIPPETS[tool])
    given = json.dumps({"source": SOURCE, "quotes": [*FAITHFUL, *ALTERED]})
    started = time.perf_counter()
    done = subprocess.run(
        [python, "-c", code],
        input=given,
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    first = time.perf_counter() - started
    if done.returncode:
        return Figures(tool, trouble=f"fails: {done.stderr.strip().splitlines()[-1][:80]}")
    accepted = json.loads(done.stdout.splitlines()[-1])
    return Figures(
        tool,
        installed,
        len(packages),
        (size - _pip_size(folder)) / 1e6,
        first,
        sum(accepted[: len(FAITHFUL)]),
        sum(accepted[len(FAITHFUL) :]),
    )


def _installed(python: Path) -> set[str]:
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"],
        capture_output=True, text=True, timeout=_LIMIT, check=True,
    )  # fmt: skip
    return {package["name"] for package in json.loads(listed.stdout)}


def _pip_size(folder: Path) -> int:
    return sum(f.stat().st_size for f in folder.rglob("site-packages/pip*/**/*") if f.is_file())


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.front_door", description=__doc__)
    parser.add_argument("tools", nargs="*", help="only these", metavar="TOOL")
    tools = parser.parse_args().tools or list(_SNIPPETS)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        lines = [
            "| tool | faithful | altered | packages | size | pip install | first result |",
            "|---|---|---|---|---|---|---|",
        ]
        for tool in tools:
            requirement = _wheel(work) if tool == "veridical" else tool
            lines.append(measured(tool, requirement, work / tool).row())
        sys.stdout.write("\n".join(lines) + "\n")


def _wheel(work: Path) -> str:
    """Our own, built from here."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", work / "dist", ROOT],
        check=True, timeout=_LIMIT,
    )  # fmt: skip
    return str(next((work / "dist").glob("*.whl")))


if __name__ == "__main__":
    main()
