"""The `veridical speech` commands, and `speak`: a script as a sound file."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import with_exit_code
from veridical.cli.group import Commands
from veridical.cli.options import verbose_option
from veridical.cli.terminal import err
from veridical.errors import OutputError, ValidationError

_COMMANDS = {
    "check": "Check the quotes of an evaluation that some other program wrote.",
    "evaluate": "Evaluate a speech: what was done well, and what to try next time.",
    "script": "Turn an evaluation into spoken text, without names of other people.",
}
_PLACES = {"script": "speech_evaluate:script"}


@click.group(cls=Commands, elsewhere=_COMMANDS, places=_PLACES, prefix="speech_")
def speech() -> None:
    """Evaluate a speech, or check an evaluation, against its transcript.

    TRANSCRIPT is JSON of Whisper (OpenAI, faster-whisper, WhisperX, whisper-timestamped,
    whisper.cpp), Deepgram or AssemblyAI, SRT, WebVTT, or lines with [mm:ss] and SPEAKER:.
    """


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
@with_exit_code
def speak(
    text: str,
    output: str,
    engine: str,
    voice: str | None,
    language: str | None,
    model: str | None,
    base_url: str | None,
) -> None:
    """Read a script aloud into a sound file.

    SCRIPT.txt is what `veridical speech script` wrote, or - for standard input. Uses espeak-ng
    where it is installed, or the speech endpoint of an OpenAI-compatible server.

    Exit code 0: written. 2: the run could not be made.
    """
    from veridical.cli.files import check_outputs, read_text, write_whole
    from veridical.speech.audio import Engine, speech_settings
    from veridical.speech.audio import speak as spoken

    target = Path(output)
    check_outputs([target], [text])
    script_text = _script(read_text(text, what="script"))
    if model and engine == Engine.AUTO:
        engine = Engine.API  # whoever names a model wants it to speak
    settings = None if engine == Engine.ESPEAK else speech_settings(model, base_url)
    audio = spoken(script_text, engine=engine, voice=voice, language=language, settings=settings)
    suffix = target.suffix.lower()
    if suffix != audio.suffix:
        raise OutputError(
            f"cannot write {target}: the sound is {audio.suffix} and the name ends in "
            f"{suffix or 'no suffix'}; name the file {target.with_suffix(audio.suffix).name}"
        )
    write_whole(target, audio.data)
    err(f"Written: {target}")


def _script(text: str) -> str:
    """The text to speak: the script alone, also of a whole evaluation.

    Raises ValidationError for other JSON, which nobody wants to hear.
    """
    import json

    if not text.lstrip().startswith("{"):
        return text
    try:
        spoken = json.loads(text)["script"]["text"]
    except (ValueError, KeyError, TypeError, RecursionError):
        spoken = None
    if not isinstance(spoken, str):
        raise ValidationError(
            "script: this is JSON without a script in it; give what `veridical speech script` "
            "wrote, or the evaluation of `veridical speech evaluate`"
        )
    return spoken
