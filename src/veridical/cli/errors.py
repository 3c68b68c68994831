"""Errors as a user sees them: one line on standard error and exit code 2, never a traceback."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

import click

from veridical.errors import ConfigurationError, MissingExtraError, VeridicalError

CANNOT_RUN = 2

NEGATIVE_RESULT = 1
"""The run was made, and what came of it is not what the user hopes for: claims that are not
validated, a question that is refused, a bound that is missed, files that cannot be read.
"""

logger = logging.getLogger(__name__)


@contextmanager
def reported() -> Iterator[None]:
    """Turn what goes wrong inside into a message and exit code 2."""
    try:
        yield
    except VeridicalError as error:
        from veridical.cli.places import swapped

        _fail(swapped() or str(error))
    except KeyboardInterrupt:
        _fail("interrupted before the run was finished")
    except BrokenPipeError:
        raise click.exceptions.Exit(CANNOT_RUN) from None
    except MemoryError:
        _fail("out of memory; use smaller documents or fewer claims")
    except Exception as error:
        logger.debug("unexpected error", exc_info=True)
        _fail(
            f"an unexpected {type(error).__name__} stopped the run. This is a defect of veridical: "
            "please report it, with the output of the same command with --verbose"
        )


def with_exit_code(function: Callable[..., int | None]) -> Callable[..., None]:
    """A command, from what it does with its options.

    What the function returns is the exit code, None for 0; what goes wrong in it is `reported`. Of
    a command that has the option `--verbose` the log is set up before, and the function not told.
    """

    @wraps(function)
    def run(*, verbose: bool | None = None, **given: object) -> None:
        with reported():
            if verbose is not None:
                from veridical.cli.files import set_up_logging

                set_up_logging(verbose=verbose)
            code = function(**given)
        raise click.exceptions.Exit(code or 0)

    return run


@contextmanager
def about_option(option: str) -> Iterator[None]:
    """Name the option that a ConfigurationError inside is about: the library knows of none."""
    try:
        yield
    except MissingExtraError:  # whatever is given, the package is missing
        raise
    except ConfigurationError as error:
        raise ConfigurationError(f"{option}: {error}") from error


def _fail(message: str) -> None:
    from veridical.cli.terminal import clean, err

    given = click.get_current_context(silent=True)
    if given is not None and given.params.get("form") == "github":
        from veridical.cli.check_forms import annotation_of_failure

        err(annotation_of_failure(message))
    err(f"veridical: {clean(message)}")
    raise click.exceptions.Exit(CANNOT_RUN)
