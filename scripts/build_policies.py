"""Make the PDFs of the sample policies from their Typst sources in examples/build.

The same sources give the same bytes on every machine: dates are fixed, and only the fonts inside
the typst package are used. Run it with `python scripts/build_policies.py`.
"""

from __future__ import annotations

from pathlib import Path

import typst

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SOURCES = {
    "benefits-guide.pdf": "policies-benefits.typ",
    "code-of-conduct.pdf": "policies-conduct.typ",
    "expense-policy.pdf": "policies-expense.typ",
}
"""The PDFs in examples/policies, and what in examples/build each is made from."""


def pdf_bytes(name: str) -> bytes:
    """One of the PDFs, made anew without looking at the fonts of this machine."""
    source = EXAMPLES / "build" / SOURCES[name]
    made: bytes = typst.compile(str(source), ignore_system_fonts=True)
    return made


def main() -> None:
    """Make all PDFs."""
    for name in SOURCES:
        target = EXAMPLES / "policies" / name
        target.write_bytes(pdf_bytes(name))
        print(f"wrote {target}")


if __name__ == "__main__":
    main()
