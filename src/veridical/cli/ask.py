"""`veridical ask`: a question, answered from documents with citations, or refused."""

from __future__ import annotations

import click

from veridical.cli.errors import reported
from veridical.cli.options import answering_options


@click.command()
@click.argument("question", metavar="QUESTION")
@answering_options("Folder or file to answer from; by default the current folder.")
@click.option(
    "--database",
    metavar="URL",
    help="Use the index that `veridical index --database` made there; without --documents as it "
    "is kept, no file is looked at.",
)
@click.option(
    "--format",
    "form",
    default="text",
    show_default=True,
    metavar="[text|json]",
    help="What is printed; json is the response of POST /chat.",
)
def ask(
    question: str,
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    database: str | None,
    form: str,
    verbose: bool,
) -> None:
    """Answer a question from documents, with quotes and citations, or refuse it.

    QUESTION is the question, or - for standard input. Without --documents and --database it is
    answered from the documents of the current folder. Nothing is written: an index that
    `veridical index` made is used, and what changed since is read again for this question.

    Exit code 0: answered. 1: refused. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import ask_run

        code = ask_run.run(
            question,
            documents,
            model=model,
            base_url=base_url,
            database=database,
            form=form,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)
