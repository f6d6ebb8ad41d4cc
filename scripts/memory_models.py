#!/usr/bin/env python3
"""Runs programs with known verdicts per memory model, and counts what is right.

The folder has FAMILY/TASK.c and tasks.csv: family, task, model, property, expected (safe, unsafe, bounded-safe),
executions (the number of execution graphs, where it is known; of reads-from classes, if the source counts these), source.
Rows of models that we do not ship are left out.

usage: memory_models.py MAZURKA FOLDER [--engine E] [--family F] [--model M] [--timeout S] [--jobs N] [--rows OUT.csv]
       memory_models.py MAZURKA FOLDER --largest N [--model M] [--timeout S] [--workers N]

With --largest, the programs with the largest counts are run one after the other, and the table says how fast executions are made.
"""

import argparse
import collections
import concurrent.futures
import csv
import json
import os
import subprocess

MODELS = ["sc", "tso", "pso", "ra", "rc11"]
PROPERTIES = ["reach", "race"]


def run(args, row):
    """What mazurka says: verdict, reason, executions, seconds."""
    path = os.path.join(args.folder, row["family"], row["task"] + ".c")
    command = [args.mazurka, "check", "--engine", args.engine, "--format", "json"]
    command += ["--memory-model", row["model"], "--property", row["property"]]
    command += ["--timeout", str(args.timeout), path]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        first = (done.stderr.strip().splitlines() or ["no output"])[0]
        return "refused", first.replace(path, "FILE"), None, 0.0
    executions = answer["stats"].get(counted(row))
    return answer["verdict"], answer["reason"] or "", executions, answer["wall_s"]


def counted(row):
    """What the number of executions in a row counts."""
    return "reads-from classes" if row["source"].startswith("nidhugg/") else "executions"


def largest(args, rows):
    """A table of the programs with the largest counts: executions, and how many in a second of processor time."""
    counted_rows = [row for row in rows if row["executions"] and row["property"] == "reach"]
    programs = {(row["family"], row["task"], row["model"]): row for row in counted_rows}
    order = sorted(programs.values(), key=lambda row: -int(row["executions"]))
    columns = ["executions", "graphs", "events", "wall s", "CPU s", "executions/s", "events/s", "MB"]
    print(f"{'program':<26}" + "".join(f"{column:>13}" for column in columns))
    for row in order[: args.largest]:
        path = os.path.join(args.folder, row["family"], row["task"] + ".c")
        command = [args.mazurka, "check", "--engine", "graphs", "--format", "json", "--jobs", str(args.workers)]
        command += ["--memory-model", row["model"], "--timeout", str(args.timeout), path]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        answer = json.loads(child.stdout.read())
        _, _, used = os.wait4(child.pid, 0)
        stats, seconds = answer["stats"], used.ru_utime + used.ru_stime
        same = stats.get("executions") == int(row["executions"])
        figures = [stats.get("executions"), stats.get("graphs"), stats.get("events")]
        figures = [f"{figure:,}" if figure is not None else "-" for figure in figures]
        figures += [f"{answer['wall_s']:.1f}", f"{seconds:.1f}"]
        per_second = [stats.get(name, 0) / max(seconds, 0.01) for name in ("executions", "events")]
        figures += [f"{value:,.0f}" for value in per_second] + [f"{used.ru_maxrss / 1024:.0f}"]
        note = "" if same and answer["verdict"] == "safe" else f"  {answer['verdict']}, expected {row['executions']}"
        print(f"{row['task']:<26}" + "".join(f"{figure:>13}" for figure in figures) + note, flush=True)


def judge(row, verdict):
    expected = "safe" if row["expected"] == "bounded-safe" else row["expected"]
    if verdict not in ("safe", "unsafe"):
        return "unknown"
    return "right" if verdict == expected else "wrong"


def short(reason):
    """A reason without its place and its model."""
    reason = reason.split(": ", 1)[-1] if ".c:" in reason.split(" ")[0] else reason
    return reason.split(" is not followed under")[0][:90]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mazurka")
    parser.add_argument("folder")
    parser.add_argument("--family")
    parser.add_argument("--engine", default="graphs", help="only `graphs` counts executions")
    parser.add_argument("--model")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rows")
    parser.add_argument("--largest", type=int, help="only so many programs with the largest counts")
    parser.add_argument("--workers", type=int, default=1, help="threads that make graphs, with --largest")
    args = parser.parse_args()
    with open(os.path.join(args.folder, "tasks.csv")) as file:
        rows = [row for row in csv.DictReader(file) if row["model"] in MODELS]
    rows = [row for row in rows if row["property"] in PROPERTIES]
    rows = [row for row in rows if args.family in (None, row["family"])]
    rows = [row for row in rows if args.model in (None, row["model"])]
    if args.largest:
        return largest(args, rows)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        answers = list(pool.map(lambda row: run(args, row), rows))
    table = collections.defaultdict(collections.Counter)
    reasons, wrong, differing = collections.Counter(), [], []
    for row, (verdict, reason, executions, _) in zip(rows, answers):
        name = f"{row['family']}/{row['task']} {row['model']} {row['property']}"
        result = judge(row, verdict)
        counts = table[row["family"]]
        counts[result] += 1
        if result == "unknown":
            reasons[short(reason)] += 1
        if result == "wrong":
            wrong.append(f"{name}: {verdict}, expected {row['expected']}")
        if row["executions"] and verdict == "safe":
            same = int(row["executions"]) == executions
            counts["equal" if same else "different"] += 1
            if not same:
                differing.append(f"{name}: {executions}, expected {row['executions']}")
        elif row["executions"] and row["expected"] != "unsafe":
            counts["no count"] += 1
    columns = ["right", "wrong", "unknown", "equal", "different", "no count"]
    print(f"{'family':<24}" + "".join(f"{column:>11}" for column in columns))
    for family in sorted(table) + ["all"]:
        counts = table[family] if family != "all" else sum(table.values(), collections.Counter())
        print(f"{family:<24}" + "".join(f"{counts[column]:>11}" for column in columns))
    for title, lines in [("wrong", wrong), ("counts that differ", differing)]:
        print(f"\n{title}: {len(lines)}")
        print("".join(f"  {line}\n" for line in lines), end="")
    print("\nwhy unknown:")
    for reason, count in reasons.most_common():
        print(f"  {count:>5}  {reason}")
    if args.rows:
        with open(args.rows, "w", newline="") as file:
            writer = csv.writer(file)
            for row, answer in zip(rows, answers):
                writer.writerow([*row.values(), *answer])


if __name__ == "__main__":
    main()
