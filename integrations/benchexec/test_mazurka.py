"""Runs the module as BenchExec does. Needs the package `benchexec`; `scripts/test_benchexec.sh` gets it.

    python3 integrations/benchexec/test_mazurka.py path/to/mazurka
"""

import pathlib
import subprocess
import sys
import unittest

import benchexec.result as result
from benchexec.tools.template import BaseTool2
from benchexec.util import ProcessExitCode

import mazurka

MAZURKA = sys.argv.pop(1) if len(sys.argv) > 1 else "mazurka"
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def recorded(command, status, text):
    """A run that has ended, as BenchExec describes it."""
    output = BaseTool2.RunOutput(text.splitlines(keepends=True))
    return BaseTool2.Run(command, ProcessExitCode.create(value=status), output, None)


def read(text):
    """What becomes of an output."""
    return mazurka.Tool().determine_result(recorded([], 2, text))


def run(name, prp, options=()):
    """What BenchExec would record for an example."""
    tool = mazurka.Tool()
    task = BaseTool2.Task.with_files(
        [str(EXAMPLES / name)], property_file=prp, options={"data_model": "LP64"}
    )
    limits = BaseTool2.ResourceLimits(walltime=60, memory=2_000_000_000)
    command = tool.cmdline(MAZURKA, list(options), task, limits)
    done = subprocess.run(command, capture_output=True, text=True)
    ended = recorded(command, done.returncode, done.stdout)
    return tool, tool.determine_result(ended), ended.output


class Verdicts(unittest.TestCase):
    def test_one_of_each(self):
        for name, prp, expected in (
            ("lost_update_fixed.c", "reach", result.RESULT_TRUE_PROP),
            ("lost_update.c", "reach", result.RESULT_FALSE_REACH),
            ("lost_update.c", "race", result.RESULT_FALSE_DATARACE),
            ("two_locks.c", "deadlock", result.RESULT_FALSE_DEADLOCK),
        ):
            self.assertEqual(run(name, prp)[1], expected, f"{name} {prp}")

    def test_unknown_with_its_reason(self):
        self.assertEqual(read("UNKNOWN  reach: out of time  (auto, 1.00 s)\n"), "unknown (out of time)")

    def test_no_verdict_is_an_error(self):
        self.assertTrue(read("something else\n").startswith(result.RESULT_ERROR))

    def test_figures(self):
        tool, _, output = run("lost_update_fixed.c", "reach", ["--engine", "explore", "--stats"])
        self.assertGreater(int(tool.get_value_from_output(output, "states")), 10)

    def test_version(self):
        self.assertRegex(mazurka.Tool().version(MAZURKA), r"^\d+\.\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
