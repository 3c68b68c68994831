"""Who wrote what the reader learns from, and what it is measured on; all of it without PyTorch."""

from __future__ import annotations

from pathlib import Path

OWN = Path(__file__).parent / "data"

HELD_OUT = ("f", "t", "fa", "fb", "sa", "sb", "ta", "ra", "tf")
"""Writers whose claims train nothing: `fa` and `fb` for the figures, `t` to calibrate. On `f` stage
"fifth" had its `starts_between` chosen, so `f` is not quite unseen. `sa` and `sb` have claims of
two to nine words, `ta` claims about tables, `ra` claims in frames: "The notice says that ...",
`tf` all three.
"""

SHORT_HELD_OUT = ("sa", "sb")
"""Those of them with claims of a few words."""

MEASURED = ("fa", "fb")
"""The held-out writers on whom nothing was chosen but `SHIPPED_SHARE`, of three."""

HELD_OUT_QUESTIONS = ("ca", "cb", "cc", "da", "db")
"""Files of questions that train nothing. The shipped card is calibrated on all of them, its
threshold on the first three; for the figures on each of these on the others.
"""

FIRST = ("a", "b", "c", "d", "e", "g", "h", "n", "o", "q", "r")
SECOND = ("i", "j", "k", "l", "m", "p", "s", "u", "v", "w", "x")
LEFT_OUT = ("y", "z", "aa", "ab", "ac", "ad", "ae")
PASSAGES = ("ba", "bb", "bc", "bd", "be", "bf", "bg", "bh")
EXCHANGED = ("bi", "bj")
"""Claims with exchanged values, roles and cases."""

SHORT_CLAIMS = ("sc", "sd", "se", "sf", "sg", "sh", "si")
"""Claims of two to ten words about short passages. The shipped finder has not seen them."""

TABLES = ("tb", "tc", "td", "te")
"""Claims about tables, and of `td` and `te` half in frames or short. Nothing that is shipped has
seen them: a stage on all four, with twice as much of before, changed no AUC of `ta`, `tf`, `ra`,
`sa`, `sb`, `fa` and `fb` by more than 0.005.
"""

WRITERS = FIRST + SECOND + LEFT_OUT + PASSAGES + EXCHANGED + SHORT_CLAIMS + TABLES
QUESTIONS = (
    *("q", "g", "v", "r", "h", "o", "x"),
    *("i", "k", "m", "u", "ac", "l", "s", "w", "y", "aa", "ab"),
)
"""Files of everyday questions. The reader learned from the first seven whole, and from some of all
in its last stage; the finder from all.
"""

FORMAL = ("ea", "eb")
"""Files of formal questions, half of which ask for what is not told of what is. The finder has not
seen them.
"""


ABOUT = {
    "da": ("ca", "cc"),
    "db": ("cb", "cc"),
    "ea": ("i", "k", "l", "m", "ac"),
    "eb": ("s", "u", "w", "y", "aa", "ab"),
}
"""Files of questions that are about documents of others, with these."""


def questions_file(name: str) -> Path:
    """Where a file of questions stands."""
    return OWN / "questions" / f"{name}.jsonl"


def own_file(name: str) -> Path:
    """Where the claims of a writer stand in the repository, if they do."""
    return OWN / "written" / f"{name}.jsonl"


def written_file(name: str, data: Path | None) -> Path:
    """The claims of one writer: ours, or those of the shared data. Raises FileNotFoundError."""
    folders = [OWN, *([] if data is None else [data])]
    places = [folder / "written" / f"{name}.jsonl" for folder in folders]
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise FileNotFoundError(f"no claims of writer {name}: {' or '.join(map(str, places))}")
    return found
