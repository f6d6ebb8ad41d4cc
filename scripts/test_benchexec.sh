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

# What `mazurka bench --xml` writes is read by the real table generator.
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
source scripts/write_task.sh
write_task "$folder" "$PWD/examples/lost_update.c" false
write_task "$folder" "$PWD/examples/lost_update_fixed.c" true
"$program" bench "$folder" --engine bmc --engine explore --repeat 2 --timeout 60 \
    --out "$folder/rows.csv" --xml "$folder/r.xml" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
PYTHONPATH="$packages" python3 "$packages/bin/table-generator" --quiet --name table \
    --outputpath "$folder" "$folder"/r.*.xml
for expected in 'lost_update.yml	false(unreach-call)' 'lost_update_fixed.yml	true'; do
    if ! grep -q "$expected" "$folder/table.table.csv"; then
        echo "table-generator has no row: $expected"
        cat "$folder/table.table.csv"
        exit 1
    fi
done
echo "table-generator reads $(ls "$folder"/r.*.xml | wc -l) files of mazurka bench"
