#!/usr/bin/env python3
"""How far beyond its limit does each engine run, and how soon does it hear Ctrl-C?

usage: scripts/overruns.py [options] [FOLDER ...]

Runs every engine on the programs of the folders (default: bench, examples and litmus of this repository) with a
time limit, and counts those runs that meet it; then those again, interrupted after a while. A row for each engine:
how many runs met the limit, by how much they overran it at most and in the middle, the most processor time that one took, and the
same for the time between SIGINT and the end. `bad` counts runs that left a process behind, or did not answer `unknown` in
one JSON object. Exit status: 1 if a run took more than `--most` seconds too long or was bad.

On a busy machine the clock is not the verifier's fault alone: run it where nothing else runs.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent.parent

CONFIGS = {
    "auto": [],
    "explore": ["--engine", "explore"],
    "bmc": ["--engine", "bmc"],
    "bmc, scheduler": ["--engine", "bmc", "--encoding", "scheduler"],
    "cegar": ["--engine", "cegar"],
    "fusion": ["--engine", "fusion"],
    "fusion, prune": ["--engine", "fusion", "--prune", "on"],
    "horn": ["--engine", "horn"],
    "lockset": ["--engine", "lockset", "--property", "race"],
    "matching": ["--engine", "matching"],
    "reduce": ["--engine", "reduce"],
    "checks": ["--engine", "checks", "--property", "memsafety"],
    "simulate": ["--engine", "simulate"],
    "graphs": ["--engine", "graphs", "--memory-model", "rc11"],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--mazurka", default=str(HERE / "target/release/mazurka"))
    parser.add_argument("--engine", action="append", choices=CONFIGS, help="only this one (may be repeated)")
    parser.add_argument("--property", action="append", help="reach and race if none is named")
    parser.add_argument("--timeout", type=float, default=5.0)
    parser.add_argument("--interrupt", type=float, default=2.0, help="seconds before SIGINT")
    parser.add_argument("--count", type=int, default=50, help="runs that meet the limit, for each engine")
    parser.add_argument("--interrupts", type=int, default=10, help="of which so many are interrupted as well")
    parser.add_argument("--try", dest="tries", type=int, default=400, help="programs that are tried for that")
    parser.add_argument("--most", type=float, default=1.0, help="seconds that a run may take too long")
    parser.add_argument("--seed", type=int, default=1, help="of the order in which programs are tried")
    return parser.parse_args()


def programs(folders):
    """All programs below the folders; a file that was preprocessed goes before its source."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.[ci]")):
            stem = path.with_suffix("")
            if path.suffix == ".i" or stem not in found:
                found[stem] = path
    return list(found.values())


def left_behind(session):
    """Processes of a session that is over."""
    count = 0
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            count += int(fields[3]) == session and fields[0] != "Z"
    return count


def run(command, interrupt=None, patience=300.0):
    """Seconds on the clock (after the interrupt, if there is one), of a processor, and what it printed."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    if interrupt is not None:
        try:
            child.wait(interrupt)
        except subprocess.TimeoutExpired:
            start = time.monotonic()
            child.send_signal(signal.SIGINT)
        else:
            start = None  # It was faster.
    before = os.times()
    try:
        printed, _ = child.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        printed, _ = child.communicate()
    wall = None if start is None else time.monotonic() - start
    after = os.times()
    cpu = (after.children_user + after.children_system) - (before.children_user + before.children_system)
    time.sleep(0.02)
    return wall, cpu, printed, child.returncode, left_behind(child.pid)


def is_unknown(printed, status):
    try:
        return json.loads(printed)["verdict"] == "unknown" and status == 2
    except (ValueError, KeyError):
        return False


class Row:
    def __init__(self, name):
        self.name, self.over, self.cpu, self.heard, self.bad, self.worst = name, [], [], [], 0, ("", 0.0)

    def __str__(self):
        def column(values):
            return f"{max(values):8.2f} {statistics.median(values):8.2f}" if values else f"{'-':>8} {'-':>8}"

        cpu = f"{max(self.cpu):8.2f}" if self.cpu else f"{'-':>8}"
        return f"{self.name:<16} {len(self.over):5} {column(self.over)} {cpu}  {len(self.heard):6} {column(self.heard)} {self.bad:4}"


def measure(options, name, candidates):
    row = Row(name)
    base = [options.mazurka, "check", "--format", "json", *CONFIGS[name]]
    met = []
    for path, wanted in candidates:
        if len(row.over) >= options.count:
            break
        own = [] if "--property" in CONFIGS[name] else ["--property", wanted]
        command = [*base, *own, str(path)]
        wall, cpu, printed, status, rest = run([*command, "--timeout", str(options.timeout)])
        if wall < options.timeout - 0.02:
            row.bad += rest > 0
            continue
        row.over.append(wall - options.timeout)
        row.cpu.append(cpu)
        # An answer that comes at the last moment is an answer.
        row.bad += rest > 0 or not (is_unknown(printed, status) or status in (0, 1))
        met.append(command)
        if row.over[-1] > row.worst[1]:
            row.worst = (f"{path} {wanted}", row.over[-1])
    for command in met[: options.interrupts]:
        wall, _, printed, status, rest = run(command, options.interrupt)
        if wall is not None:
            row.heard.append(wall)
            row.bad += rest > 0 or not is_unknown(printed, status)
    return row


def main():
    options = arguments()
    folders = options.folders or [HERE / "bench", HERE / "examples", HERE / "litmus"]
    candidates = [(path, wanted) for path in programs(folders) for wanted in options.property or ["reach", "race"]]
    random.Random(options.seed).shuffle(candidates)
    candidates = candidates[: options.tries]
    print(f"{'':<16} {'runs':>5} {'most':>8} {'median':>8} {'cpu':>8}  {'SIGINT':>6} {'most':>8} {'median':>8} {'bad':>4}")
    fine = True
    for name in options.engine or CONFIGS:
        row = measure(options, name, candidates)
        print(row, flush=True)
        if row.worst[1] > options.most:
            print(f"    worst: {row.worst[0]}, load {os.getloadavg()[0]:.1f}", flush=True)
        fine &= max([0.0, *row.over, *row.heard]) <= options.most and row.bad == 0
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
