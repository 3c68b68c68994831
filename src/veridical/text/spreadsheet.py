"""Text in the cells of spreadsheets, where some of it would be run as a formula."""

from __future__ import annotations

import re

# A cell that begins with one of these is a formula, or becomes one when white space is stripped.
# Inside a cell they are dangerous after what a program may take for its end: where the list
# separator is a semicolon, Excel splits a file of commas at semicolons, whatever is quoted.
# Source: OWASP, CSV Injection (owasp.org/www-community/attacks/CSV_Injection).
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
# White space that is none of the ends above, and what Excel and others strip as if it were some.
_BLANK = " \x0b\x0c\x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
_FORMULA = re.compile(
    rf"(\A'*(?=[\t\r\n]|[{_BLANK}]*+[{_SIGNS}])"
    rf"|(?<=[;\t\r\n\"])'*(?=[{_BLANK}]*+[{_SIGNS}]))"
)


def guard(text: str) -> str:
    """Text that no spreadsheet runs: an apostrophe stands before all that could begin a formula.
    Where apostrophes stand already there is one more, so that `unguard` gives `text` back.
    """
    return _FORMULA.sub(r"'\1", text)


def unguard(cell: str) -> str:
    """What `guard` was given."""
    return _FORMULA.sub(lambda found: found[1][1:], cell)
