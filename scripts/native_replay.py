#!/usr/bin/env python3
"""Does each unsafe task of a suite fail natively, too?

For each task below the folders whose expected verdict is false: `mazurka check --trace`, then
`mazurka replay --native --run`, which writes the program with its schedule as C, compiles it with
gcc, runs it and looks whether it fails as predicted. Tasks that gcc cannot build even without the
schedule (functions or libraries that are not there) are counted apart.

  python3 scripts/native_replay.py ../shared/corpus --mazurka target/release/mazurka
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile


def tasks(folder):
    """The unsafe tasks: (name, program, property file, data model)."""
    for path in sorted(pathlib.Path(folder).rglob("*.yml")):
        text = path.read_text(encoding="utf-8")
        program = re.search(r"input_files: *['\"]?([^'\"\n]+)", text)
        model = re.search(r"data_model: *(\w+)", text)
        found = re.findall(
            r"property_file: *(\S+)\s+expected_verdict: *false", text
        )
        for prp in found:
            yield (
                path.stem,
                path.parent / program.group(1).strip(),
                path.parent / prp,
                model.group(1).lower() if model else "ilp32",
            )


def builds(program, model):
    """Can gcc build the program as it is, with the verifier's functions beside it?"""
    with tempfile.TemporaryDirectory() as folder:
        stubs = pathlib.Path(folder, "stubs.c")
        text = program.read_text(encoding="utf-8", errors="replace")
        names = set(re.findall(r"\b(__VERIFIER_\w+|reach_error)\s*\(", text))
        defined = set(re.findall(r"\b(__VERIFIER_\w+|reach_error)\s*\([^;{}]*\)\s*\{", text))
        stubs.write_text(
            "".join(f"long {name}() {{ return 0; }}\n" for name in sorted(names - defined))
        )
        width = "-m32" if model == "ilp32" else "-m64"
        command = ["gcc", "-w", "-std=gnu11", width, "-pthread", "-o", "/dev/null"]
        said = subprocess.run(
            [*command, str(program), str(stubs), "-lm"], capture_output=True, text=True
        )
        return said.returncode == 0


def outcome(mazurka, timeout, name, program, prp, model):
    """One word about a task, and what there is to say."""
    with tempfile.TemporaryDirectory() as folder:
        trace, repro = f"{folder}/trace.json", f"{folder}/repro.c"
        common = [str(program)]
        check = [mazurka, "check", *common, "--property", str(prp), "--data-model", model]
        subprocess.run(
            [*check, "--timeout", str(timeout), "--trace", trace], capture_output=True
        )
        if not pathlib.Path(trace).exists():
            return "unsolved", ""
        replay = [mazurka, "replay", "--native", "--run", trace, "-o", repro]
        said = subprocess.run(replay, capture_output=True, text=True)
        if "as predicted" in said.stdout:
            return "fails", ""
        if not builds(program, model):
            return "unbuildable", ""
        text = said.stdout + said.stderr
        return "differs", text[text.find("it does not fail") if "it does not" in text else -400 :]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--mazurka", default="mazurka")
    parser.add_argument("--timeout", type=int, default=20)
    arguments = parser.parse_args()
    counts = collections.Counter()
    for folder in arguments.folders:
        for task in tasks(folder):
            word, why = outcome(arguments.mazurka, arguments.timeout, *task)
            counts[word] += 1
            print(f"{word:<12} {task[0]}  {' '.join(why.split())[:300]}", flush=True)
    tried = counts["fails"] + counts["differs"]
    print(", ".join(f"{word}: {count}" for word, count in sorted(counts.items())))
    if tried:
        print(f"{counts['fails']} of {tried} ({100 * counts['fails'] / tried:.0f} %) fail as predicted")
    sys.exit(0 if tried and counts["fails"] >= 0.9 * tried else 1)


if __name__ == "__main__":
    main()
