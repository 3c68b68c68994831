"""`veridical ledger citations`: are the citations that another program gave true?"""

from __future__ import annotations

from typing import Any

import click

from veridical.cli.choices import TABLE_OR_JSON, Form, parse_choice
from veridical.cli.errors import NEGATIVE_RESULT, with_exit_code
from veridical.cli.files import check_inputs, json_bytes, read_json
from veridical.cli.options import documents_option, format_option, verbose_option
from veridical.cli.places import Kind, expect
from veridical.cli.run import load
from veridical.cli.terminal import clean, out, out_data, warn
from veridical.ledger.verification import change_told
from veridical.ledger.verify_given import GivenCitationCheck, check_given_citations
from veridical.ledger.wire_given import CitedAnswer, read_cited
from veridical.text.normalize import one_line
from veridical.validation.config import ValidationConfig

_MOST_CHARS = 100
_NOT_CHECKED = "not checked"


@click.command()
@click.argument("source", metavar="CITATIONS.json")
@documents_option
@format_option(*TABLE_OR_JSON, help="What is printed.")
@click.option(
    "--allow-none",
    is_flag=True,
    help="Let a file without any citation pass: exit code 0. What is there is checked as ever.",
)
@verbose_option
@with_exit_code
def citations(
    source: str,
    documents: tuple[str, ...],
    form: str,
    *,
    allow_none: bool,
) -> int:
    """Check the citations of a reply of Anthropic's API against the documents.

    Says of each whether its words stand where it says, elsewhere in the document, changed, or not
    at all. - stands for standard input.

    Exit code 0: the words of all stand there. 1: not so, or something could not be checked, or
    there is no citation. 2: the run could not be made.
    """
    printed = parse_choice(TABLE_OR_JSON, form)
    check_inputs(documents, source)
    expect(("CITATIONS.json", Kind.ANSWER, source), ("--documents", Kind.DOCUMENTS, documents))
    given = read_cited(read_json(source, what="citations"))
    loaded = load(documents, ValidationConfig())
    checks = check_given_citations(given, loaded.documents)
    if printed is Form.JSON:
        out_data(json_bytes([_to_json(check) for check in checks]))
    else:
        for number, check in enumerate(checks, 1):
            out(clean(_line(number, check)))
        true = sum(check.ok for check in checks)
        out(f"{true:,} of {len(checks):,} citations stand in the documents")
    warn(*(failure.message for failure in loaded.failures), *filter(None, [_uncited(given)]))
    is_enough = bool(checks) or allow_none
    return 0 if is_enough and all(check.ok for check in checks) else NEGATIVE_RESULT


def _uncited(given: CitedAnswer) -> str:
    """What is said of texts without a citation: those of an answer may be, if any has one."""
    if given.citations:
        return ""
    if not given.text:
        return "there is no citation"
    return f"there is no citation; texts of the answer that carry none: {given.uncited:,}"


def _line(number: int, check: GivenCitationCheck) -> str:
    status = _NOT_CHECKED if check.status is None else check.status.value
    quoted = one_line(check.citation.cited_text or "", _MOST_CHARS)
    where = check.now.describe() if check.now is not None else check.problem or "nowhere"
    asides = [change_told(change) for change in check.changes]
    if check.not_checked:
        asides.append(f"{_NOT_CHECKED}: {', '.join(check.not_checked)}")
    said = f"“{quoted}”: " if quoted else ""
    aside = f" ({'; '.join(asides)})" if asides else ""
    return f"{number}: {status}, {said}{where}{aside}"


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
        "changes": [change_told(change) for change in check.changes],
        "problem": check.problem,
        "not_checked": list(check.not_checked),
    }
