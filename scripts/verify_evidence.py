#!/usr/bin/env python3
"""Checks all evidence below a folder, as `mazurka bench --evidence DIR` leaves it.

    python3 scripts/verify_evidence.py DIR [--mazurka target/release/mazurka] [--timeout 120]

Prints a line for whatever is not confirmed, and the counts; the status is 0 if all is confirmed.
"""

import argparse
import collections
import pathlib
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--mazurka", default="target/release/mazurka")
    parser.add_argument("--timeout", type=float, default=120)
    args = parser.parse_args()
    counts = collections.Counter()
    for file in sorted(args.folder.rglob("evidence.json")):
        command = [args.mazurka, "verify-evidence", str(file.parent), "--timeout", str(args.timeout)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=2 * args.timeout + 30)
            text = (done.stdout + done.stderr).strip()
        except subprocess.TimeoutExpired:
            text = "NOT CHECKED  no answer in time"
        word = next((word for word in ("CONFIRMED", "REJECTED", "NOT CHECKED") if text.startswith(word)), "failed")
        counts[word] += 1
        if word != "CONFIRMED":
            print(f"{file.parent.relative_to(args.folder)}: {text}", flush=True)
    print(", ".join(f"{count} {word.lower()}" for word, count in counts.most_common()) or "no evidence")
    return 0 if counts and set(counts) == {"CONFIRMED"} else 1


if __name__ == "__main__":
    sys.exit(main())
