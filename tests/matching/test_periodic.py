"""Repetitive text, the worst case of every filter, neither stalls the search nor fills memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = r"""
import random, resource, sys
from veridical import Claim, Format, Validator, document_from_text

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

rng = random.Random(3)
period = sys.argv[1]
text = list((period * 1_000_000)[:1_000_000])
for _ in range(int(sys.argv[2])):
    text[rng.randrange(len(text))] = rng.choice("abcdefgh ")
text = "".join(text)
claims = []
for length in (10, 16, 64, 300, 2000):
    for edits in (0, 1, 3, length // 8):
        start = rng.randrange(len(text) - length)
        quote = list(text[start : start + length])
        for _ in range(edits):
            quote[rng.randrange(length)] = rng.choice("abcxyz ")
        claims.append(Claim(f"EV{len(claims)}", "".join(quote)))
validator = Validator([document_from_text(text, "d", Format.PLAIN_TEXT)])
validator.check("warm up the libraries")
before = peak()
report = validator.validate(claims)
print(peak() - before, report.ok, *(result.status for result in report.results))
for result in report.results[::4]:
    assert result.match is not None, result.claim.quote[:40]
    assert result.match.similarity == 1.0
"""
PERIODS = {
    "one letter": ("a", 0),
    "a letter and a space": ("a ", 0),
    "nearly periodic": ("abcdef ", 20_000),
}
GUARD_SECONDS = 60
MOST_MEGABYTES = 150


@pytest.mark.parametrize("name", PERIODS)
def test_a_periodic_megabyte_is_searched(name: str) -> None:
    period, noise = PERIODS[name]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, period, str(noise)],
        capture_output=True,
        text=True,
        timeout=GUARD_SECONDS,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    megabytes, ok, *statuses = run.stdout.split()
    print(name, megabytes, "MB", statuses)
    assert ok == "True"
    assert int(megabytes) < MOST_MEGABYTES
