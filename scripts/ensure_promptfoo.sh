#!/bin/sh
# Makes sure that there is a promptfoo for the test that runs it.
#
# Installs what tests/integrations/promptfoo/package-lock.json names into build/promptfoo: no package's
# own script is run, and nothing is fetched but from the package index of npm. Its optional packages
# are left out (they are 400 of 800, for model vendors and browsers that no test asks), but for the one
# that it cannot start without, the database for this kind of machine, the hash of which is checked here.
# Without npm it says what to install; that is an error in CI and with REQUIRE_PROMPTFOO=1, and a
# notice otherwise.
set -eu
cd "$(dirname "$0")/.."
named=tests/integrations/promptfoo
place=build/promptfoo

# The stamp holds the lock that was installed: a changed lock installs anew.
cmp -s "$named/package-lock.json" "$place/installed.json" && exit 0

say_missing() {
    echo "promptfoo could not be installed: $1" >&2
    echo "Its test needs Node.js 20.20 or newer with npm: on Debian and Ubuntu" \
        "'sudo apt-get install nodejs npm', on macOS 'brew install node'." >&2
    [ -z "${CI:-}" ] && [ -z "${REQUIRE_PROMPTFOO:-}" ]
    exit
}

command -v npm >/dev/null 2>&1 || say_missing "npm is missing."
echo "installing promptfoo for its test (once, 270 MB) ..."
rm -rf "$place"
mkdir -p "$place"
cp "$named/package.json" "$named/package-lock.json" "$place/"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! (
    cd "$place" &&
        npm install --omit=optional --ignore-scripts --no-audit --no-fund &&
        node "../../$named/database.mjs"
) >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    say_missing "see above."
fi
cp "$named/package-lock.json" "$place/installed.json"
