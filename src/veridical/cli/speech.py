"""The `veridical speech` commands."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import reported
from veridical.cli.options import model_options, verbose_option

_transcript_argument = click.argument("transcript", metavar="TRANSCRIPT")
_evaluation_argument = click.argument("evaluation", metavar="EVALUATION.json")
_speaker_option = click.option(
    "--speaker", metavar="NAME", help="The speaker's name; it is kept where other names are not."
)
_label_option = click.option(
    "--label", metavar="LABEL", help="The speaker's label in the transcript, if it is not the name."
)
_name_option = click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name to leave out, beside those that are found. May be given several times.",
)
_phrase_option = click.option(
    "--phrase",
    metavar="WORDS",
    help="What stands for a name; 'a fellow member' by default.",
)
_names_model_option = click.option(
    "--names-model", metavar="MODEL", help="Find names with this spaCy model as well."
)
_seconds_option = click.option(
    "--seconds", type=float, metavar="N", help="Time limit of the spoken script."
)
_output_option = click.option(
    "-o", "--output", multiple=True, metavar="FILE", help="Write the result to this file."
)


@click.group()
def speech() -> None:
    """Evaluate a speech, or check an evaluation, against its transcript.

    TRANSCRIPT is JSON of Whisper (OpenAI, faster-whisper, WhisperX, whisper-timestamped,
    whisper.cpp), Deepgram or AssemblyAI, SRT, WebVTT, or lines with [mm:ss] and SPEAKER:.
    """


@speech.command()
@_transcript_argument
@_evaluation_argument
@click.option("--format", "form", metavar="[table|json]", help="Format of the result.")
@_output_option
@click.option("--label", metavar="LABEL", help="The quotes must be words of this speaker.")
@click.option("--min-words", type=int, metavar="N", help="Least words of a quote; 6 by default.")
@click.option("--max-words", type=int, metavar="N", help="Most words of a quote; 15 by default.")
@click.option(
    "--tolerance",
    type=float,
    metavar="SECONDS",
    help="How far the claimed second may be off; 20 by default.",
)
@verbose_option
def check(
    transcript: str,
    evaluation: str,
    form: str | None,
    output: tuple[str, ...],
    label: str | None,
    min_words: int | None,
    max_words: int | None,
    tolerance: float | None,
    verbose: bool,
) -> None:
    """Check the quotes of an evaluation that some other program wrote.

    EVALUATION.json holds the items: type, evidence_quote and evidence_timestamp of each.

    Exit code 0: every item's evidence passes. 1: one fails. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import speech_check

        code = speech_check.run(
            transcript,
            evaluation,
            form=form,
            outputs=[Path(name) for name in output],
            label=label,
            min_words=min_words,
            max_words=max_words,
            tolerance=tolerance,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@speech.command()
@_transcript_argument
@_speaker_option
@_label_option
@model_options
@_seconds_option
@_name_option
@_phrase_option
@_names_model_option
@click.option("--title", metavar="TEXT", help="Title of the evaluation.")
@click.option("--format", "form", metavar="[text|json|html]", help="Format of the result.")
@_output_option
@click.option(
    "--with-names",
    metavar="FILE",
    help="Write the evaluation as it was before names were left out, not for the public.",
)
@verbose_option
def evaluate(
    transcript: str,
    speaker: str | None,
    label: str | None,
    model: str | None,
    base_url: str | None,
    seconds: float | None,
    names: tuple[str, ...],
    phrase: str | None,
    names_model: str | None,
    title: str | None,
    form: str | None,
    output: tuple[str, ...],
    with_names: str | None,
    verbose: bool,
) -> None:
    """Evaluate a speech: what was done well, and what to try next time.

    Every item quotes the speaker's own words, which are checked against the transcript. Without
    a model, fixed rules pick the moments; VERIDICAL_API_KEY holds the key of a model's server.
    Names of other people are left out of all that is written. The suffix of FILE decides what it
    holds: .json the evaluation, .html a page with a timeline, .txt the spoken script.

    Exit code 0: 2-3 commendations and 1-2 recommendations came out, each with its evidence. 1:
    fewer. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import speech_evaluate
        from veridical.cli.names import Names

        code = speech_evaluate.run(
            transcript,
            speaker=speaker,
            label=label,
            model=model,
            base_url=base_url,
            seconds=seconds,
            names=Names(names, phrase, names_model),
            title=title,
            form=form,
            outputs=[Path(name) for name in output],
            with_names=Path(with_names) if with_names else None,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@speech.command()
@_evaluation_argument
@_transcript_argument
@_speaker_option
@_label_option
@_seconds_option
@_name_option
@_phrase_option
@_names_model_option
@click.option("-o", "--output", metavar="FILE", help="Write the script to this file.")
@verbose_option
def script(
    evaluation: str,
    transcript: str,
    speaker: str | None,
    label: str | None,
    seconds: float | None,
    names: tuple[str, ...],
    phrase: str | None,
    names_model: str | None,
    output: str | None,
    verbose: bool,
) -> None:
    """Turn an evaluation into spoken text, without names of other people.

    The quotes are checked first; items that fail are left out, and named on standard error.

    Exit code 0: all items passed. 1: some were left out. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import speech_script
        from veridical.cli.names import Names

        code = speech_script.run(
            evaluation,
            transcript,
            speaker=speaker,
            label=label,
            seconds=seconds,
            names=Names(names, phrase, names_model),
            output=Path(output) if output else None,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@speech.command()
@click.argument("text", metavar="SCRIPT.txt")
@click.option("-o", "--output", required=True, metavar="FILE", help="The sound file to write.")
@click.option(
    "--engine",
    default="auto",
    show_default=True,
    metavar="[auto|espeak|api]",
    help="espeak-ng, or an OpenAI-compatible server.",
)
@click.option("--voice", metavar="VOICE", help="A voice of the engine.")
@click.option("--language", metavar="CODE", help="Language of the text, for espeak-ng.")
@click.option("--model", metavar="MODEL", help="The server's model; VERIDICAL_SPEECH_MODEL.")
@click.option("--base-url", metavar="URL", help="The server; VERIDICAL_BASE_URL.")
@verbose_option
def speak(
    text: str,
    output: str,
    engine: str,
    voice: str | None,
    language: str | None,
    model: str | None,
    base_url: str | None,
    verbose: bool,
) -> None:
    """Read a script aloud into a sound file.

    SCRIPT.txt is what `veridical speech script` wrote, or - for standard input. Uses espeak-ng
    where it is installed, or the speech endpoint of an OpenAI-compatible server.

    Exit code 0: written. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import speech_speak

        speech_speak.run(
            text,
            Path(output),
            engine=engine,
            voice=voice,
            language=language,
            model=model,
            base_url=base_url,
            verbose=verbose,
        )
