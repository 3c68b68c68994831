#!/usr/bin/env bash
# Builds the wheel, installs it with nothing but the locked runtime packages, and runs it as a
# user would: from another folder, without the source tree on the path.
#
#   PYTHON=.venv/bin/python scripts/wheel_smoke.sh      (needs `build` and hatchling)
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
builder=$(cd "$(dirname "${PYTHON:?set PYTHON to the virtual environment that can build}")" && pwd)/$(basename "$PYTHON")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$builder" -m build --wheel --no-isolation --outdir "$work/dist" . >"$work/build.log" 2>&1 || {
    tail -n 30 "$work/build.log" >&2
    exit 1
}
"$builder" -m venv "$work/venv"
pip=("$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check)
"${pip[@]}" --require-hashes -r requirements/runtime.lock
"${pip[@]}" --no-deps --no-index "$work"/dist/veridical-*.whl
"$work/venv/bin/python" -m pip check

cd "$work"
export PATH="$work/venv/bin:$PATH"
unset PYTHONPATH
veridical --version
python -m evidence_validator --help >/dev/null

status=0
veridical validate "$root/examples/sources" --claims "$root/examples/claims.json" \
    --format json --output result.json >/dev/null || status=$?
[ "$status" -eq 1 ] || { echo "error: expected exit code 1, got $status" >&2; exit 1; }
python - result.json "$root/examples/expected.json" <<'CHECK'
import json, pathlib, sys

result, expected = (json.loads(pathlib.Path(name).read_text("utf-8")) for name in sys.argv[1:])
got = {claim["claim_id"]: claim["validation_status"] for claim in result["validated_claims"]}
got |= {claim["claim_id"]: "FAILED" for claim in result["failed_claims"]}
wrong = {
    name: (want["status"], got.get(name))
    for name, want in expected.items()
    if got.get(name) != want["status"]
}
sys.exit(f"verdicts (expected, got): {wrong}" if wrong else 0)
CHECK

status=0
python -m evidence_validator --source "$root/examples/sources/leave-policy.md" \
    --evidence "$root/examples/claims.json" --output one.json || status=$?
[ "$status" -eq 1 ] || { echo "error: expected exit code 1, got $status" >&2; exit 1; }
python -c 'import json; json.load(open("one.json", encoding="utf-8"))'

veridical speech evaluate "$root/examples/speech/talk.json" -o speech.json -o speech.html >/dev/null
veridical speech check "$root/examples/speech/talk.json" speech.json >/dev/null
echo "wheel smoke test passed"
