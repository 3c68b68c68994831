"""The forms in which `veridical check` tells what it found."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from veridical.cli.choices import Form, by_suffix
from veridical.cli.terminal import clean, colored, excerpt
from veridical.ledger.checking import CheckedFile, CheckedFiles, Problem, ProblemKind
from veridical.ledger.quotes import NearestWords
from veridical.reports.words import count
from veridical.version import __version__

FORMS = (Form.REPORT, Form.TEXT, Form.JSON, Form.SARIF, Form.JUNIT, Form.GITHUB)
BY_SUFFIX = by_suffix(".sarif .json .xml .txt", text=Form.TEXT)

_MOST_CHARS = 240
_WORST_FIRST = list(ProblemKind)


def rendered(checked: CheckedFiles, form: Form, failing: Collection[ProblemKind]) -> str:
    """The problems in a form, ending in a line feed; empty where a form has a line for each and
    there is none.
    """
    if form is Form.REPORT:
        return "\n".join(_report(checked, file) for file in checked.files) + "\n"
    if form is Form.JSON:
        return json.dumps(_json(checked, failing), indent=2, ensure_ascii=False) + "\n"
    if form is Form.SARIF:
        from veridical.ledger.export.ci import render_sarif

        return render_sarif(checked)
    if form is Form.JUNIT:
        from veridical.ledger.export.ci import render_junit

        return render_junit(checked, failing)
    if form is Form.GITHUB:
        return "".join(_annotations(checked, failing))
    return "".join(
        _line(file, problem) + "\n" for file in checked.files for problem in file.check.problems
    )


def summed_up(checked: CheckedFiles) -> str:
    """What came of the run, in a line."""
    problems = sum(len(file.check.problems) for file in checked.files)
    borne = f"{checked.supported:,} of {count(checked.claims, 'claim')} supported"
    return f"{count(len(checked.files), 'file')} checked, {borne}, {count(problems, 'problem')}"


_STYLES = {"supported": 32, "quoted": 32, "partial": 33, "unchecked": 33}
_RED = 31


def _report(checked: CheckedFiles, file: CheckedFile) -> str:
    """Each claim and quote of an answer for a reader; the name of the file, if there are more."""
    from veridical.ledger.grounding import grounding_of

    told = grounding_of(file.document.text, file.check, checked.documents)
    lines = [f"== {clean(file.path)}"] if checked.files[1:] else []
    for line in str(told).splitlines():
        words = clean(line.strip())
        label, colon, rest = words.partition(": ")
        if colored() and colon and line[:1].strip():
            words = f"\x1b[{_STYLES.get(label, _RED)}m{label}\x1b[0m{colon}{rest}"
        lines.append(f"{' ' * (len(line) - len(line.lstrip()))}{words}")
    return "\n".join(lines)


def _line(file: CheckedFile, problem: Problem) -> str:
    place = file.region(problem.span)
    path = clean(file.path)
    # No file name may begin a line with what a log of GitHub Actions takes for a command.
    path = f"./{path}" if path.startswith(":") else path
    words = excerpt(problem.text, _MOST_CHARS)
    return (
        f"{path}:{place.line}:{place.column}: {problem.kind.told}: {words}. {_explained(problem)}"
    )


def _explained(problem: Problem) -> str:
    told = clean(problem.reason).rstrip(".") + "."
    if problem.nearest is not None:
        place, words = clean(problem.nearest.place), excerpt(problem.nearest.text, _MOST_CHARS)
        told += f" (nearest: {place}: “{words}”)"
    return f"{told} Repair: {clean(problem.repair.told)}." if problem.repair else told


def _annotations(checked: CheckedFiles, failing: Collection[ProblemKind]) -> list[str]:
    """Workflow commands of GitHub Actions, the worst first: it shows ten of a step.

    Files that could not be read come before all: what is said of the others may hang on them.
    """
    unread = [f"::error title=Veridical: not read::{_escaped(f)}\n" for f in checked.failures]
    found = [(file, problem) for file in checked.files for problem in file.check.problems]
    found.sort(key=lambda one: (one[1].kind not in failing, _WORST_FIRST.index(one[1].kind)))
    told = [_annotation(file, problem, problem.kind in failing) for file, problem in found]
    return unread + told


def annotation_of_failure(message: str) -> str:
    """The workflow command that says why a run could not be made."""
    return f"::error title=Veridical: not checked::{_escaped(message)}"


def _annotation(file: CheckedFile, problem: Problem, fails: bool) -> str:
    place = file.region(problem.span)
    properties = {
        "file": file.path,
        "line": str(place.line),
        "endLine": str(place.end_line),
        "title": f"Veridical: {problem.kind.told}",
    }
    if place.line == place.end_line:  # GitHub ignores columns of more than one line
        properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    told = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in properties.items())
    words = excerpt(problem.text, _MOST_CHARS)
    message = _escaped(f"{words}. {_explained(problem)}")
    return f"::{'error' if fails else 'warning'} {told}::{message}\n"


def _escaped(text: str, more: str = "") -> str:
    """Text that cannot end a workflow command or one of its properties, nor command a terminal."""
    return "".join(
        "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "backslashreplace"))
        if character in "%\r\n" + more or _is_unsafe(character)
        else character
        for character in text
    )


def _is_unsafe(character: str) -> bool:
    """Whether it is what `clean` makes visible, or white space other than a space that is seen."""
    made = clean(character)
    is_line = unicodedata.category(character) in ("Cc", "Zl", "Zp")
    return made != character and (made == "\ufffd" or is_line)


def _json(checked: CheckedFiles, failing: Collection[ProblemKind]) -> dict[str, Any]:
    """The problems in the form of the shipped schema `answer_check`."""
    kinds = [problem.kind for file in checked.files for problem in file.check.problems]
    return {
        "tool": "veridical",
        "version": __version__,
        "fail_on": [kind.value for kind in ProblemKind if kind in failing],
        "summary": {
            "files": len(checked.files),
            "claims": checked.claims,
            "supported": checked.supported,
            "problems": {kind.value: kinds.count(kind) for kind in ProblemKind},
            "failing": sum(kind in failing for kind in kinds),
        },
        "files": [_file(file) for file in checked.files],
        "failures": list(checked.failures),
        "warnings": list(checked.warnings),
    }


def _file(file: CheckedFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "sha256": file.sha256,
        "claims": file.check.claims,
        "supported": file.check.supported,
        "problems": [_problem(file, problem) for problem in file.check.problems],
        "warnings": list(file.check.warnings),
    }


def _problem(file: CheckedFile, problem: Problem) -> dict[str, Any]:
    return {
        "kind": problem.kind.value,
        **asdict(file.region(problem.span)),
        **asdict(problem.span),
        "text": problem.text,
        "reason": problem.reason,
        "nearest": _nearest(problem.nearest) if problem.nearest else None,
        "repair": asdict(problem.repair) if problem.repair else None,
    }


def _nearest(nearest: NearestWords) -> dict[str, Any]:
    return {
        "text": nearest.text,
        "source": nearest.document.name,
        "place": nearest.place,
        "line": nearest.line,
        "page": nearest.page,
        "section": nearest.section or None,
        **asdict(nearest.span),
    }
