#!/usr/bin/env python3
"""Tables of a results file of `mazurka bench`, as Markdown: the page docs/results.md is made of them.

    python3 scripts/results_tables.py results.csv

Prints what each configuration made of the tasks, right verdicts by family, and why tasks are unknown
to the configuration that knows most.
"""

import collections
import csv
import re
import statistics
import sys

# The first that matches names the group; a task is in one group only.
GROUPS = [
    ("arrays of variable length that are refused", r"array of variable length"),
    ("floating point", r"floating.point"),
    ("memory that is not turned into variables", r"not followed|could not be turned"),
    ("no reason keeps two accesses apart, and too many states", r"nothing is known to keep"),
    ("invariants are not found, and too many states", r"the clauses have no solution"),
    ("out of time in all engines", r"out of time"),
]

POINTS = {("correct", "safe"): 2, ("correct", "unsafe"): 1, ("wrong", "safe"): -32, ("wrong", "unsafe"): -16}


def group(reason):
    return next((name for name, pattern in GROUPS if re.search(pattern, reason)), "other")


def table(head, rows, last="--:"):
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join(["---"] + ["--:"] * (len(head) - 2) + [last]) + " |")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def summary(rows):
    """Of one configuration: right safe and unsafe, wrong, unknown, points, time of what is solved."""
    count = collections.Counter((row["status"], row["verdict"]) for row in rows)
    status = collections.Counter(row["status"] for row in rows)
    solved = [float(row["cpu_s"]) for row in rows if row["status"] == "correct"]
    return [
        count["correct", "safe"],
        count["correct", "unsafe"],
        status["wrong"],
        status["unknown"],
        sum(POINTS.get(kind, 0) * number for kind, number in count.items()),
        f"{sum(solved):.0f}",
        f"{statistics.median(solved):.2f}" if solved else "-",
    ]


def by_family(configs):
    families = sorted({row["family"] for rows in configs.values() for row in rows})
    for family in families:
        tasks = {
            (row["task"], row["property"])
            for rows in configs.values()
            for row in rows
            if row["family"] == family
        }
        right = [
            sum(row["family"] == family and row["status"] == "correct" for row in rows)
            for rows in configs.values()
        ]
        yield [family, len(tasks), *right]


def unknowns(rows):
    groups = collections.defaultdict(list)
    for row in rows:
        if row["status"] == "unknown":
            groups[group(row["reason"])].append(f"{row['family']}/{row['task']} ({row['property']})")
    for name, tasks in sorted(groups.items(), key=lambda item: -len(item[1])):
        yield [name, len(tasks), ", ".join(tasks)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    configs = {}
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            configs.setdefault(row["config"], []).append(row)
    head = ["", "right *safe*", "right *unsafe*", "wrong", "unknown", "points", "CPU s of solved", "median"]
    table(head, ([f"`{name}`", *summary(rows)] for name, rows in configs.items()))
    table(["family", "tasks", *(f"`{name}`" for name in configs)], by_family(configs))
    best = max(configs, key=lambda name: sum(row["status"] == "correct" for row in configs[name]))
    table([f"why `{best}` does not know", "tasks", "which"], unknowns(configs[best]), last="---")


if __name__ == "__main__":
    main()
