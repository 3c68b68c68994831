"""`veridical transcribe`, and recordings where a command takes a transcript."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.choices import Form, suffix_choice
from veridical.cli.errors import about_option, with_exit_code
from veridical.cli.options import recogniser_options, verbose_option
from veridical.cli.terminal import err, live_bar, warn
from veridical.errors import ConfigurationError
from veridical.models.settings import KEY_VARIABLE
from veridical.reports.words import count
from veridical.sources.transcript import UNSURE_BELOW, clock

if TYPE_CHECKING:
    from veridical.sources.transcript import Transcript
    from veridical.transcription.recognisers import Recogniser
    from veridical.transcription.transcribe import OnPiece


@click.command()
@click.argument("recording", metavar="RECORDING")
@click.option("-o", "--output", required=True, metavar="FILE.json", help="The transcript to write.")
@recogniser_options
@verbose_option
@with_exit_code
def transcribe(
    recording: str,
    output: str,
    transcriber: str | None,
    transcriber_model: str | None,
    language: str | None,
) -> None:
    """Turn a recording into a transcript that every other command reads.

    RECORDING is sound or video of any common kind; ffmpeg reads it. faster-whisper hears it on this
    machine (pip install 'veridical[audio]'), or the server of --transcriber, to which the sound is
    sent; VERIDICAL_API_KEY holds its key. Long recordings are heard in pieces: those that are done
    are kept beside the output, so that the same command goes on after a stop.

    Exit code 0: written. 2: the run could not be made.
    """
    from veridical.cli.files import check_outputs

    target = Path(output)
    suffix_choice({".json": Form.JSON}, target)
    check_outputs([target], [recording])
    said = Hearing(transcriber, transcriber_model, language, target).transcript(recording)
    err(f"Written: {target}")
    warn(*said.warnings)


@dataclass(frozen=True, slots=True)
class Hearing:
    """Who hears recordings, and where their transcript is kept; None for what is not given."""

    url: str | None = None
    model: str | None = None
    language: str | None = None
    kept: Path | None = None

    @property
    def outputs(self) -> list[Path]:
        """The files that are written."""
        return [self.kept] if self.kept else []

    def transcript_or_file(self, path: str, outputs: Sequence[Path] = ()) -> Transcript:
        """The transcript in a file, or of the recording in it.

        While a recording is heard, what is done is kept beside the transcript that is asked for,
        else beside the first of `outputs`.
        """
        from veridical.sources.transcripts.loader import load_transcript
        from veridical.transcription.sound import is_recording

        if is_recording(path):
            return self.transcript(path, outputs[0] if outputs else None)
        said = load_transcript(path)
        if any((self.url, self.model, self.language, self.kept)):
            raise ConfigurationError(
                f"{path} is no recording, and --transcriber, --transcriber-model, --language and "
                "--transcript are for one"
            )
        return said

    def transcript(self, path: str, beside: Path | None = None) -> Transcript:
        """The transcript of a recording, with a warning of words that may not be what was said."""
        from veridical.cli.files import json_bytes, write_whole
        from veridical.sources.document import Span
        from veridical.sources.transcripts.loader import load_transcript_bytes
        from veridical.transcription.transcribe import transcribe as hear

        place = self.kept or beside
        partial = None if place is None else place.with_name(f"{place.name}.partial")
        with _progress() as on_piece:
            done = hear(path, self._recogniser(), partial=partial, on_piece=on_piece)
        data = json_bytes(done.data)
        said = load_transcript_bytes(data, Path(path).name)
        if self.kept is not None:
            write_whole(self.kept, data)
        if partial is not None:
            partial.unlink(missing_ok=True)
        if done.resumed_seconds:
            err(f"Gone on from {clock(done.resumed_seconds)}, which was heard before.")
        unsure = said.unsure_in(Span(0, len(said.text)))
        told = (
            f"the recogniser was unsure of {count(len(unsure), 'word')} of "
            f"{len(said.words):,} (confidence below {UNSURE_BELOW:g}); quotes on them are marked"
        )
        return replace(said, warnings=(*said.warnings, *done.warnings, *[told] * bool(unsure)))

    def _recogniser(self) -> Recogniser:
        from veridical.transcription import recognisers as known

        if self.url is None:
            with about_option("--transcriber-model"):
                return known.WhisperRecogniser(
                    self.model or known.DEFAULT_LOCAL_MODEL, self.language
                )
        with about_option("--transcriber"):
            return known.ServerRecogniser(
                self.url,
                self.model or known.DEFAULT_SERVER_MODEL,
                self.language,
                api_key=os.environ.get(KEY_VARIABLE, "").strip() or None,
            )


@contextmanager
def _progress() -> Iterator[OnPiece]:
    """How much of a recording is heard, on a terminal."""
    with live_bar(
        lambda rich: (
            rich.TextColumn("Hearing"),
            rich.BarColumn(),
            rich.TextColumn("{task.fields[told]}", markup=False),
            rich.TimeElapsedColumn(),
        ),
        told="",
    ) as update:

        def on_piece(done: float, seconds: float | None) -> None:
            if update is not None:
                told = clock(done) if seconds is None else f"{clock(done)} of {clock(seconds)}"
                update(completed=done, total=seconds, told=told)

        yield on_piece
