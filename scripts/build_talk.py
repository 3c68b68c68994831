"""Make the sample transcript in examples/speech from its script.

The script is plain text, a segment on each line, with marks for pace and pauses. A word takes as
long as its letters say, scaled so that the pace is what the mark asks for. The same script gives
the same bytes on every machine. Run it with `python scripts/build_talk.py`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SPEECH = Path(__file__).resolve().parent.parent / "examples" / "speech"
MARK = re.compile(r"\[(pace|pause) (\d+(?:\.\d+)?)\]|(\S+)")
EDGES = '"“”.,;:!?'

SECONDS_BEFORE_THE_FIRST_WORD = 0.8
SECONDS_PER_SIGN = {",": 0.18, ";": 0.25, ":": 0.25, ".": 0.45, "?": 0.55, "!": 0.45}
LETTERS_OF_A_WORD = 4.3
"""Of an average word of English speech: a word of so many letters takes an average time."""
SHARE_OF_A_WORDS_ONSET = 2.0
"""Letters that even the shortest word takes the time of."""


@dataclass
class Recording:
    """What a recogniser would have written down so far."""

    now: float = SECONDS_BEFORE_THE_FIRST_WORD
    seconds_per_word: float = 60 / 140
    words: list[dict[str, Any]] = field(default_factory=list)
    segments: list[dict[str, Any]] = field(default_factory=list)

    def read(self, line: str) -> None:
        """Follow the marks of a line, and say its words."""
        spoken: list[str] = []
        first = len(self.words)
        for mark, value, word in MARK.findall(line):
            if mark == "pace":
                self.seconds_per_word = 60 / float(value)
            elif mark == "pause":
                self.now += float(value)
            else:
                spoken.append(word)
                self.say(word)
        if spoken:
            self.close_segment(" ".join(spoken), self.words[first:])

    def say(self, written: str) -> None:
        """One word, and the short silence that its punctuation asks for."""
        silence = SECONDS_PER_SIGN.get(written[-1], 0.0)
        letters = sum(character.isalnum() for character in written)
        weight = (SHARE_OF_A_WORDS_ONSET + letters) / (SHARE_OF_A_WORDS_ONSET + LETTERS_OF_A_WORD)
        # The silences are part of the pace that a listener counts: about a tenth of the time.
        end = self.now + 0.9 * weight * self.seconds_per_word
        word = written.strip(EDGES)
        self.words.append({"word": word, "start": round(self.now, 2), "end": round(end, 2)})
        self.now = end + silence

    def close_segment(self, text: str, words: list[dict[str, Any]]) -> None:
        """A segment in the shape that the OpenAI API answers with."""
        self.segments.append(
            {
                "id": len(self.segments),
                "seek": 0,
                "start": words[0]["start"],
                "end": words[-1]["end"],
                "text": f" {text}",
                "tokens": [],
                "temperature": 0.0,
                "avg_logprob": -0.21,
                "compression_ratio": 1.6,
                "no_speech_prob": 0.01,
            }
        )


def verbose_json(script: str) -> dict[str, Any]:
    """The transcript of a script, as `verbose_json` with times of words and of segments."""
    recording = Recording()
    for line in script.splitlines():
        if not line.startswith("#"):
            recording.read(line)
    return {
        "task": "transcribe",
        "language": "english",
        "duration": round(recording.now, 2),
        "text": "".join(segment["text"] for segment in recording.segments).strip(),
        "words": recording.words,
        "segments": recording.segments,
    }


def main() -> None:
    """Write talk.json."""
    made = verbose_json((SPEECH / "talk.txt").read_text("utf-8"))
    target = SPEECH / "talk.json"
    target.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"wrote {target}: {len(made['words'])} words, {made['duration']} s")


if __name__ == "__main__":
    main()
