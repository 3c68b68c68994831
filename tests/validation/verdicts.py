"""Short ways to check one quote against one text."""

from __future__ import annotations

from veridical import ClaimResult, Format, Status, Validator, document_from_text

STANDING = {Status.VALIDATED, Status.AMBIGUOUS}


def check(
    source: str, quote: str, kind: Format = Format.PLAIN_TEXT, **claim: object
) -> ClaimResult:
    """The verdict on a direct quote, unless `claim` says otherwise."""
    return Validator([document_from_text(source, "source", kind)]).check(quote, **claim)


def kinds(result: ClaimResult) -> list[str]:
    """The kinds of its alterations."""
    return [alteration.kind.value for alteration in result.alterations]


def rules(result: ClaimResult) -> list[str]:
    """The rules that it needed."""
    return [rule.value for rule in result.rules]
