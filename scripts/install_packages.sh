#!/usr/bin/env bash
# Installs packages of Debian or Ubuntu, as far as that is possible here: whoever asks for them looks
# afterwards whether they are there.
set -euo pipefail
command -v apt-get > /dev/null || exit 0
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
"${as_root[@]}" apt-get update -q || true
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" || true
