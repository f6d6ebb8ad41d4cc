#!/bin/sh
# How fast stateless exploration is, in figures that hold on any machine: instructions for each event that is
# run, counted by valgrind, over the litmus programs; and the peak of memory after 10,000 and 100,000 executions.
#
#   scripts/fusion_speed.sh [path to mazurka]
set -eu
mazurka=${1:-target/release/mazurka}
here=$(dirname "$0")/../litmus/executions
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sets `events` and `again` to what a run counts, and `cost` to its instructions.
measure() {
    valgrind --tool=callgrind --callgrind-out-file="$work/out" \
        "$mazurka" check --engine fusion --check off --stats "$@" > "$work/answer" 2> "$work/log" || true
    events=$(awk '$1 == "transitions" { gsub(",", "", $2); print $2 }' "$work/answer")
    again=$(awk '$1 == "repeated" { gsub(",", "", $3); print $3 }' "$work/answer")
    cost=$(awk '/Collected/ { print $4 }' "$work/log")
}

# What reading, translating and preparing the program costs: the same program cut after one event.
printf '%-28s %12s %12s %14s %12s\n' program events again instructions per_event
sum_events=0
sum_cost=0
while read -r name size; do
    [ "$size" = - ] && define= || define="-D N=$size"
    # shellcheck disable=SC2086
    measure $define --depth 1 "$here/$name.c"
    base=$cost
    # shellcheck disable=SC2086
    measure $define "$here/$name.c"
    net=$((cost - base))
    printf '%-28s %12s %12s %14s %12s\n' "$name $size" "$events" "$again" "$net" "$((net / events))"
    sum_events=$((sum_events + events))
    sum_cost=$((sum_cost + net))
done <<LIST
last_zero 5
lock_chain 5
readers 8
indexer 13
file_system 16
philosophers 4
peterson -
independent_reads_of_writes -
LIST
echo "all: $((sum_cost / sum_events)) instructions for each event that was run for the first time"

# Memory: the same program with more threads has ten times as many executions.
for size in 13 17; do
    # shellcheck disable=SC2086
    "$mazurka" check --engine fusion --check off --stats -D N="$size" "$here/readers.c" > "$work/answer" 2> /dev/null &
    wait $! || true
    executions=$(awk '$1 == "executions" { print $2 }' "$work/answer")
    peak=$( { /usr/bin/time -f %M "$mazurka" check --engine fusion --check off -D N="$size" "$here/readers.c" > /dev/null; } 2>&1 | tail -1)
    echo "readers $size: $executions executions, peak memory $peak KiB"
done
