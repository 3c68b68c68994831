"""What promptfoo loads: `value: file://grounded.py`."""

from veridical.integrations.promptfoo import get_assert

__all__ = ["get_assert"]
