"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.decorators import FC


def together(*options: Callable[[FC], FC]) -> Callable[[FC], FC]:
    """A decorator that adds several options, which are shown in this order."""

    def decorated(command: FC) -> FC:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def usual_option(
    name: str, default: object, metavar: str, help: str, **more: Any
) -> Callable[[FC], FC]:
    """An option whose help shows its default."""
    return click.option(
        name, default=default, show_default=True, metavar=metavar, help=help, **more
    )


sources_argument = click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
transcript_argument = click.argument("transcript", metavar="TRANSCRIPT")
recogniser_options = together(
    click.option(
        "--transcriber",
        metavar="URL",
        help="Server with /v1/audio/transcriptions that hears a recording; without it "
        "faster-whisper does, on this machine.",
    ),
    click.option(
        "--transcriber-model",
        metavar="MODEL",
        help="Its model, or the name or folder of faster-whisper's weights.",
    ),
    click.option("--language", metavar="CODE", help="Language of a recording, such as en."),
)
_kept_option = click.option(
    "--transcript",
    "kept",
    metavar="FILE.json",
    help="Keep the transcript of a recording here; what is heard so far is kept beside it.",
)


def recording_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a command that takes a recording for a transcript; it gets them as `hearing`,
    a `Hearing` of `veridical.cli.transcribe`.
    """

    @wraps(command)
    def run(
        *given: Any,
        transcriber: str | None,
        transcriber_model: str | None,
        language: str | None,
        kept: str | None,
        **others: Any,
    ) -> Any:
        from veridical.cli.transcribe import Hearing

        place = Path(kept) if kept else None
        hearing = Hearing(transcriber, transcriber_model, language, place)
        return command(*given, hearing=hearing, **others)

    return together(recogniser_options, _kept_option)(run)


evaluation_argument = click.argument("evaluation", metavar="EVALUATION.json")
speech_start_option = click.option(
    "--speech-start",
    metavar="[TIME|auto]",
    help="Where in the recording the speech starts, and seconds are counted from: a second or "
    "clock time (1:35); auto: after the gap before it. By default seconds are those of the "
    "recording.",
)
speech_span_options = together(
    click.option(
        "--from",
        "begin",
        metavar="TIME",
        help="The speech begins at this second or clock time (1:35) of the recording; what is said "
        "before is not the speaker's.",
    ),
    click.option(
        "--to", "end", metavar="TIME", help="The speech ends there; what is said after is not."
    ),
)
verbose_option = click.option("--verbose", is_flag=True, help="Log to standard error.")
config_option = click.option(
    "--config", metavar="FILE", help="Settings (see: veridical config); the defaults without it."
)


def _documents_option(
    told: str = "Sources: a folder or a file.", **more: Any
) -> Callable[[FC], FC]:
    told += " May be given several times."
    return click.option("--documents", multiple=True, metavar="DIR", help=told, **more)


documents_option = _documents_option(required=True)
optional_documents_option = _documents_option()
store_option = click.option(
    "--store",
    metavar="URL",
    help="Database: a file (SQLite) or a postgresql:// address; VERIDICAL_STORE, or veridical.db.",
)
workspace_option = click.option(
    "--workspace", default="default", show_default=True, metavar="NAME", help="Workspace in it."
)
base_url_option = click.option(
    "--base-url", metavar="URL", help="OpenAI-compatible server of the model; VERIDICAL_BASE_URL."
)
model_options = together(
    click.option("--model", metavar="MODEL", help="Ask this language model; VERIDICAL_MODEL."),
    base_url_option,
)
judge_options = together(
    click.option(
        "--judge",
        metavar="[reader|nli|model]",
        help="Who judges: the embedded judge (the default), a local NLI model (--model-path), or "
        "a language model (the default with --model).",
    ),
    usual_option(
        "--point",
        "strict",
        "[strict|balanced|lenient]",
        "How much it takes for a claim to be supported.",
    ),
    model_options,
    click.option("--model-path", metavar="DIR", help="Folder of the ONNX model for --judge nli."),
)
calibration_option = click.option(
    "--calibration", metavar="FILE", help="What `ledger calibrate` wrote for your own data."
)


def _choosing(
    *options: Callable[[Callable[..., None]], Callable[..., None]],
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A decorator that adds options, and hands what they say of the judge on as one `choice`."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @together(*options)
        @wraps(command)
        def run(
            *,
            judge: str | None,
            point: str,
            model: str | None,
            base_url: str | None,
            model_path: str | None,
            calibration: str | None = None,
            **given: object,
        ) -> None:
            from veridical.cli.ledger_judges import JudgeChoice

            choice = JudgeChoice(judge, point, model, base_url, model_path, calibration)
            command(choice=choice, **given)

        return run

    return decorated


judge_choice = _choosing(judge_options)
calibrated_judge_choice = _choosing(judge_options, calibration_option)


def format_option(*forms: str, help: str = "Format.", default: bool = True) -> Callable[[FC], FC]:
    """`--format`, one of `forms`; the first by default, or with `default=False` none."""
    return click.option(
        "--format",
        "form",
        default=str(forms[0]) if default else None,  # click shows the name of an enum's member
        show_default=default,
        metavar=f"[{'|'.join(forms)}]",
        help=help,
    )


def outputs_option(help: str) -> Callable[[FC], FC]:
    """`-o`, which may be given several times; the paths come as `outputs`."""
    return click.option(
        "-o", "--output", "outputs", multiple=True, type=Path, metavar="FILE", help=help
    )


def answering_options(documents: str) -> Callable[[FC], FC]:
    """`--documents`, whose help is `documents`, `--model`, `--base-url` and `--verbose`."""
    return together(
        _documents_option(documents),
        click.option(
            "--model", metavar="MODEL", help="Answer in this model's words; VERIDICAL_MODEL."
        ),
        base_url_option,
        verbose_option,
    )
