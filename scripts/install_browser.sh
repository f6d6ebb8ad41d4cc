#!/usr/bin/env bash
# Makes sure that there is a Chromium with its driver, which the tests of pages need: takes them
# from the system's packages if they are missing.
set -euo pipefail

present() { command -v chromium >/dev/null && command -v chromedriver >/dev/null; }

present && exit 0
"$(dirname "$0")/install_packages.sh" chromium chromium-driver
if ! present; then
    echo "error: the tests of pages need chromium and chromedriver, and they cannot be installed here" >&2
    echo "help: install them by hand (Debian: chromium, chromium-driver) so that both are in PATH" >&2
    exit 1
fi
