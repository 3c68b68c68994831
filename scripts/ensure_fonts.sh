#!/bin/sh
# Makes sure that there are fonts for the tests that print Chinese, Japanese, Korean, Arabic, Hebrew,
# Devanagari and emoji.
#
# Installs Debian's packages where it may: 13 MB to fetch, 19 MB on disk (the Noto fonts that cover
# the same would be 79 and 144 MB). Elsewhere it says what to install; that is an error in CI and
# with REQUIRE_FONTS=1, and a notice otherwise.
set -u
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" # dpkg needs them; a bare environment lacks them
export PATH

# A letter of each script, and an emoji: Han, Hiragana, Hangul, Arabic, Hebrew, Devanagari.
have_all() {
    command -v fc-list >/dev/null 2>&1 || return 1
    for code in 5e74 3042 ac00 0639 05d0 0905 1f600; do
        [ -n "$(fc-list ":charset=$code" family)" ] || return 1
    done
}

have_all && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing fonts for the PDF tests (once) ..."
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if { apt-get update -q && apt-get install -q -y --no-install-recommends fontconfig \
        fonts-dejavu-core fonts-wqy-microhei fonts-lohit-deva \
        fonts-noto-color-emoji; } >"$log" 2>&1 </dev/null && have_all; then
        rm -f "$log"
        exit 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
fi

echo "Fonts are missing: the tests of PDF export need them." >&2
echo "On Debian and Ubuntu: sudo apt-get install fonts-dejavu-core fonts-wqy-microhei" \
    "fonts-lohit-deva fonts-noto-color-emoji" >&2
[ -z "${CI:-}" ] && [ -z "${REQUIRE_FONTS:-}" ]
