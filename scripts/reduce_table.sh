#!/bin/sh
# Measures every preference order of --engine reduce with every kind of commutativity.
# usage: scripts/reduce_table.sh FOLDER [SECONDS]
# MAZURKA names the command; by default the one in the path.
set -eu
folder=$1
seconds=${2:-20}
set --
for order in groups lockstep outer accesses sequential reversed; do
    for commutativity in off syntactic semantic conditional; do
        set -- "$@" --config "$order $commutativity: --engine reduce --order $order --commutativity $commutativity"
    done
done
exec "${MAZURKA:-mazurka}" bench "$folder" --property reach --timeout "$seconds" "$@"
