#!/bin/sh
# Makes sure that there is a Chromium for the tests that look at the HTML report in a browser.
#
# Installs Debian's packages where it may. Elsewhere it says what to install; that is an error in
# CI and with REQUIRE_CHROMIUM=1, and a notice otherwise.
set -u
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" # dpkg needs them; a bare environment lacks them
export PATH

browser="${CHROMIUM:-}"
[ -n "$browser" ] || browser=$(command -v chromium || command -v chromium-browser || true)
[ -n "$browser" ] && [ -x "$browser" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing Chromium and fonts for the browser tests (once) ..."
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if { apt-get update -q && apt-get install -q -y --no-install-recommends \
        chromium fonts-dejavu-core fonts-liberation; } >"$log" 2>&1 </dev/null; then
        rm -f "$log"
        exit 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
fi

echo "Chromium is missing: the browser tests need it." >&2
echo "On Debian and Ubuntu: sudo apt-get install chromium fonts-dejavu-core" >&2
echo "Elsewhere: install Chromium or Chrome and set CHROMIUM to its path." >&2
[ -z "${CI:-}" ] && [ -z "${REQUIRE_CHROMIUM:-}" ]
