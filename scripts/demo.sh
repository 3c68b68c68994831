#!/bin/sh
# Checks the example quotes: the table on the terminal, the result as JSON and as an HTML report.
# Builds the ledger of an answer, evaluates the sample talk, scores the sample radio traffic and
# answers questions from the sample policies: each on the terminal and as a page.
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
echo "An answer, claim by claim, each with the words that it rests on:"
echo
status=0
"$veridical" ledger build --response examples/answers/annual-leave.md --documents examples/sources \
    --query "How much annual leave is there?" --output "$folder/ledger.json" \
    --output "$folder/ledger.html" 2>/dev/null || status=$?
if [ "$status" -ne 1 ]; then
    echo "error: expected exit code 1 (some claims are wrong on purpose), got $status" >&2
    exit 1
fi

echo
echo "A speech, evaluated by fixed rules, every quote checked against the recording's transcript:"
echo
"$veridical" speech evaluate examples/speech/talk.json --output "$folder/speech.html" \
    --output "$folder/speech.json" 2>/dev/null

echo
echo "Twenty-three minutes of radio, scored against a rubric by its cues:"
echo
"$veridical" score run examples/scoring/fireground.vtt fireground --output "$folder/scorecard.html" \
    --output "$folder/scorecard.json" 2>/dev/null

echo
echo "A question answered from nineteen policies, and 25 more with known outcomes:"
echo
"$veridical" ask "May I carry unused PTO over into next year?" --documents examples/policies
echo
"$veridical" eval run eval/questions.jsonl --documents examples/policies --overwrite \
    --fail-under groundedness=100,citation=100 --output "$folder/evaluation.jsonl" \
    --output "$folder/evaluation.html" 2>/dev/null

echo
echo "Result: $folder/evidence_validation.json, $folder/ledger.json, $folder/speech.json,
        $folder/scorecard.json, $folder/evaluation.jsonl"
echo "Report: $folder/report.html, $folder/ledger.html, $folder/speech.html,
        $folder/scorecard.html, $folder/evaluation.html  (open them in a browser)"
