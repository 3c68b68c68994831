#!/bin/sh
# Makes sure that there is an ffmpeg for the tests that read recordings.
#
# Installs Debian's package where it may. Elsewhere it says what to install; that is an error in CI
# and with REQUIRE_FFMPEG=1, and a notice otherwise.
set -u
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" # dpkg needs them; a bare environment lacks them
export PATH

command -v ffmpeg >/dev/null 2>&1 && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing ffmpeg for the tests of recordings (once) ..."
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if { apt-get update -q && apt-get install -q -y --no-install-recommends \
        ffmpeg; } >"$log" 2>&1 </dev/null; then
        rm -f "$log"
        exit 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
fi

echo "ffmpeg is missing: the tests of recordings need it." >&2
echo "On Debian and Ubuntu: sudo apt-get install ffmpeg" >&2
echo "On macOS: brew install ffmpeg" >&2
[ -z "${CI:-}" ] && [ -z "${REQUIRE_FFMPEG:-}" ]
