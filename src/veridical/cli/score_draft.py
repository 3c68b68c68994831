"""`veridical score draft`: from a procedure to a rubric."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.choices import Form, suffix_choice
from veridical.cli.errors import with_exit_code
from veridical.cli.files import check_inputs, check_outputs, encode, json_bytes, write_whole
from veridical.cli.models import chosen_model
from veridical.cli.options import model_options, verbose_option
from veridical.cli.terminal import err, out_data, warn
from veridical.errors import DocumentParsingError, OutputError
from veridical.reports.words import count

_BY_SUFFIX = {".yaml": Form.TEXT, ".yml": Form.TEXT, ".json": Form.JSON}


@click.command()
@click.argument("procedures", metavar="PROCEDURE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the rubric to this file: YAML by .yaml or .yml, JSON by .json.",
)
@click.option(
    "--overwrite", is_flag=True, help="Replace the file, with all that was changed in it."
)
@model_options
@verbose_option
@with_exit_code
def draft(
    procedures: tuple[str, ...], output: str | None, overwrite: bool,
    model: str | None, base_url: str | None,
) -> None:  # fmt: skip
    """Draft a rubric from a procedure: PDF, Word, Markdown, or what else is a source.

    A criterion for each sentence with "must", "shall" and their like, or a time limit, and for each
    order, with the exact words and the page that it comes from. With a model, in better words, and
    its quotes are looked up. A draft is to be read beside its sources before it is used; score lint
    passes on it.

    Exit code 0: written. 2: no rubric could be made.
    """
    from veridical.scoring.rubrics.draft import draft_rubric
    from veridical.scoring.rubrics.file import rubric_from_text
    from veridical.sources.loader import load_documents

    target = None if output is None else Path(output)
    form = None if target is None else suffix_choice(_BY_SUFFIX, target)
    check_inputs([*procedures])
    check_outputs([target] if target else [], procedures)
    if target is not None and target.is_file() and not overwrite:
        raise OutputError(
            f"{target} is there already, and may have been changed by hand; replace it with "
            "--overwrite, or name another file"
        )
    asked = chosen_model(model, base_url)
    loaded = load_documents(procedures)
    for failure in loaded.failures:
        raise DocumentParsingError(failure.message)
    warnings: list[str] = []
    if asked is None:
        text = draft_rubric(loaded.documents)
    else:
        from veridical.scoring.asking.drafting import ModelDrafter

        drafter = ModelDrafter(asked, warnings)
        text = draft_rubric(loaded.documents, drafter.criteria(loaded.documents))
    if target is None:
        out_data(encode(text))
    else:
        import yaml  # the draft needed it

        told = json_bytes(yaml.safe_load(text)) if form is Form.JSON else encode(text)
        write_whole(target, told)
        err(f"Written: {target}")
    sections = rubric_from_text(text).sections
    criteria = sum(len(section.criteria) for section in sections)
    noun = "criterion" if criteria == 1 else "criteria"
    err(f"{criteria:,} {noun} in {count(len(sections), 'section')}. Read each beside its source.")
    warn(*warnings)
