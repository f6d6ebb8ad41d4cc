#!/usr/bin/env python3
"""Writes witnesses for every verdict on a folder of verification tasks, and validates them.

    python3 scripts/witnesses.py ../suite --mazurka target/release/mazurka --timeout 20

Every task is checked with `--witness` in GraphML and in YAML 2.0 and 2.2 (2.0 and 2.1 where it is safe). Each
witness has to be well-formed, and `mazurka validate` has to confirm it. The last lines count the witnesses,
and name the tasks whose witnesses are missing, not well-formed or not confirmed.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def tasks(folder):
    """The program, the property file, the data model and the expected verdict of every task."""
    for path in sorted(folder.rglob("*.yml")):
        text = path.read_text()
        program = re.search(r"input_files:\s*['\"]?([^'\"\n]+)", text)
        if not program or "format_version" not in text:
            continue
        model = re.search(r"data_model:\s*(\w+)", text)
        for wanted in re.finditer(r"property_file:\s*(\S+)\s*\n\s*expected_verdict:\s*(\w+)", text):
            yield {
                "name": f"{path.parent.name}/{path.stem}",
                "program": path.parent / program[1],
                "property": path.parent / wanted[1],
                "expected": wanted[2],
                "model": model[1].lower() if model else "lp64",
            }


def run(words, seconds):
    """The exit code and what was printed; no code if it took far too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=3 * seconds + 30)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


def check(task, args, folder):
    """The verdict, and the witnesses that were written for it."""
    files = {name: folder / name for name in ("w.graphml", "w1.yml", "w2.yml")}
    for file in files.values():
        file.unlink(missing_ok=True)
    words = [args.mazurka, "check", "--property", task["property"], "--data-model", task["model"]]
    words += ["--timeout", args.timeout, "--cores", 1, "--format", "json", task["program"]]
    for file in files.values():
        words += ["--witness", file]
    versions = ["2.0", "2.1"] if task["expected"] == "true" else ["2.0", "2.2"]
    for version in versions:
        words += ["--witness-format", version]
    code, _ = run([str(word) for word in words], args.timeout)
    return code, dict(zip(["GraphML"] + [f"YAML {version}" for version in versions], files.values()))


def validate(task, args, file):
    """What is wrong with a witness: its form, or that it is not confirmed."""
    words = [args.mazurka, "validate", "--witness", file, "--timeout", args.timeout, "--format", "json"]
    words += ["--data-model", task["model"], "--property", task["property"], task["program"]]
    code, out = run([str(word) for word in words], args.timeout)
    try:
        answer = json.loads(out)
    except ValueError:
        return code, ["no answer"], f"exit code {code}"
    return code, answer["lint"], answer["reason"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--mazurka", default="target/release/mazurka")
    parser.add_argument("--timeout", type=int, default=20, help="seconds for each check and each validation")
    parser.add_argument("--filter", default="", help="only tasks with this text in their name")
    parser.add_argument("--expected", choices=["true", "false"], help="only tasks with this expected verdict")
    args = parser.parse_args()
    counts, troubles, verdicts = {}, [], {}
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks(args.folder):
            if args.filter not in task["name"] or args.expected not in (None, task["expected"]):
                continue
            code, files = check(task, args, pathlib.Path(folder))
            verdict = {0: "safe", 1: "unsafe"}.get(code, "unknown")
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
            if verdict == "unknown":
                continue
            for kind, file in files.items():
                key = (verdict, kind)
                row = counts.setdefault(key, {"written": 0, "lint-clean": 0, "accepted": 0})
                if not file.exists():
                    troubles.append(f"{task['name']}: no {kind} for {verdict}")
                    continue
                row["written"] += 1
                answer, lint, reason = validate(task, args, file)
                row["lint-clean"] += not lint
                row["accepted"] += answer == code
                if lint or answer != code:
                    trouble = "; ".join(lint) or f"not confirmed: {reason}"
                    troubles.append(f"{task['name']}: {kind} for {verdict}: {trouble}")
                    print(troubles[-1], flush=True)
    print("verdicts:", ", ".join(f"{number} {name}" for name, number in sorted(verdicts.items())))
    for (verdict, kind), row in sorted(counts.items()):
        figures = ", ".join(f"{number} {name}" for name, number in row.items())
        print(f"{verdict:7} {kind:9} {figures}")
    print(f"{len(troubles)} failed")
    for trouble in troubles:
        print(" ", trouble)
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
