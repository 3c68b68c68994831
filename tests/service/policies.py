"""Two small policies, and what may be asked about them."""

from __future__ import annotations

from pathlib import Path

LEAVE = """# Leave Policy

## 1. Annual leave

Full-time employees accrue 1.67 days of annual leave a month. Requests go to the line manager at
least two weeks ahead.

## 2. Carrying leave over

Up to five days of unused leave may be carried over to the next year.
"""
PARKING = """# Parking Policy

## 1. Spaces

The car park behind the main building has 40 spaces. A permit costs 12 euros a month.
"""
QUESTION = "How many days of annual leave do full-time employees accrue a month?"
PETS = "On which day may dogs come?"
PARKED = "How much does a parking permit cost a month?"
UNANSWERED = "Which dental clinics are covered in Lisbon?"


def write_policies(folder: Path) -> Path:
    (folder / "leave.md").write_text(LEAVE, "utf-8")
    (folder / "parking.md").write_text(PARKING, "utf-8")
    return folder
