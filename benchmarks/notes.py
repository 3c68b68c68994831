"""How each figure is measured, for the reader of the table: the paragraphs of `notes.txt`."""

from __future__ import annotations

from pathlib import Path

from benchmarks.rows import Settings


def notes(settings: Settings, *, one_core: bool) -> list[str]:
    whole = settings.peer_sample >= settings.claims
    some = f"the first {settings.peer_sample:,} claims; their time is scaled"
    text = Path(__file__).with_name("notes.txt").read_text("utf-8").format(
        core=f"{'The process is bound' if one_core else 'This system cannot bind'} to one core",
        sample=f"Peers look for {'all claims' if whole else some}.",
        runs=settings.runs,
        runs_of_d=max(1, settings.runs // 2),
        starts=settings.starts,
    )  # fmt: skip
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
