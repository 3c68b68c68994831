"""`veridical ledger citations`: are the citations that another program gave true?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from veridical.cli.errors import NEGATIVE_RESULT, reported
from veridical.cli.ledger_options import documents_option, verbose_option

if TYPE_CHECKING:
    from veridical.ledger.verify_given import GivenCitationCheck

_MOST_CHARS = 100
_NOT_CHECKED = "not checked"


@click.command()
@click.argument("source", metavar="CITATIONS.json")
@documents_option
@click.option(
    "--from",
    "given_form",
    metavar="[anthropic|openai|web-annotations]",
    help="What the file holds; by default what it looks like. Rows of Hypothesis are "
    "web-annotations.",
)
@click.option(
    "--format",
    "form",
    default="table",
    show_default=True,
    metavar="[table|json]",
    help="What is printed.",
)
@verbose_option
def citations(
    source: str, documents: tuple[str, ...], given_form: str | None, form: str, verbose: bool
) -> None:
    """Check citations that came with an answer, or annotations, against the documents.

    Says of each whether its words stand where it says, elsewhere in the document, changed, or not
    at all. - stands for standard input.

    Exit code 0: the words of all stand there. 1: not so, or something quotes nothing. 2: the run
    could not be made.
    """
    with reported():
        code = _run(source, documents, given_form=given_form, form=form, verbose=verbose)
    raise click.exceptions.Exit(code)


def _run(
    source: str, documents: Sequence[str], *, given_form: str | None, form: str, verbose: bool
) -> int:
    import json

    from veridical.cli import setup
    from veridical.cli.choices import parse_choice
    from veridical.cli.files import encode, read_json
    from veridical.cli.ledger_verify_run import VerificationFormat
    from veridical.cli.run import load
    from veridical.cli.terminal import clean, err, out, out_data
    from veridical.ledger.citation_objects import check_given_citations
    from veridical.ledger.given_forms import GivenForm, read_cited
    from veridical.validation.config import ValidationConfig

    setup.set_up_logging(verbose=verbose)
    printed = parse_choice(VerificationFormat, form, option="--format")
    kind = None if given_form is None else parse_choice(GivenForm, given_form, option="--from")
    setup.check_inputs(documents, source)
    given = read_cited(read_json(source, what="citations"), kind)
    loaded = load(documents, ValidationConfig())
    checks = check_given_citations(given, loaded.documents)
    if printed is VerificationFormat.JSON:
        told = json.dumps([_to_json(check) for check in checks], indent=2, ensure_ascii=False)
        out_data(encode(told + "\n"))
    else:
        for number, check in enumerate(checks, 1):
            out(clean(_line(number, check)))
        true = sum(check.ok for check in checks)
        out(f"{true:,} of {len(checks):,} citations stand in the documents")
    for failure in loaded.failures:
        err(f"veridical: warning: {clean(failure.message)}")
    return 0 if all(check.ok for check in checks) else NEGATIVE_RESULT


def _line(number: int, check: GivenCitationCheck) -> str:
    status = _NOT_CHECKED if check.status is None else check.status.value
    quoted = " ".join((check.citation.cited_text or "").split())
    if len(quoted) > _MOST_CHARS:
        quoted = f"{quoted[: _MOST_CHARS - 2]} …"
    where = check.now.describe() if check.now is not None else check.problem or "nowhere"
    changed = "; ".join(change.describe() for change in check.changes)
    return f"{number}: {status}, “{quoted}”: {where}{f' ({changed})' if changed else ''}"


def _to_json(check: GivenCitationCheck) -> dict[str, Any]:
    now = check.now
    return {
        "status": None if check.status is None else check.status.value,
        "ok": check.ok,
        "cited_text": check.citation.cited_text,
        "document": check.document,
        "start": None if now is None else now.span.start,
        "end": None if now is None else now.span.end,
        "line": None if now is None else now.line,
        "page": None if now is None else now.page,
        "changes": [change.describe() for change in check.changes],
        "problem": check.problem,
    }
