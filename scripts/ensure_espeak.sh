#!/bin/sh
# Makes sure that there is an espeak-ng for the tests that listen to what it speaks.
#
# Installs Debian's package where it may. Elsewhere it says what to install; that is an error in CI
# and with REQUIRE_ESPEAK=1, and a notice otherwise.
set -u
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" # dpkg needs them; a bare environment lacks them
export PATH

command -v espeak-ng >/dev/null 2>&1 && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing espeak-ng for the speech tests (once) ..."
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if { apt-get update -q && apt-get install -q -y --no-install-recommends \
        espeak-ng; } >"$log" 2>&1 </dev/null; then
        rm -f "$log"
        exit 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
fi

echo "espeak-ng is missing: the speech tests need it." >&2
echo "On Debian and Ubuntu: sudo apt-get install espeak-ng" >&2
echo "On macOS: brew install espeak-ng" >&2
[ -z "${CI:-}" ] && [ -z "${REQUIRE_ESPEAK:-}" ]
