#!/usr/bin/env python3
"""Figure 5.3 of paper 1 again: tasks solved by domain, pruning, blocks and reduction (24 cells).

Runs `mazurka check --engine cegar` with every combination over the reachability tasks of a folder
with a tasks.csv, keeps each result as it comes (an interrupted run goes on where it stopped), and
prints the table, the explored actions over the tasks that reductions solve alike, and any wrong verdict.

    cargo build --release && python3 scripts/figure_5_3.py ../shared/corpus --timeout 30

The whole takes up to 24 x tasks x timeout seconds; --only lock,queue runs the tasks whose names
contain one of the words, and --show prints the table of an interrupted run.
"""

import argparse
import csv
import json
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOMAINS = {"EXPL": "expl", "PRED": "pred-cart"}
PRUNES = {"FULL": "full", "LAZY": "lazy"}
BLOCKS = {"NO_LBE": "off", "LBE": "on"}
REDUCTIONS = {"NO_POR": "none", "BASIC": "basic", "AAPOR": "aware"}
FIELDS = ["task", "domain", "prune", "blocks", "reduction", "expected", "verdict", "actions", "wall_s"]


def tasks(folder, words):
    """Reachability tasks: name, file, data model, expected verdict."""
    with open(folder / "tasks.csv", newline="") as file:
        for row in csv.DictReader(file):
            if row["property"] != "unreach-call":
                continue
            name = f"{row['family']}/{row['task']}"
            path = next((p for p in (folder / f"{name}.i", folder / f"{name}.c") if p.exists()), None)
            if path and (not words or any(word in name for word in words)):
                expected = "safe" if row["expected"].lower() == "true" else "unsafe"
                yield name, path, row["data_model"].lower(), expected


def run(mazurka, path, model, cell, timeout):
    """Verdict, explored actions and time of one run."""
    domain, prune, blocks, reduction = cell
    command = [mazurka, "check", "--engine", "cegar", "--format", "json", "--timeout", str(timeout)]
    command += ["--data-model", model, "--domain", DOMAINS[domain], "--prune", PRUNES[prune]]
    command += ["--lbe", BLOCKS[blocks], "--por", REDUCTIONS[reduction], str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout + 20)
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return "unknown", "", timeout
    return answer["verdict"], answer["stats"].get("explored actions", ""), round(answer["wall_s"], 2)


def cells():
    return list(product(DOMAINS, PRUNES, BLOCKS, REDUCTIONS))


def measure(args, out):
    """All rows, old and new."""
    rows = []
    if out.exists():
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    known = {tuple(row[field] for field in FIELDS[:5]) for row in rows}
    todo = list(tasks(args.folder, args.only.split(",") if args.only else []))
    with open(out, "a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        if not rows:
            writer.writeheader()
        for number, (name, path, model, expected) in enumerate(todo):
            print(f"\r{number + 1} of {len(todo)} tasks", end="", file=sys.stderr)
            for cell in cells():
                if (name, *cell) in known:
                    continue
                verdict, actions, wall = run(args.mazurka, path, model, cell, args.timeout)
                row = dict(zip(FIELDS, (name, *cell, expected, verdict, actions, wall)))
                rows.append({field: str(value) for field, value in row.items()})
                writer.writerow(row)
                file.flush()
    print(file=sys.stderr)
    names = {name for name, *_ in todo}
    return [row for row in rows if row["task"] in names]


def complete(out):
    """The rows of the tasks that have been measured in all cells."""
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    count = Counter(row["task"] for row in rows)
    return [row for row in rows if count[row["task"]] == len(cells())]


def report(rows):
    print(f"{len({row['task'] for row in rows})} tasks\n")
    solved = {cell: {} for cell in cells()}
    wrong = []
    for row in rows:
        cell = tuple(row[field] for field in FIELDS[1:5])
        if row["verdict"] == row["expected"]:
            solved[cell][row["task"]] = int(row["actions"] or 0)
        elif row["verdict"] != "unknown":
            wrong.append(row)
    print(f"| domain | pruning | blocks | {' | '.join(REDUCTIONS)} | actions on tasks all three solve |")
    print("| --- | --- | --- | --: | --: | --: | --: |")
    for domain, prune, blocks in product(DOMAINS, PRUNES, BLOCKS):
        row = [solved[(domain, prune, blocks, reduction)] for reduction in REDUCTIONS]
        common = set(row[0]) & set(row[1]) & set(row[2])
        sums = " / ".join(f"{sum(one[task] for task in common):,}" for one in row)
        counts = " | ".join(str(len(one)) for one in row)
        print(f"| {domain} | {prune} | {blocks} | {counts} | {sums} |")
    for first, second in (("NO_POR", "BASIC"), ("BASIC", "AAPOR")):
        totals = [0, 0]
        for cell in product(DOMAINS, PRUNES, BLOCKS):
            one, other = solved[(*cell, first)], solved[(*cell, second)]
            for task in set(one) & set(other):
                totals[0] += one[task]
                totals[1] += other[task]
        print(f"\nexplored actions over the tasks that both solve: {first} {totals[0]:,}, {second} {totals[1]:,}")
    print(f"\n{len(wrong)} wrong verdicts")
    for row in wrong:
        print("  wrong:", ", ".join(row[field] for field in FIELDS[:7]))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with tasks.csv")
    parser.add_argument("--timeout", type=float, default=2, help="seconds for each run (default 2)")
    parser.add_argument("--only", default="", help="words, separated by commas")
    parser.add_argument("--out", type=Path, default=Path("figure_5_3.csv"), help="where the results are kept")
    parser.add_argument("--mazurka", default=str(ROOT / "target/release/mazurka"))
    parser.add_argument("--show", action="store_true", help="run nothing, print what there is")
    args = parser.parse_args()
    if args.show:
        sys.exit(report(complete(args.out)))
    if not (args.folder / "tasks.csv").exists():
        sys.exit(f"{args.folder} has no tasks.csv")
    if not Path(args.mazurka).exists():
        sys.exit(f"{args.mazurka} is missing: cargo build --release")
    sys.exit(report(measure(args, args.out)))


if __name__ == "__main__":
    main()
