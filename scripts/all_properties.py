#!/usr/bin/env python3
"""What does `--property all` cost, compared with the slowest single property?

For each example, the processor time of one run with all properties and of a run for each of them, each
the least of several. Processor time, because on a busy machine wall-clock time says little. Fails if
all examples together take more than 1.5 times the slowest single properties.

  python3 scripts/all_properties.py --mazurka target/release/mazurka
"""

import argparse
import pathlib
import resource
import subprocess
import sys

PROPERTIES = ["reach", "race", "deadlock", "overflow", "memsafety", "termination", "usage"]
MOST = 1.5


def seconds(mazurka, program, what, runs):
    """The least processor time of some runs, with that of all children."""
    least = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [mazurka, "check", str(program), "--property", what, "--timeout", "60", "--quiet"],
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = used if least is None else min(least, used)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mazurka", default="target/release/mazurka")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    folder = pathlib.Path(__file__).parent.parent / "examples"
    together, slowest = 0.0, 0.0
    print(f"{'program':32} {'all':>7} {'slowest':>9} {'ratio':>6}")
    for program in sorted(folder.glob("*.c")):
        single = {it: seconds(args.mazurka, program, it, args.runs) for it in PROPERTIES}
        every = seconds(args.mazurka, program, "all", args.runs)
        worst = max(single, key=single.get)
        together += every
        slowest += single[worst]
        ratio = every / single[worst]
        print(f"{program.stem:32} {every:7.3f} {single[worst]:9.3f} {ratio:6.2f}  {worst}")
    ratio = together / slowest
    print(f"{'together':32} {together:7.3f} {slowest:9.3f} {ratio:6.2f}")
    sys.exit(ratio > MOST)


if __name__ == "__main__":
    main()
