#!/bin/sh
# How fast stateless exploration is, in figures that hold on any machine: instructions for each event that is
# run, counted by valgrind, over the litmus programs; and the peak of memory after about 10,000 and 100,000 executions.
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

# Memory: the same program with a larger size has more than ten times as many executions.
# Prints the peak for both, and fails if the larger one is more than 20 % above the smaller one.
peak() {
    program=$1
    shift
    /usr/bin/time -f %M -o "$work/peak" \
        "$mazurka" check --engine fusion --check off --stats "$@" "$program" > "$work/answer" 2> /dev/null || true
    executions=$(awk '$1 == "executions" { gsub(",", "", $2); print $2 }' "$work/answer")
}

flat() {
    name=$1 small=$2 large=$3
    shift 3
    peak "$name" -D N="$small" "$@"
    at_small=$(tail -1 "$work/peak") few=$executions
    peak "$name" -D N="$large" "$@"
    at_large=$(tail -1 "$work/peak")
    echo "$(basename "$name" .c): $at_small KiB after $few executions, $at_large KiB after $executions"
    [ $((at_large * 100)) -le $((at_small * 120)) ] || { echo "memory is not flat"; exit 1; }
}

flat "$here/readers.c" 13 17
flat "$here/../../bench/fusion/batch.c" 6 8 -D OK
