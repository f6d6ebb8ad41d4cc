#!/usr/bin/env bash
# Makes sure that there is a Chromium with its driver, which the tests of pages need: takes them
# from the system's packages if they are missing.
set -euo pipefail

present() { command -v chromium >/dev/null && command -v chromedriver >/dev/null; }

present && exit 0
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo -n)
if command -v apt-get >/dev/null; then
    "${as_root[@]}" apt-get update -q || true
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends chromium chromium-driver || true
fi
if ! present; then
    echo "error: the tests of pages need chromium and chromedriver, and they cannot be installed here" >&2
    echo "help: install them by hand (Debian: chromium, chromium-driver) so that both are in PATH" >&2
    exit 1
fi
