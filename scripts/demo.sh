#!/bin/sh
# Checks the example quotes: the table on the terminal, the result as JSON and as an HTML report.
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
echo "Result: $folder/evidence_validation.json"
echo "Report: $folder/report.html  (open it in a browser)"
