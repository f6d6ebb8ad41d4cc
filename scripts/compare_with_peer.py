#!/usr/bin/env python3
"""Compare the results of `mazurka bench` with those of another verifier on the same tasks.

    mazurka bench CORPUS --engine bmc --property reach --out ours.csv
    scripts/compare_with_peer.py ours.csv PEERS/deagle-4.1-reach.csv

Prints how many tasks each solves, and the geometric mean of CPU seconds over those that both solve.
Times below a hundredth of a second count as that.
"""
import csv
import math
import sys


def rows(path):
    with open(path, newline="") as file:
        return {(row["family"], row["task"]): row for row in csv.DictReader(file)}


def mean(seconds):
    return math.exp(sum(math.log(max(s, 0.01)) for s in seconds) / len(seconds))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ours, theirs = rows(sys.argv[1]), rows(sys.argv[2])
    tasks = [task for task in theirs if task in ours]
    we = {task for task in tasks if ours[task]["status"] == "correct"}
    they = {task for task in tasks if theirs[task]["verdict"] == theirs[task]["expected"]}
    wrong = sum(ours[task]["status"] == "wrong" for task in tasks)
    both = sorted(we & they)
    print(f"tasks           {len(tasks)}")
    print(f"we solve        {len(we)}, wrong {wrong}")
    print(f"they solve      {len(they)}")
    print(f"both solve      {len(both)}")
    if both:
        for name, table in [("our", ours), ("their", theirs)]:
            seconds = mean([float(table[task]["cpu_s"]) for task in both])
            print(f"{name + ' mean':<15} {seconds:.3f} s of CPU")
    for family, task in sorted(they - we):
        print(f"only they       {family}/{task}")


main()
