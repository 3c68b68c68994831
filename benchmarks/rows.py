"""What is measured, a function a row of the table."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from benchmarks import (
    answering,
    claims,
    cold,
    corpus,
    guard,
    ledgers,
    memory,
    peers,
    retrieval,
    scoring,
    service,
    store,
    timed,
)
from benchmarks.measure import Timing, progress, times
from benchmarks.report import Line, count, goal, mebibytes, ratio, seconds
from veridical.matching.align import Needle
from veridical.matching.locate import Place, locate, locate_near
from veridical.matching.seeds import DEFAULT_POLICY
from veridical.sources.document import Document
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold

OURS = "**Veridical**"


@dataclass(frozen=True, slots=True)
class Settings:
    """How much is run. Peers look for the first `peer_sample` claims, scaled to all."""

    claims: int = 1000
    runs: int = 5
    peer_sample: int = 1000
    megabytes: tuple[int, ...] = (10, 50)
    starts: int = 15
    quick: bool = False


class Bench:
    """The text of 1 MB with its claims, and the rows measured on them."""

    def __init__(
        self,
        source: corpus.Corpus,
        settings: Settings,
        data: Path,
        *,
        wanted: str | None = None,
    ) -> None:
        self.settings = settings
        self._wanted = wanted
        self._data = data
        self._corpus = source
        self.text = corpus.build_text(source, corpus.MEBIBYTE)
        self.document = corpus.read(self.text)
        reserve = self._reserve = corpus.read(source.reserve)
        self.quotes = claims.quotes_to_locate(self.document, reserve, settings.claims, seed=3)
        self.evidence = claims.evidence(self.document, reserve, settings.claims, seed=4)
        self._texts = [quote.text for quote in self.quotes]
        self._folded_text = folded(self.document)
        self._folded = [fold(text) for text in self._texts]

    @cached_property
    def _seconds_for_one(self) -> float:
        """Median of row b, also where that row is not asked for."""
        label = "b"
        work = {label: partial(locate_quotes, self.document, self._texts)}
        return times(work, self.settings.runs)[label].median

    def locating(self) -> list[Line]:
        """Rows a and b."""
        sample = self._folded[: self.settings.peer_sample]
        rivals: dict[str, peers.Peer] = {
            "Aho-Corasick + fuzzysearch": peers.aho_corasick_fuzzysearch,
            "fuzzysearch alone": peers.fuzzysearch_alone,
            "rapidfuzz": peers.rapidfuzz_alignment,
            "edlib": peers.edlib_infix,
        }
        # All in the same rounds: a busy machine is then as unfair to the one as to the other.
        spent = times(
            {
                "a": partial(locate_quotes, self.document, self._texts, near=True),
                "b": partial(locate_quotes, self.document, self._texts),
                **{n: partial(peer, self._folded_text, sample) for n, peer in rivals.items()},
            },
            self.settings.runs,
            dict.fromkeys(rivals, len(self._folded) / len(sample)),
        )
        found = {name: peer(self._folded_text, sample) for name, peer in rivals.items()}
        self._seconds_for_one = spent["b"].median
        near = best(locate_quotes(self.document, self._texts, near=True))
        damaged = best(locate_quotes(self.document, self._texts))
        return [
            *self._row_a(spent["a"], spent, near, found),
            *self._row_b(spent["b"], spent, damaged, found),
        ]

    def _row_a(
        self,
        ours: Timing,
        theirs: dict[str, Timing],
        near: peers.Distances,
        found: dict[str, peers.Distances],
    ) -> list[Line]:
        n = len(self.quotes)
        return [
            Line(
                "a",
                f"locate {n:,} claims in 1 MB, exact and k <= 3",
                OURS,
                seconds(ours),
                located=self._agreement(near, found["edlib"], near_only=True),
                aim="0.08 s",
            ),
            *(
                Line(
                    "a",
                    "",
                    who,
                    seconds(theirs[name]),
                    ratio(_times(theirs[name], ours)),
                    count(found[name]),
                    goal(f"{least} x", met=_times(theirs[name], ours) >= least) if least else "",
                )
                for name, who, least in (
                    ("Aho-Corasick + fuzzysearch", "Aho-Corasick + fuzzysearch", 10),
                    ("fuzzysearch alone", "fuzzysearch alone", 0),
                    ("rapidfuzz", "rapidfuzz `partial_ratio_alignment`", 40),
                )
            ),
        ]

    def _row_b(
        self,
        ours: Timing,
        theirs: dict[str, Timing],
        damaged: peers.Distances,
        found: dict[str, peers.Distances],
    ) -> list[Line]:
        n = len(self.quotes)
        return [
            Line(
                "b",
                f"locate {n:,} claims in 1 MB, complete to similarity 0.85",
                OURS,
                seconds(ours),
                located=self._agreement(damaged, found["edlib"], near_only=False),
                aim="0.25 s",
            ),
            *(
                Line(
                    "b",
                    "",
                    who,
                    seconds(theirs[name]),
                    ratio(_times(theirs[name], ours)),
                    count(found[name]),
                    goal(f"{least} x", met=_times(theirs[name], ours) >= least) if least else "",
                )
                for name, who, least in (
                    ("rapidfuzz", "rapidfuzz `partial_ratio_alignment`", 15),
                    ("edlib", "edlib over the text", 20),
                )
            ),
        ]

    def _agreement(self, ours: peers.Distances, oracle: peers.Distances, *, near_only: bool) -> str:
        """How many were located, and where edlib over the whole text gives another distance."""
        differences = 0
        for claim, mine, exact in zip(self._folded, ours, oracle, strict=False):
            bound = DEFAULT_POLICY.complete_edits(len(claim))
            if near_only:
                bound = DEFAULT_POLICY.near_edits(len(claim))
            within = [None if d is None or d > bound else d for d in (mine, exact)]
            differences += within[0] != within[1]
        compared = min(len(ours), len(oracle))
        return f"{count(ours)}; {differences} of {compared:,} differ from edlib"

    def validating(self) -> list[Line]:
        """Row c."""
        from evidence_validator import validate_evidence
        from veridical.matching.embeddings import default_embedder

        default_embedder().embed(["a warm start"])
        plain = claims.evidence(self.document, self._reserve, len(self.evidence), 4, reworded=False)
        sources = [json.dumps({"claims": asked}) for asked in (self.evidence, plain)]

        def work(source: str) -> str:
            return json.dumps(validate_evidence(self.text, json.loads(source)))

        spent = times(
            {label: partial(work, source) for label, source in zip("cC", sources, strict=True)},
            self.settings.runs,
        )
        name = f"whole `validate_evidence`, {len(self.evidence):,} claims, 1 MB"
        must = goal("0.8 s", met=spent["C"].median <= 0.8)
        return [
            Line("c", name, OURS, seconds(spent["c"]), "", _states(work(sources[0]))),
            Line(
                "c",
                "the same, where nothing has to be read",
                OURS,
                seconds(spent["C"]),
                "",
                _states(work(sources[1])),
                must,
                "0.5 s",
            ),
        ]

    def scaling(self) -> list[Line]:
        """Row d."""
        lines: list[Line] = []
        for size in self.settings.megabytes:
            progress(f"building {size} MB")
            document = corpus.read(corpus.build_text(self._corpus, size * corpus.MEBIBYTE))
            label = f"d, {size} MB"
            work = {label: partial(locate_quotes, document, self._texts)}
            timing = times(work, max(1, self.settings.runs // 2))[label]
            located = count(best(locate_quotes(document, self._texts)))
            factor = timing.median / self._seconds_for_one
            growth = f"{factor:.1f} x the time of 1 MB"
            must, aim = "", ""
            if size == 50:
                must, aim = goal("60 x the time of 1 MB", met=factor <= 60), "4 s"
            name = f"locate as in b, {size} MB"
            lines.append(Line("d", name, OURS, seconds(timing), growth, located, must, aim))
        return lines

    def memory(self) -> list[Line]:
        """Row e."""
        lines: list[Line] = []
        with tempfile.TemporaryDirectory() as folder:
            for case, size, must in self._memory_cases():
                text, data = Path(folder, "text.md"), Path(folder, "claims.json")
                build = corpus.build_text(self._corpus, size * corpus.MEBIBYTE)
                text.write_bytes(build.encode())
                data.write_text(json.dumps(self._texts if case == "locate" else self.evidence))
                grown = memory.measured(case, text, data)
                progress(f"e, {case}, {size} MB: {mebibytes(grown)}")
                name = f"memory of {_MEMORY_NAMES[case]}, {size} MB"
                target = goal(f"{must} MB", met=grown <= must * 1024**2) if must else ""
                lines.append(Line("e", name, OURS, mebibytes(grown), must=target))
        return lines

    def _memory_cases(self) -> list[tuple[str, int, int]]:
        cases = [("locate", 1, 20)]
        cases += [("locate", size, 45) for size in self.settings.megabytes if size == 50]
        return [*cases, ("validate", 1, 20), ("validate_evidence", 1, 0)]

    def starting(self) -> list[Line]:
        """Row f."""
        text = self.text.encode()[:10_240].decode(errors="ignore")
        reader = corpus.read(text)
        quote = claims.quotes_to_locate(reader, reader, 2, seed=5)[0].text
        lines: list[Line] = []
        with tempfile.TemporaryDirectory() as folder:
            commands = (
                (OURS, cold.quote_command(Path(folder), text, quote)),
                ("`import rapidfuzz`", ["-c", "import rapidfuzz"]),
                ("`import numpy`", ["-c", "import numpy"]),
                ("nothing (`python -c pass`)", ["-c", "pass"]),
            )
            for who, command in commands:
                spent = cold.start(command, self.settings.starts)
                shown = f"{spent.wall:.3f} s ({spent.fastest_wall:.3f}), CPU {spent.cpu:.3f} s"
                progress(f"f, {who}: {shown}")
                name, must, aim = "", "", ""
                if who == OURS:
                    name, aim = "cold start: `veridical quote`, 10 KB file", "0.25 s"
                    must = goal("0.4 s", met=spent.wall <= 0.4)
                lines.append(Line("f", name, who, shown, must=must, aim=aim))
        return lines

    def timed_quotes(self) -> list[Line]:
        """Row g."""
        said = timed.transcript(timed.spoken_text(self._data, self.text))
        asked = timed.quotes(said, self.settings.claims, seed=6)
        sample = asked[: max(1, self.settings.peer_sample // 20)]
        spent = times(
            {
                "g, checked": partial(timed.judge, said, asked),
                "g, corrected": partial(timed.check, said, asked),
                "g, plainly": partial(timed.plainly, said, sample),
            },
            self.settings.runs,
            {"g, plainly": len(asked) / len(sample)},
        )
        ours, plain = spent["g, checked"], spent["g, plainly"]
        verdicts = [result.passed for result in timed.judge(said, asked)]
        differ = sum(
            mine != theirs
            for mine, theirs in zip(verdicts, timed.plainly(said, sample), strict=False)
        )
        name = f"check {len(asked):,} timed quotes, {len(said.words):,} words in 8 hours"
        passed = f"{sum(verdicts):,} of {len(verdicts):,} pass"
        must = goal("0.2 s", met=ours.median <= 0.2)
        return [
            Line("g", name, OURS, seconds(ours), located=passed, must=must),
            Line(
                "g", "the same, and correct those that fail", OURS, seconds(spent["g, corrected"])
            ),
            Line(
                "g",
                "",
                "the contract's algorithm, written plainly",
                seconds(plain),
                ratio(_times(plain, ours)),
                f"{differ} of {len(sample)} differ",
            ),
        ]

    def retrieving(self) -> list[Line]:
        """Row h; needs the shared data."""
        if not (self._data / "policies").is_dir():
            progress("h needs the shared data: left out")
            return []
        return retrieval.rows(self._data, self.settings.runs)

    def storing(self) -> list[Line]:
        """Row i."""
        return store.lines("i", OURS, max(1, self.settings.runs // 2))

    def building(self) -> list[Line]:
        """Row j."""
        return ledgers.lines(self._corpus, self.settings.runs)

    def scoring(self) -> list[Line]:
        """Row k."""
        return scoring.lines(self.settings.runs)

    def answering(self) -> list[Line]:
        """Rows l and m; the second needs the shared data."""
        return answering.lines(self.settings.runs, self._data)

    def guarding(self) -> list[Line]:
        """Row x."""
        return guard.lines(self._corpus, self.settings.runs)

    def serving(self) -> list[Line]:
        """Rows n to r, those that are asked for: some take minutes."""
        rows = [row for row in service.ROWS if self._wanted is None or row in self._wanted]
        return service.lines(self._corpus, rows="".join(rows), quick=self.settings.quick)


_MEMORY_NAMES = {
    "locate": "locate",
    "validate": "`Validator.validate`, document read before",
    "validate_evidence": "`validate_evidence`, its reading of the document and JSON included",
}


def locate_quotes(
    document: Document, quotes: Sequence[str], *, near: bool = False
) -> list[list[Place]]:
    """Our work in rows a (`near`) and b: fold the document and the quotes, and search."""
    text = FoldedText(document)
    needles = [Needle(fold(quote)) for quote in quotes]
    return locate_near(text, needles) if near else locate(text, needles)


def _states(written: str) -> str:
    """How many claims of a report have which verdict."""
    report = json.loads(written)
    states = Counter(entry["validation_status"] for entry in report["validated_claims"])
    states["FAILED"] = len(report["failed_claims"])
    return ", ".join(f"{number} {state}" for state, number in sorted(states.items()))


def folded(document: Document) -> str:
    """The folded text that peers search."""
    return "".join(chunk.text(0, len(chunk)) for chunk in FoldedText(document).chunks(0))


def _times(theirs: Timing, ours: Timing) -> float:
    return theirs.median / ours.median


def best(places: Sequence[Sequence[Place]]) -> peers.Distances:
    """The least edit distance of each."""
    return [found[0].edit_distance if found else None for found in places]
