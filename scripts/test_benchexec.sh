#!/usr/bin/env bash
# Tests the tool-info module with the real BenchExec, which is kept in the cache. The program under
# test is the first argument.
set -euo pipefail
cd "$(dirname "$0")/.."
program="$(realpath "$1")"
packages="${MAZURKA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/mazurka}/benchexec"
if ! PYTHONPATH="$packages" python3 -c 'import benchexec' 2>/dev/null; then
    python3 -m pip install --quiet --target "$packages" 'benchexec==3.35'
fi
PYTHONPATH="$packages:integrations/benchexec" python3 integrations/benchexec/test_mazurka.py "$program"
