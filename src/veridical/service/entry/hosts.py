"""Names and addresses of this machine itself."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(name: str) -> bool:
    """Whether a host name or address can only mean this machine."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
