#!/bin/sh
# Prints the command of a Python that Veridical runs on and that can make virtual environments.
# Set PYTHON to choose one yourself.
set -u

runs() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

old=''
for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11 python}; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    if ! runs "$candidate"; then
        old="$old $candidate ($("$candidate" --version 2>&1 | head -n 1))"
    elif ! has_venv "$candidate"; then
        echo "error: $candidate cannot make virtual environments: its venv module is missing." >&2
        echo "       On Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 1
    else
        command -v "$candidate"
        exit 0
    fi
done
echo "error: Python 3.11 or newer is needed${old:+; found only:$old}." >&2
echo "       Install one, or name it: make PYTHON=/path/to/python3.11 ..." >&2
exit 1
