#!/usr/bin/env bash
# Builds the wheel twice, byte for byte the same, installs it with nothing but the locked packages of
# the core, and runs it as a user would: from another folder, without the source tree on the path.
# Then with those of the service.
#
#   PYTHON=.venv/bin/python scripts/wheel_smoke.sh      (needs hatchling)
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
builder=$(cd "$(dirname "${PYTHON:?set PYTHON to the virtual environment that can build}")" && pwd)/$(basename "$PYTHON")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for folder in dist again; do
    SOURCE_DATE_EPOCH=1700000000 "$builder" -m pip wheel --no-deps --no-build-isolation \
        --disable-pip-version-check --wheel-dir "$work/$folder" . >"$work/build.log" 2>&1 || {
        tail -n 30 "$work/build.log" >&2
        exit 1
    }
done
cmp "$work"/dist/*.whl "$work"/again/*.whl
"$builder" -m venv "$work/venv"
own=$(du -sm "$work/venv" | cut -f1) # of pip itself
# Most of what is installed is not imported here: what is, Python compiles.
pip=("$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile)
"${pip[@]}" --no-deps --require-hashes -r requirements/runtime.lock
"${pip[@]}" --no-deps --no-index "$work"/dist/veridical-*.whl
"$work/venv/bin/python" -m pip check
packages=$(grep -c '^[a-zA-Z0-9].*==' "$root/requirements/runtime.lock")
megabytes=$(($(du -sm "$work/venv" | cut -f1) - own))
echo "the core: $packages packages beside our own, $megabytes MB"
[ "$packages" -le 20 ] && [ "$megabytes" -le 300 ] || { echo "error: more than was promised" >&2; exit 1; }

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

veridical demo -o shown >/dev/null 2>&1
[ -s shown/report.html ]
veridical quote "Nobody is obliged to work from home" "$root/examples/sources" >/dev/null
build=(veridical ledger build --response "$root/examples/answers/remote-work.md"
    --documents "$root/examples/sources" -o ledger.json -o ledger.html)
"${build[@]}" >/dev/null || [ $? -eq 1 ]
veridical check "$root/examples/answers/annual-leave.md" --documents "$root/examples/sources" \
    -o checked.sarif >/dev/null || [ $? -eq 1 ]
veridical ledger verify ledger.json --documents "$root/examples/sources" >/dev/null
veridical ask "May I carry unused PTO over into next year?" --documents "$root/examples/policies" >/dev/null
veridical eval run "$root/eval/questions.jsonl" --documents "$root/examples/policies" \
    -o run.jsonl -o run.html -o run.xml >/dev/null
veridical eval compare run.jsonl run.jsonl >/dev/null
veridical eval review run.jsonl -o review.csv >/dev/null
# Without its extra, a feature says which one to install.
expect_extra() {
    extra=$1
    shift
    status=0
    "$@" >/dev/null 2>message || status=$?
    if [ "$status" -ne 2 ] || ! grep -q "pip install 'veridical\[$extra\]'" message; then
        echo "error: $* should name the extra $extra" >&2
        cat message >&2
        exit 1
    fi
}
expect_extra export veridical ledger export ledger.json -o ledger.pdf
expect_extra serve veridical serve --documents "$root/examples/policies"
expect_extra store "${build[@]}" --store kept.db
expect_extra store veridical ledger list --store kept.db
expect_extra store veridical index "$root/examples/policies" --database policies.db
expect_extra store veridical ask "May I?" --database policies.db
expect_extra store veridical db check --database kept.db
expect_extra model veridical ask "May I?" --documents "$root/examples/policies" --model a --base-url http://127.0.0.1:9
expect_extra model veridical eval run "$root/eval/questions.jsonl" --url http://127.0.0.1:9 -o asked.jsonl
expect_extra scoring veridical score run "$root/examples/scoring/customer-call.json" customer-call
expect_extra bulk veridical bulk validate "$root/examples/bulk/claims.jsonl" checked \
    --documents "$root/examples/sources"

# With the locked packages of the service: pages, their files and the demo come out of the wheel.
"${pip[@]}" --no-deps --require-hashes -r "$root/requirements/serve.lock"
"${build[@]}" --store kept.db >/dev/null || [ $? -eq 1 ]
veridical ledger list --store kept.db >/dev/null
veridical score run "$root/examples/scoring/customer-call.json" customer-call --resume-id one \
    -o card.json -o card.html -o card.md >/dev/null
veridical score diff card.json card.json >/dev/null
expect_extra agreement veridical score agreement card.json "$root/examples/scoring/human.csv"
veridical index "$root/examples/policies" --database policies.db >/dev/null
veridical ask "May I carry unused PTO over into next year?" --database policies.db >/dev/null
python - <<'CHECK'
import re, subprocess, sys, time, urllib.request
from pathlib import Path

log = Path("serve.log")
with log.open("wb") as stderr:
    server = subprocess.Popen(["veridical", "serve", "--demo", "--port", "0"], stderr=stderr)
page = ""
deadline = time.monotonic() + 60
try:
    while "vacation days" not in page and time.monotonic() < deadline:
        time.sleep(0.2)
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text("utf-8", "replace"))
        if found is None:
            continue
        page = urllib.request.urlopen(f"{found[0]}/sessions", timeout=10).read().decode()
    if "vacation days" not in page:
        sys.exit(f"error: the demo did not come up: {log.read_text('utf-8', 'replace')}")
    for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        urllib.request.urlopen(found[0] + path, timeout=10).read()
finally:
    server.terminate()
    server.wait(30)
if server.returncode:
    sys.exit(f"error: the server ended with {server.returncode}: {log.read_text('utf-8', 'replace')}")
CHECK
echo "wheel smoke test passed"
