# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tells BenchExec how to run Mazurka and how to read its answers.

Put this folder on the Python path and name the module in a benchmark definition:

    <benchmark tool="mazurka" ...>

    PYTHONPATH=integrations/benchexec benchexec my-benchmark.xml
"""

import benchexec.result as result
import benchexec.tools.template

MODELS = {"ILP32": "ilp32", "LP64": "lp64"}


class Tool(benchexec.tools.template.BaseTool2):
    """Mazurka, a verifier for multi-threaded C."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("mazurka")

    def name(self):
        return "Mazurka"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="mazurka")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        model = (task.options or {}).get("data_model")
        if model and "--data-model" not in options:
            if model not in MODELS:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"unknown data model {model}"
                )
            command += ["--data-model", MODELS[model]]
        if rlimits.walltime and "--timeout" not in options:
            command += ["--timeout", str(rlimits.walltime)]
        if rlimits.memory and "--memory" not in options:
            # Some room is left, so that the tool itself says what it ran out of.
            command += ["--memory", str(int(rlimits.memory * 0.9) // 2**20)]
        return [*command, *task.input_files_or_identifier]

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        for line in run.output:
            if line.startswith("SAFE "):
                return result.RESULT_TRUE_PROP
            if line.startswith("UNSAFE "):
                return self._violation(line)
            if line.startswith("UNKNOWN "):
                return self._unknown(line)
        return f"{result.RESULT_ERROR} (no verdict)"

    @staticmethod
    def _violation(line):
        """The kind of a violation: the property is named, and memory errors by themselves."""
        for part, kind in (
            ("valid-deref", result.RESULT_FALSE_DEREF),
            ("valid-free", result.RESULT_FALSE_FREE),
            ("valid-memtrack", result.RESULT_FALSE_MEMTRACK),
            (" reach:", result.RESULT_FALSE_REACH),
            (" race:", result.RESULT_FALSE_DATARACE),
            (" deadlock:", result.RESULT_FALSE_DEADLOCK),
            (" overflow:", result.RESULT_FALSE_OVERFLOW),
            (" termination:", result.RESULT_FALSE_TERMINATION),
        ):
            if part in line:
                return kind
        return result.RESULT_FALSE_PROP

    @staticmethod
    def _unknown(line):
        """The reason goes along, without the time at its end."""
        reason = line.split(": ", 1)[-1].split("  (")[0].strip()
        return f"{result.RESULT_UNKNOWN} ({reason})" if reason else result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        """A figure that `--stats` prints, by its name."""
        for line in output:
            words = line.replace(",", "").split()
            if len(words) == 2 and words[0] == identifier:
                return words[1]
        return None
