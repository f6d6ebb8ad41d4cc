//! What is added to the program's text: how to build it, the schedule, and the runtime.

use crate::schedule::Plan;
use semantics::{Property, Trace, Violation};
use xcfa::{SourceFile, Sources};

const RUNTIME: &str = include_str!("runtime.c");
const MACROS: &str = include_str!("macros.c");

/// What a native run does when it has followed the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// The process is aborted by a failed assertion, or ends where an error function is called.
    Aborts,
    /// ThreadSanitizer reports a race.
    Races,
    /// It never ends.
    Hangs,
    /// UndefinedBehaviorSanitizer reports an overflow.
    Overflows,
    /// The call is made that must not be: the C library does not tell.
    Misuses,
    /// AddressSanitizer (or LeakSanitizer) reports the access.
    MemoryError,
}

impl Expectation {
    /// What a violation looks like natively.
    pub fn of(violation: Violation) -> Expectation {
        match violation.property() {
            Property::Reach => Expectation::Aborts,
            Property::Race => Expectation::Races,
            Property::Deadlock | Property::Termination => Expectation::Hangs,
            Property::Overflow => Expectation::Overflows,
            Property::Usage => Expectation::Misuses,
            Property::MemSafety(_) => Expectation::MemoryError,
            Property::Robust => unreachable!("an execution graph is no schedule"),
        }
    }

    /// More options for the compiler.
    pub fn compiler_options(self) -> &'static [&'static str] {
        match self {
            Expectation::Aborts | Expectation::Hangs | Expectation::Misuses => &[],
            Expectation::Races => &["-g", "-fsanitize=thread"],
            Expectation::Overflows => &[
                "-fsanitize=signed-integer-overflow",
                "-fno-sanitize-recover=all",
            ],
            Expectation::MemoryError => &["-g", "-fsanitize=address"],
        }
    }

    fn description(self) -> &'static str {
        match self {
            Expectation::Aborts => "the assertion fails",
            Expectation::Races => "ThreadSanitizer reports the race",
            Expectation::Hangs => "nothing moves any more, or goes on for ever",
            Expectation::Overflows => "the overflow is reported",
            Expectation::Misuses => "the call is made that must not be",
            Expectation::MemoryError => "the invalid access is reported",
        }
    }
}

/// A whole file. The first one of a program holds the runtime and what the program leaves to tools.
pub fn unit(
    first: Option<&[String]>,
    plan: &Plan,
    trace: &Trace,
    sources: &Sources,
    file: &SourceFile,
    body: &str,
) -> String {
    let expectation = Expectation::of(trace.violation);
    let mut out = heading(expectation, trace, &file.name);
    if let Some(missing) = first {
        out += &tables(plan, sources, expectation);
        out += RUNTIME;
        out += &for_verifiers(missing);
    }
    out += MACROS;
    if !body.starts_with('#') {
        out += &format!("#line 1 \"{}\"\n", quoted(&file.name));
    }
    out + body
}

/// Functions that programs made for verifiers declare and leave to the tool. They have other names
/// in C, so that no declaration of the program can disagree.
fn for_verifiers(missing: &[String]) -> String {
    let mut out = String::new();
    for name in missing {
        let (signature, body) = match name.as_str() {
            "reach_error" | "__VERIFIER_error" => ("(void)", "mz_reached(); __builtin_trap();"),
            "__VERIFIER_assume" => ("(int holds)", "if (!holds) mz_c_exit(3);"),
            _ => continue,
        };
        let stem = name.trim_start_matches('_');
        out += &format!(
            "void mz_{stem}{signature} __asm__(\"{name}\");\nvoid mz_{stem}{signature} {{ {body} }}\n"
        );
    }
    out
}

fn heading(expectation: Expectation, trace: &Trace, name: &str) -> String {
    let options: String = expectation
        .compiler_options()
        .iter()
        .map(|option| format!("{option} "))
        .collect();
    format!(
        "/* {} with a schedule: {}.\n *\n *   gcc -w -pthread {options}FILE.c -o repro && ./repro\n *\n \
         * The threads follow the schedule, and then {}. */\n",
        comment(name),
        comment(&trace.violation.to_string()),
        expectation.description()
    )
}

fn tables(plan: &Plan, sources: &Sources, expectation: Expectation) -> String {
    let fails = plan.fails.map_or(-1, i64::from);
    let again = plan.again.map_or(-1, |at| at as i64);
    let mut out = format!(
        "enum {{ MZ_STEPS = {}, MZ_THREADS = {}, MZ_FAILS = {fails}, MZ_LOOP = {again}, MZ_INPUTS = {} }};\n\
         #define MZ_EXPECTED \"{}\"\n",
        plan.turns.len(),
        plan.ends.len(),
        plan.inputs.len(),
        expectation.description()
    );
    out +=
        "static const struct { int thread, point, starts; const char *place; } mz_schedule[] = {\n";
    for turn in &plan.turns {
        let place = sources.place(turn.place);
        let place = quoted(&format!("{}:{}", place.file, place.line));
        out += &format!(
            "    {{{}, {}, {}, \"{place}\"}},\n",
            turn.thread, turn.point, turn.starts
        );
    }
    out += "    {-2, 0, -1, \"its end\"},\n};\nstatic struct { int thread, point; unsigned long long value; } mz_inputs[] = {\n";
    for input in &plan.inputs {
        out += &format!(
            "    {{{}, {}, {}ull}},\n",
            input.thread, input.point, input.value
        );
    }
    let ends: Vec<&str> = plan
        .ends
        .iter()
        .map(|&ends| if ends { "1" } else { "0" })
        .collect();
    out + &format!(
        "    {{-2, 0, 0}},\n}};\nstatic const int mz_ends[] = {{{}}};\n\n",
        ends.join(", ")
    )
}

/// Text that cannot end a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /")
}

/// Text for a string literal.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
