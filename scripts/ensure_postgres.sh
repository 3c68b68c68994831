#!/bin/sh
# Makes sure that there is a PostgreSQL server for the tests of the store to start.
#
# Installs Debian's package where it may. Elsewhere it says what to install; that is an error in CI
# and with REQUIRE_POSTGRES=1, and a notice otherwise. Nothing to do where
# VERIDICAL_TEST_POSTGRES_URL names a server.
set -u
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" # dpkg needs them; a bare environment lacks them
export PATH

[ -n "${VERIDICAL_TEST_POSTGRES_URL:-}" ] && exit 0

# Debian keeps the server's programs out of PATH.
for initdb in /usr/lib/postgresql/*/bin/initdb "$(command -v initdb)"; do
    [ -x "$initdb" ] && [ -x "$(dirname "$initdb")/postgres" ] && exit 0
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing postgresql for the tests of the store (once) ..."
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    # Neither a cluster of its own nor a running service: the tests start what they need.
    mkdir -p /etc/postgresql-common/createcluster.d
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.d/veridical.conf
    if { apt-get update -q && apt-get install -q -y --no-install-recommends \
        postgresql; } >"$log" 2>&1 </dev/null; then
        rm -f "$log"
        exit 0
    fi
    tail -n 20 "$log" >&2
    rm -f "$log"
fi

echo "PostgreSQL is missing: the tests of the store need its server." >&2
echo "On Debian and Ubuntu: sudo apt-get install postgresql" >&2
echo "On macOS: brew install postgresql" >&2
[ -z "${CI:-}" ] && [ -z "${REQUIRE_POSTGRES:-}" ]
