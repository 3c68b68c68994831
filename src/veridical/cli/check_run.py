"""`veridical check`: answers in files, checked against one folder of sources."""

from __future__ import annotations

import difflib
import glob
import hashlib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from veridical.cli.check_forms import BY_SUFFIX, FORMS, rendered, summed_up
from veridical.cli.choices import Form, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import (
    STANDARD_INPUT,
    check_inputs,
    check_outputs,
    encode,
    require_regular_files,
    shown,
    write_whole,
)
from veridical.cli.ledger_judges import JudgeChoice, make_judge
from veridical.cli.ledger_sources import (
    evidence_only,
    warn_of_outputs_among,
    warn_of_passed_over,
)
from veridical.cli.options import (
    calibrated_judge_choice,
    format_option,
    optional_documents_option,
    outputs_option,
    verbose_option,
)
from veridical.cli.places import Kind, expect
from veridical.cli.terminal import clean, err, live_log, out, out_data, warn
from veridical.errors import DocumentParsingError, NoDocumentsError, ValidationError
from veridical.ledger.checking import (
    AnswerChecker,
    CheckedFile,
    CheckedFiles,
    ProblemKind,
    SourceFile,
)
from veridical.ledger.entry import MAX_ANSWER_CHARS
from veridical.ledger.repair import fixed
from veridical.retrieval.corpus import Corpus, unread
from veridical.sources.document import DEFAULT_LIMITS, Document, Format
from veridical.sources.loader import (
    STANDARD_INPUT_NAME,
    Loaded,
    SourceEntry,
    identity_of,
    load_entries,
    plain_name,
    read_file,
    read_standard_input,
    source_entries,
    with_unique_names,
    without_repeats,
)
from veridical.sources.sniff import SUFFIXES, decode


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.stem}.fixed{path.suffix}")


def _write_fixed(checked: CheckedFiles, paths: Mapping[str, Path], *, marked: bool) -> None:
    """Write the corrected answers, and tell each change as `diff -u` does."""
    for file in checked.files:
        repairs = [problem.repair for problem in file.check.problems]
        old, path = file.document.text, paths[file.path]
        new = fixed(old, repairs)
        if new == old:
            err(f"veridical: {clean(file.path)}: nothing that can be repaired without you")
            if not path.exists():  # what an earlier run left there would be taken for this one's
                continue
        lines = old.splitlines(), new.splitlines()
        for line in difflib.unified_diff(*lines, file.path, str(path), n=1, lineterm=""):
            err(clean(line))
        write_whole(path, encode(fixed(old, repairs, marked=marked)))
        err(f"Written: {clean(str(path))}")


# Which files `veridical check` checks, and against which.


_ANSWERS = (Format.MARKDOWN, Format.PLAIN_TEXT)
_SUFFIXES = tuple(suffix for suffix, kind in SUFFIXES.items() if kind in _ANSWERS)
_NOT_FOLLOWED = "a link that leads out of this folder is not followed; name the file itself"


@dataclass(frozen=True, slots=True)
class AnswerPath:
    """A file to check. `shown` is its path from the current folder, as people know it; `inside`
    says whether it lies below that folder; `named` whether the user named it and no folder;
    `leads_out` that it is a link out of the current folder, which is not followed.
    """

    path: Path
    shown: str
    inside: bool
    identity: str
    named: bool
    leads_out: bool = False


@dataclass(frozen=True, slots=True)
class AnswerText:
    """The text of a file to check, and the SHA-256 of its bytes in hex."""

    place: AnswerPath
    text: str
    sha256: str


def answer_paths(given: Sequence[str]) -> list[AnswerPath]:
    """The files that files, folders and patterns stand for, each once, in the order given.

    Raises ValidationError for what stands for none, or is neither Markdown nor text.
    """
    found: dict[str, AnswerPath] = {}
    for name in given:
        for place in _places(name):
            found.setdefault(place.identity, place)
    return list(found.values())


def _places(name: str) -> Iterator[AnswerPath]:
    path = Path(name)
    if not name:
        raise ValidationError("the name of a file is empty. Name the files to check.")
    if name == STANDARD_INPUT:
        yield AnswerPath(
            path, STANDARD_INPUT_NAME, inside=False, identity=STANDARD_INPUT, named=True
        )
        return
    if path.exists():
        if _way_out(path):
            raise ValidationError(f"{clean(name)}: {_NOT_FOLLOWED}")
        if path.is_dir():
            yield from _of_folder(name)
        else:
            yield _named(path)
        return
    # The pattern may be absolute, which that of a Path may not.
    matches = sorted(glob.glob(name, recursive=True)) if glob.has_magic(name) else []  # noqa: PTH207
    paths = [Path(match) for match in matches if Path(match).suffix.lower() in _SUFFIXES]
    if not paths:
        raise ValidationError(
            f"{clean(name)}: there is no such file, and as a pattern it matches no file ending in "
            f"{', '.join(_SUFFIXES)}. Check the path."
        )
    for path in paths:
        link = _way_out(path)
        if link:
            yield _refused(link)
        elif path.is_file():
            yield _place(path, named=False)


def _way_out(path: Path) -> Path | None:
    """The link by which a path in this folder leads out of it: itself or a folder on the way.

    Names often come from a change that somebody proposes: what they lead to does not.
    """
    here, lexical = Path.cwd(), Path(os.path.abspath(path))  # noqa: PTH100 - links as they are
    root = identity_of(here)
    if not lexical.is_relative_to(here) or Path(identity_of(path)).is_relative_to(root):
        return None
    below = [part for part in (lexical, *lexical.parents) if part.is_relative_to(here)]
    outside = [part for part in below if not Path(identity_of(part)).is_relative_to(root)]
    return outside[-1] if outside else lexical


def _refused(link: Path) -> AnswerPath:
    """A link out of this folder: told once, whatever lies behind it."""
    shown = plain_name(_relative(link) or link.as_posix())
    return AnswerPath(link, shown, inside=True, identity=str(link), named=False, leads_out=True)


def _of_folder(name: str) -> Iterator[AnswerPath]:
    """The Markdown and text files of a folder, hidden ones and links out of it left out."""
    try:
        found = [entry.path for entry in source_entries(name)]
    except NoDocumentsError:
        found = []
    paths = [path for path in found if path.suffix.lower() in _SUFFIXES]
    if not paths:
        raise ValidationError(
            f"{clean(name)}: the folder holds no file ending in {', '.join(_SUFFIXES)}"
        )
    for path in paths:
        yield _place(path, named=False)


def _named(path: Path) -> AnswerPath:
    require_regular_files([path])
    kind = SUFFIXES.get(path.suffix.lower(), Format.PLAIN_TEXT)
    if kind not in _ANSWERS:
        raise ValidationError(
            f"{clean(str(path))}: answers are Markdown or plain text, and this is named as "
            f"{kind.value}. The answer comes first, its sources behind it."
        )
    return _place(path, named=True)


def _place(path: Path, *, named: bool) -> AnswerPath:
    shown = _relative(path)
    inside = shown is not None
    return AnswerPath(path, plain_name(shown or path.as_posix()), inside, identity_of(path), named)


def _relative(path: Path) -> str | None:
    """A path from the current folder, None where it lies elsewhere."""
    try:
        found = Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return None
    return None if found == ".." or found.startswith("../") else found


def read_answers(places: Sequence[AnswerPath]) -> tuple[list[AnswerText], list[str]]:
    """The texts of files, and what is wrong with those of folders that cannot be read.

    Raises DocumentParsingError for a file that was named and cannot be read.
    """
    read: list[AnswerText] = []
    failures: list[str] = []
    for place in places:
        try:
            read.append(_read(place))
        except DocumentParsingError as problem:
            if place.named:
                raise
            failures.append(str(problem))
    return read, failures


def _read(place: AnswerPath) -> AnswerText:
    if place.leads_out:
        raise DocumentParsingError(f"{place.shown}: {_NOT_FOLLOWED}")
    if place.identity == STANDARD_INPUT:
        data = read_standard_input(DEFAULT_LIMITS)
    else:
        data = read_file(place.path, place.shown, DEFAULT_LIMITS)
    text = decode(data, place.shown)
    if len(text) > MAX_ANSWER_CHARS:
        raise DocumentParsingError(
            f"{place.shown}: {len(text):,} characters are over the limit of {MAX_ANSWER_CHARS:,} "
            "for one answer. Split it."
        )
    if not text.strip():
        raise DocumentParsingError(
            f"{place.shown}: the file is empty; there is no answer to check. See why nothing was "
            "written, or leave the file out."
        )
    return AnswerText(place, text, hashlib.sha256(data).hexdigest())


def read_sources(
    documents: Sequence[str], checked: Sequence[AnswerPath]
) -> tuple[Loaded, dict[str, SourceFile]]:
    """The documents of files and folders, less the files that are checked, which is told; and those
    of them that lie below the current folder, by name.

    Raises DocumentParsingError where one that was named cannot be read, ValidationError where it is
    no file, NoDocumentsError where nothing is left.
    """
    require_regular_files(map(Path, documents))
    answers = {place.identity: place.shown for place in checked}
    entries = [entry for source in documents for entry in source_entries(source)]
    kept = [entry for entry in entries if entry.identity not in answers]
    kept = with_unique_names(without_repeats(kept))
    if not kept:
        raise NoDocumentsError(
            "no document is left: all sources are answers that are checked. Name the documents "
            "that the answer rests on."
        )
    for identity in dict.fromkeys(e.identity for e in entries if e.identity in answers):
        warn(
            f"{answers[identity]} lies among the documents; it is checked, and so it is no source. "
            "Keep answers elsewhere: one that is not checked in this run is taken for a source."
        )
    warn_of_passed_over(documents)
    with live_log("veridical.sources.isolated"):  # recognising the pages of a scan takes its time
        loaded = load_entries(kept)
    named = set(documents)
    for failure in loaded.failures:
        if failure.name in named:
            raise DocumentParsingError(failure.message)
    if loaded.failures and not loaded.documents:
        raise NoDocumentsError(f"no source could be read. {loaded.failures[0].message}")
    return loaded, dict(_files(kept))


def _files(entries: Sequence[SourceEntry]) -> Iterator[tuple[str, SourceFile]]:
    for entry in entries:
        shown = _relative(entry.path)
        if shown is None or not entry.path.is_file():
            continue
        with entry.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield entry.name, SourceFile(plain_name(shown), digest)


_NOTHING = "none"


class _FilesLast(click.Command):
    """A command that takes no option from a file of that name: `pre-commit` and the like put the
    names of files, which come from whoever proposes a change, behind the options.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an argument that is an option and a file here, unless `--` stands before it."""
        own = args[: args.index("--")] if "--" in args else args
        for name in own:
            if name.startswith("-") and name != "-" and os.path.lexists(name):
                raise click.UsageError(
                    f"{clean(name)} is the name of a file here, and reads as an option. Put -- "
                    "before the names of the files, or ./ before this one.",
                    ctx,
                )
        return super().parse_args(ctx, args)


@click.command(cls=_FilesLast)
@click.argument("files", metavar="ANSWER SOURCE...", nargs=-1, required=True)
@optional_documents_option
@click.option(
    "--skip-sources",
    is_flag=True,
    help="Do not check files that lie among the sources, such as a changed source in a pull "
    "request.",
)
@click.option(
    "--fail-on",
    metavar="KINDS",
    help="What makes the exit code 1: contradicted, misquoted, not-found, partial, unchecked, with "
    "commas between them, or none. All of them by default.",
)
@click.option("--fix", is_flag=True, help="Write corrected answers beside them: NAME.fixed.md.")
@click.option("--marked", is_flag=True, help="The same, each change shown as CriticMarkup.")
@click.option(
    *("--fixed", "fixed_to"),
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The same, of one answer, into this file; it may be the answer.",
)
@calibrated_judge_choice
@outputs_option(
    "Write the problems to this file: .sarif, .json, .xml (JUnit) or .txt. May be given several "
    "times."
)
@format_option(
    *FORMS,
    help="What is printed: a report for people, each problem in a line (text, the default with "
    "--documents), or what programs read; github are annotations for a log of GitHub Actions.",
    default=False,
)
@verbose_option
@with_exit_code
def check(
    files: Sequence[str],
    documents: Sequence[str],
    skip_sources: bool,
    fail_on: str | None,
    choice: JudgeChoice,
    outputs: Sequence[Path],
    form: str | None,
    fix: bool,
    marked: bool,
    fixed_to: Path | None,
) -> int:
    """Check an answer against its sources: each claim, and each quote in it.

    ANSWER is a Markdown or text file, or - for standard input. SOURCE is a document, or a folder of
    documents: all kinds that `veridical quote` reads.

    With --documents the sources stand there, and all arguments are answers: files, folders of
    Markdown and text files, or patterns such as "answers/**/*.md". Each problem is printed with its
    line and column. A file that is checked is no source.

    Exit code 0: nothing that --fail-on names. 1: something, or a file that could not be read. 2:
    the run could not be made.
    """
    printed = parse_choice(FORMS, form or (Form.TEXT if documents else Form.REPORT))
    forms = [suffix_choice(BY_SUFFIX, path) for path in outputs]
    failing = failing_kinds(fail_on)
    if not documents:
        files, documents = _answer_and_sources(files)
    check_inputs(documents, *(name for name in files if name == STANDARD_INPUT))
    places = answer_paths(files)
    if skip_sources:
        places = _without_sources(places, documents)
    corrected: dict[str, Path] = {}
    if fix or marked or fixed_to:
        if any(place.identity == STANDARD_INPUT for place in places) and fixed_to is None:
            raise ValidationError(
                "an answer from standard input has no file to write beside; name one with --fixed"
            )
        made = {identity_of(_beside(place.path)) for place in places}
        places = [place for place in places if place.identity not in made]
        corrected = {place.shown: fixed_to or _beside(place.path) for place in places}
    if fixed_to is not None and len(places) != 1:
        raise ValidationError(f"--fixed names one file, and {len(places)} are checked; use --fix")
    own = fixed_to and identity_of(fixed_to)  # the answer itself may be named
    inputs = [str(place.path) for place in places if place.identity not in (own, STANDARD_INPUT)]
    check_outputs([*outputs, *corrected.values()], [*inputs, *documents, *choice.files])
    answers, unread = read_answers(places)
    checked = _checked(answers, documents, choice, unread)
    warn_of_outputs_among([*outputs, *corrected.values()], documents)
    _deliver(checked, outputs, forms, printed, failing)
    if corrected:
        _write_fixed(checked, corrected, marked=marked)
    found = any(file.check.of_kinds(failing) for file in checked.files)
    return NEGATIVE_RESULT if found or checked.failures else 0


def _answer_and_sources(given: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    answer, *sources = given
    if not sources:
        raise ValidationError(
            f"no source is named to check {clean(shown(answer))} against. Name files or folders "
            "behind the answer: veridical check ANSWER SOURCE..."
        )
    if answer != STANDARD_INPUT and Path(answer).is_dir():
        raise ValidationError(
            f"{clean(answer)} is a folder, and the answer comes first: veridical check ANSWER "
            "SOURCE... For a folder of answers give the sources with --documents."
        )
    expect(("ANSWER", Kind.ANSWER, answer), ("SOURCE", Kind.DOCUMENTS, sources))
    return [answer], sources


def _without_sources(places: Sequence[AnswerPath], documents: Sequence[str]) -> list[AnswerPath]:
    """The files that do not lie among the sources; how many do is told.

    None may be left: a change may be to sources alone, and no answer is wrong then.
    """
    roots = [identity_of(Path(name)) for name in documents]
    kept = [
        place
        for place in places
        if not any(Path(place.identity).is_relative_to(root) for root in roots)
    ]
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
    judge = make_judge(choice)
    if not answers:
        return CheckedFiles((), failures=tuple(unread))
    read, files = read_sources(documents, [answer.place for answer in answers])
    loaded = evidence_only(read, *(answer.text for answer in answers))
    checker = AnswerChecker(Corpus(loaded.documents), judge=judge)
    checked = tuple(
        CheckedFile(
            Document(answer.place.shown, answer.text, Format.MARKDOWN),
            answer.sha256,
            checker.check(answer.text),
            inside=answer.place.inside,
        )
        for answer in answers
    )
    failures = [failure.message for failure in loaded.failures]
    told = (*unread, *failures)
    return CheckedFiles(checked, files, told, checker.source_warnings, checker.documents)


def _deliver(
    checked: CheckedFiles,
    outputs: Sequence[Path],
    forms: Sequence[Form],
    printed: Form,
    failing: Collection[ProblemKind],
) -> None:
    made = [encode(rendered(checked, form, failing)) for form in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)
    text = rendered(checked, printed, failing)
    if printed is not Form.TEXT:
        out_data(encode(text))
    elif text:
        out(text.rstrip("\n"))
    warn(*checked.failures, *unread(checked.warnings))
    for file in checked.files:
        warn(*(f"{file.path}: {warning}" for warning in file.check.warnings))
    if printed is not Form.REPORT:
        err(f"veridical: {summed_up(checked)}")
    for path in outputs:
        err(f"Written: {path}")
