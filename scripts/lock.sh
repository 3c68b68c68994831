#!/usr/bin/env bash
# Writes requirements/*.lock anew: every version, every hash of every platform's wheel.
#
#   scripts/lock.sh PYTHON [pip-compile options, e.g. --upgrade]
#
# PYTHON must have pip-tools and be the oldest Python that we support: what it needs, newer ones
# need too. Settings of this machine's pip (mirrors, constraints, link folders) stay out of it.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${1:?usage: scripts/lock.sh PYTHON [pip-compile options]}
shift
oldest=3.11
if [ "$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')" != "$oldest" ]; then
    echo "error: lock with Python $oldest, so that the result holds for it too" >&2
    exit 1
fi

unset PIP_FIND_LINKS PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_CONSTRAINT
export PIP_CONFIG_FILE=/dev/null

compile() {
    local target=requirements/$1
    shift
    "$python" -m piptools compile --quiet --generate-hashes --allow-unsafe --strip-extras \
        --newline=lf --annotation-style=line --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
        --output-file="$target" "$@"
    { echo "# Written by \`make lock\`; do not edit."; cat "$target"; } >"$target.new"
    mv "$target.new" "$target"
    if grep -nE '://|^ *(-i|-f|--(extra-)?index-url|--find-links|--trusted-host)' "$target"; then
        echo "error: $target names a host or a folder of this machine" >&2
        exit 1
    fi
}

compile build.lock "$@" requirements/build.in
compile runtime.lock "$@" pyproject.toml
compile demo.lock "$@" --extra=scoring \
    --constraint=requirements/runtime.lock pyproject.toml
compile dev.lock "$@" --extra=dev \
    --constraint=requirements/runtime.lock --constraint=requirements/build.lock \
    pyproject.toml requirements/build.in
compile serve.lock "$@" --extra=serve --extra=postgres --extra=export \
    --constraint=requirements/dev.lock pyproject.toml
compile bench.lock "$@" --constraint=requirements/dev.lock requirements/bench.in
compile examples.lock "$@" --constraint=requirements/dev.lock requirements/examples.in
compile model.lock "$@" --constraint=requirements/dev.lock requirements/model.in
compile train.lock "$@" --constraint=requirements/dev.lock requirements/train.in
