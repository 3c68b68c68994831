"""The machine and the libraries that a figure was measured with."""

from __future__ import annotations

import os
import platform
import re
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("ahocorasick-rs", "edlib", "fuzzysearch", "jsonschema-rs", "numpy", "rapidfuzz",
             "sentencex")  # fmt: skip


def describe() -> list[str]:
    """Lines that describe the machine."""
    return [
        f"CPU: {_cpu()}, {os.cpu_count()} cores",
        f"RAM: {_ram()}",
        f"System: {_system()}",
        f"Python: {platform.python_implementation()} {platform.python_version()}",
        "Libraries: " + ", ".join(f"{name} {version(name)}" for name in LIBRARIES),
    ]


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    name = re.search(r"^model name\s*:\s*(.+)$", lines, re.MULTILINE)
    speed = re.search(r"^cpu MHz\s*:\s*([\d.]+)$", lines, re.MULTILINE)
    parts = [name[1] if name else platform.machine()]
    if speed:
        parts.append(f"{float(speed[1]) / 1000:.1f} GHz")
    return ", ".join(parts)


def _ram() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return "unknown"
    return f"{size / 1024**3:.0f} GB"


def _system() -> str:
    name = f"{platform.system()} {platform.release()} {platform.machine()}"
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {name}"
    except (OSError, KeyError):
        return name
