"""`veridical speech speak`: a script as a sound file."""

from __future__ import annotations

import json
from pathlib import Path

from veridical.cli import setup
from veridical.cli.files import check_outputs, read_text, write_whole
from veridical.cli.terminal import err
from veridical.errors import OutputError, ValidationError
from veridical.speech.audio import Engine, speak, speech_settings


def run(
    script_path: str,
    output: Path,
    *,
    engine: str,
    voice: str | None,
    language: str | None,
    model: str | None,
    base_url: str | None,
    verbose: bool,
) -> None:
    """Read a script aloud and write the sound file."""
    setup.set_up_logging(verbose=verbose)
    check_outputs([output], [script_path])
    text = _script(read_text(script_path, what="script"))
    if model and engine == Engine.AUTO:
        engine = Engine.API  # whoever names a model wants it to speak
    settings = None if engine == Engine.ESPEAK else speech_settings(model, base_url)
    audio = speak(text, engine=engine, voice=voice, language=language, settings=settings)
    suffix = output.suffix.lower()
    if suffix != audio.suffix:
        raise OutputError(
            f"cannot write {output}: the sound is {audio.suffix} and the name ends in "
            f"{suffix or 'no suffix'}; name the file {output.with_suffix(audio.suffix).name}"
        )
    write_whole(output, audio.data)
    err(f"Written: {output}")


def _script(text: str) -> str:
    """The text to speak: the script alone, also of a whole evaluation.

    Raises ValidationError for other JSON, which nobody wants to hear.
    """
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
