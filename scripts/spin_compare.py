#!/usr/bin/env python3
"""Compares the speed of exhaustive exploration with SPIN's, on models of the same programs.

For each model of scripts/spin (NAME.pml beside NAME.c) this builds SPIN's verifier with -O2 and
partial order reduction off, runs it, runs `mazurka check --engine explore` on the C program, and
prints the states each has visited and how many a CPU second (user and system time of the process and
its children). Both start from nothing and visit every reachable state; the median of the runs counts.

    cargo build --release && python3 scripts/spin_compare.py

Needs spin (Debian package `spin`), gcc, and a release build of mazurka.
"""

import argparse
import json
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

# The number of processes of each model: about a million states and more.
SIZES = {"philosophers": 9, "peterson": 4, "increments": 4, "tickets": 4}

# A million states of depth and some gigabytes are plenty for the sizes above.
PAN_OPTIONS = ["-m10000000"]
PAN_DEFINES = ["-DNOREDUCE", "-DSAFETY", "-DMEMLIM=8000"]


class Missing(Exception):
    """Something that has to be installed or built first."""


class Failed(Exception):
    """A run that did not give what it should."""


def cpu_seconds(command, cwd=None):
    """Runs a command; returns its output, its exit status and the CPU seconds it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return done, seconds


def must_run(command, cwd):
    """Runs a command that has to succeed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")


def build_pan(name, size, folder):
    """SPIN's verifier for one model, compiled into the folder."""
    must_run(["spin", "-a", f"-DN={size}", HERE / "spin" / f"{name}.pml"], folder)
    must_run(["gcc", "-O2", *PAN_DEFINES, "-o", "pan", "pan.c"], folder)


def run_pan(folder):
    """States and CPU seconds of one complete search by SPIN."""
    done, seconds = cpu_seconds(["./pan", *PAN_OPTIONS], folder)
    errors = re.search(r"errors: (\d+)", done.stdout)
    states = re.search(r"(\d+) states, stored", done.stdout)
    cut = "max search depth too small" in done.stdout or "out of memory" in done.stdout
    if not errors or not states or errors.group(1) != "0" or cut:
        raise Failed(f"pan did not finish its search:\n{done.stdout}{done.stderr}")
    return int(states.group(1)), seconds


def run_mazurka(binary, name, size):
    """States and CPU seconds of one complete exploration by mazurka."""
    source = HERE / "spin" / f"{name}.c"
    options = ["--engine", "explore", "--stats", "--format", "json", f"-DN={size}"]
    done, seconds = cpu_seconds([binary, "check", *options, source])
    try:
        answer = json.loads(done.stdout)
        verdict, states = answer["verdict"], answer["stats"]["states"]
    except (ValueError, KeyError, TypeError) as error:
        raise Failed(f"mazurka printed no answer ({error}):\n{done.stdout}{done.stderr}") from error
    if verdict != "safe":
        raise Failed(f"mazurka says {verdict}, not safe: {answer.get('reason')}")
    return int(states), seconds


def median_run(run, times):
    """The run with the median time among several."""
    results = [run() for _ in range(times)]
    if len({states for states, _ in results}) != 1:
        raise Failed(f"the number of states differs between runs: {results}")
    return results[0][0], statistics.median(seconds for _, seconds in results)


def compare(binary, name, size, times):
    """One line of the table; returns how much faster or slower mazurka is."""
    with tempfile.TemporaryDirectory() as folder:
        build_pan(name, size, folder)
        spin = median_run(lambda: run_pan(folder), times)
    ours = median_run(lambda: run_mazurka(binary, name, size), times)
    rates = [states / max(seconds, 1e-3) for states, seconds in (spin, ours)]
    ratio = rates[1] / rates[0]
    row = [f"{name} {size}"]
    for (states, seconds), rate in zip((spin, ours), rates):
        row += [f"{states:,}", f"{seconds:.2f}", f"{rate:,.0f}"]
    print("| " + " | ".join([*row, f"{ratio:.2f}"]) + " |", flush=True)
    return ratio


def find_tools(binary):
    """The binary to measure, or what is missing."""
    for tool, package in (("spin", "spin"), ("gcc", "gcc")):
        if shutil.which(tool) is None:
            raise Missing(f"{tool} is not installed (Debian: apt-get install {package})")
    path = Path(binary) if binary else ROOT / "target" / "release" / "mazurka"
    if not path.is_file():
        raise Missing(f"there is no {path}: run `cargo build --release`, or give --mazurka PATH")
    return path.resolve()


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", metavar="PATH", help="the binary to measure")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, the median counts")
    parser.add_argument("--at-least", type=float, metavar="RATIO", help="fail below this ratio")
    parser.add_argument(
        "--size", action="append", default=[], metavar="NAME=N", help="processes of a model"
    )
    return parser.parse_args()


def main():
    """Prints the table; exit status 1 below the wanted ratio, 2 if something is missing."""
    options = arguments()
    sizes = dict(SIZES)
    for given in options.size:
        name, _, size = given.partition("=")
        if name not in sizes or not size.isdigit():
            print(f"--size wants one of {', '.join(SIZES)}, `=`, and a number", file=sys.stderr)
            return 64
        sizes[name] = int(size)
    try:
        binary = find_tools(options.mazurka)
        print("| program | SPIN states | CPU s | states/s | mazurka states | CPU s | states/s | ratio |")
        print("| --- | --: | --: | --: | --: | --: | --: | --: |", flush=True)
        ratios = [compare(binary, name, size, options.runs) for name, size in sizes.items()]
    except (Missing, Failed) as error:
        print(f"spin_compare: {error}", file=sys.stderr)
        return 2
    return 1 if options.at_least and min(ratios) < options.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
