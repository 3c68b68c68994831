#!/bin/sh
# Checks the example quotes: the table on the terminal, the result as JSON and as an HTML report.
# Then evaluates the sample talk: the evaluation on the terminal, and a page with a timeline.
#
#   VERIDICAL=path/to/veridical scripts/demo.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
veridical=${VERIDICAL:-veridical}
folder=${1:-build/demo}
mkdir -p "$folder"

# Some of the quotes are invented, so exit code 1 ("not all validated") is what should happen.
validate() {
    status=0
    "$veridical" validate examples/sources --claims examples/claims.json "$@" || status=$?
    [ "$status" -eq 1 ] && return
    echo "error: expected exit code 1 (some quotes are invented on purpose), got $status" >&2
    exit 1
}

validate --format table --output "$folder/evidence_validation.json"
validate --format html --output "$folder/report.html" >/dev/null

echo
echo "A speech, evaluated by fixed rules, every quote checked against the recording's transcript:"
echo
"$veridical" speech evaluate examples/speech/talk.json --output "$folder/speech.html" \
    --output "$folder/speech.json" 2>/dev/null

echo
echo "Result: $folder/evidence_validation.json, $folder/speech.json"
echo "Report: $folder/report.html, $folder/speech.html  (open them in a browser)"
