#!/usr/bin/env python3
"""Groups the unknown tasks of a results file by the reasons that the engines gave.

    python3 scripts/unknowns.py results.csv

Prints a Markdown table: the group, how many tasks, and which.
"""

import collections
import csv
import re
import sys

# The first that matches names the group; a task is in one group only.
GROUPS = [
    ("variable-length arrays are refused", r"array of variable length"),
    ("floating point", r"floating.point"),
    ("memory that is not turned into variables", r"not followed|could not be turned"),
    ("no reason keeps two accesses apart, and too many states", r"nothing is known to keep"),
    ("invariants are not found, and too many states", r"the clauses have no solution"),
    ("out of time in all engines", r"out of time"),
]


def group(reason):
    return next((name for name, pattern in GROUPS if re.search(pattern, reason)), "other")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "unknown"]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[group(row["reason"])].append(f"{row['family']}/{row['task']} ({row['property']})")
    print("| why | tasks | which |\n| --- | --: | --- |")
    for name, tasks in sorted(groups.items(), key=lambda item: -len(item[1])):
        print(f"| {name} | {len(tasks)} | {', '.join(tasks)} |")


if __name__ == "__main__":
    main()
