"""`veridical check`: answers in files, checked against one folder of sources."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from veridical.cli import setup
from veridical.cli.check_files import (
    AnswerPath,
    AnswerText,
    among_sources,
    answer_paths,
    read_answers,
    read_sources,
)
from veridical.cli.check_formats import BY_SUFFIX, CheckFormat, rendered, summed_up
from veridical.cli.choices import parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import check_outputs, encode, write_whole
from veridical.cli.ledger_judges import JudgeChoice, make_extractor, make_judge
from veridical.cli.ledger_sources import evidence_only, warn_of_outputs_among
from veridical.cli.terminal import clean, err, out, out_data
from veridical.ledger.answer_file import CheckedFile, CheckedFiles
from veridical.ledger.checking import AnswerChecker, ProblemKind
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Format

_NOTHING = "none"


def run(
    files: Sequence[str],
    documents: Sequence[str],
    *,
    skip_sources: bool,
    fail_on: str | None,
    choice: JudgeChoice,
    outputs: Sequence[Path],
    form: str,
    verbose: bool,
) -> int:
    """Check answers, write and print what was found, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    printed = parse_choice(CheckFormat, form, option="--format")
    forms = [suffix_choice(BY_SUFFIX, path) for path in outputs]
    failing = failing_kinds(fail_on)
    setup.check_inputs(documents)
    places = answer_paths(files)
    if skip_sources:
        places = _without_sources(places, documents)
    inputs = [str(place.path) for place in places]
    check_outputs(outputs, [*inputs, *documents, *choice.files])
    answers, unread = read_answers(places)
    checked = _checked(answers, documents, choice, unread)
    warn_of_outputs_among(outputs, documents)
    _deliver(checked, outputs, forms, printed, failing)
    found = any(file.check.of_kinds(failing) for file in checked.files)
    return NEGATIVE_RESULT if found or checked.failures else 0


def _without_sources(places: Sequence[AnswerPath], documents: Sequence[str]) -> list[AnswerPath]:
    """The files that do not lie among the sources; how many do is told.

    None may be left: a change may be to sources alone, and no answer is wrong then.
    """
    kept = [place for place in places if not among_sources(place, documents)]
    skipped = len(places) - len(kept)
    if skipped:
        nothing = "" if kept else "; nothing is left to be checked"
        err(f"veridical: {skipped:,} of the files lie among the sources: not checked{nothing}")
    return kept


def failing_kinds(fail_on: str | None) -> frozenset[ProblemKind]:
    """What `--fail-on` names: all by default. Raises ConfigurationError for another name."""
    if fail_on is None:
        return frozenset(ProblemKind)
    if fail_on.strip().lower() == _NOTHING:
        return frozenset()
    names = [name.strip().replace("_", "-") for name in fail_on.split(",")]
    return frozenset(parse_choice(ProblemKind, name, option="--fail-on") for name in names)


def _checked(
    answers: Sequence[AnswerText],
    documents: Sequence[str],
    choice: JudgeChoice,
    unread: Sequence[str],
) -> CheckedFiles:
    """Check all answers over the documents, which are read once, and only where there is need."""
    judge, extractor = make_judge(choice), make_extractor(choice)
    if not answers:
        return CheckedFiles((), failures=tuple(unread))
    sources = read_sources(documents, [answer.place for answer in answers])
    loaded = evidence_only(sources.loaded, *(answer.text for answer in answers))
    checker = AnswerChecker(Corpus(loaded.documents), judge=judge, extractor=extractor)
    files = tuple(_file(answer, checker) for answer in answers)
    failures = [failure.message for failure in loaded.failures]
    return CheckedFiles(files, sources.files, (*unread, *failures), checker.source_warnings)


def _file(answer: AnswerText, checker: AnswerChecker) -> CheckedFile:
    document = Document(answer.place.shown, answer.text, Format.MARKDOWN)
    return CheckedFile(
        document, answer.sha256, checker.check(answer.text), inside=answer.place.inside
    )


def _deliver(
    checked: CheckedFiles,
    outputs: Sequence[Path],
    forms: Sequence[CheckFormat],
    printed: CheckFormat,
    failing: Collection[ProblemKind],
) -> None:
    made = [encode(rendered(checked, form, failing)) for form in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)
    text = rendered(checked, printed, failing)
    if printed is CheckFormat.TEXT:
        if text:
            out(text.rstrip("\n"))
    else:
        out_data(encode(text))
    for failure in checked.failures:
        err(f"veridical: warning: {clean(failure)}")
    for file in checked.files:
        for warning in file.check.warnings:
            err(f"veridical: warning: {clean(file.path)}: {clean(warning)}")
    err(f"veridical: {summed_up(checked)}")
    for path in outputs:
        err(f"Written: {path}")
