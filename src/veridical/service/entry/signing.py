"""What only a service of this database can have written: signed cookies and links."""

from __future__ import annotations

import hashlib
import hmac


def sign(secret: bytes, *parts: str) -> str:
    """The signature of some parts in this order, as 64 hex digits.

    The first part should say what it is for, so that a signature is good for nothing else.
    """
    message = b"".join(b"%d:" % len(data) + data for data in (part.encode() for part in parts))
    return hmac.new(secret, message, hashlib.sha256).hexdigest()


def is_signed(secret: bytes, signature: str, *parts: str) -> bool:
    """Whether a signature is that of these parts. Takes as long for a wrong one as for the right
    one.
    """
    try:
        given, wanted = signature.encode("ascii"), sign(secret, *parts).encode("ascii")
    except UnicodeEncodeError:
        return False
    return hmac.compare_digest(given, wanted)
