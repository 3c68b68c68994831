"""The `veridical` command, also as `python -m veridical`."""

from __future__ import annotations

import sys

_INTERRUPTED = 130
"""How shells know a program that Ctrl-C ended."""


def main() -> None:
    """Entry point of the console script. Imports the commands inside, so that Ctrl-C in the first
    moments ends it quietly too; a command that runs says itself that it was interrupted.
    """
    try:
        from veridical.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
