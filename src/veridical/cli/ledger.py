"""The `veridical ledger` commands."""

from __future__ import annotations

import click

from veridical.cli.group import Commands

_COMMANDS = {
    "build": "Build the ledger of an answer.",
    "calibrate": "Fit a judge to your own data: about a hundred claims that you have labelled.",
    "citations": "Check citations that came with an answer, or annotations, against the documents.",
    "evaluate": "Measure a judge on claims that people have labelled.",
    "export": "Export a ledger as a report, as an evidence pack, or what it cites for other "
    "programs.",
    "list": "List the ledgers of a database.",
    "show": "Print a ledger as a table, or one of its claims in full.",
    "verify": "Check a ledger again, against its documents as they are now.",
}
_PLACES = {
    "calibrate": "ledger_evaluate:calibrate",
    "list": "ledger_table:list_ledgers",
    "show": "ledger_table:show",
}


@click.group(cls=Commands, elsewhere=_COMMANDS, places=_PLACES, prefix="ledger_")
def ledger() -> None:
    """Check an answer against its sources, claim by claim, and keep the record.

    A ledger lists the claims of an answer, the verdict on each, and the words of the sources that
    it rests on. It carries a seal, and can be checked again without a network or a database.
    """
