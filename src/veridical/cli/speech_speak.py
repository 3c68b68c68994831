"""`veridical speech speak`: a script as a sound file."""

from __future__ import annotations

from pathlib import Path

from veridical.cli import run as shared
from veridical.cli.files import read_text, write_whole
from veridical.cli.speech_check import check_targets
from veridical.cli.terminal import err
from veridical.errors import OutputError
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
    shared.set_up_logging(verbose=verbose)
    check_targets([output], [script_path])
    text = read_text(script_path, what="script")
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
