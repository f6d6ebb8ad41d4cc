//! The model on the same calls.

use super::native::PRELUDE;
use super::{Call, Case};
use crate::judge::{TIMEOUT, TOGETHER, explored};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;
use verdict::Environment;
use xcfa::DataModel;

/// A call on which the model and the library differ.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What was expected of the program.
    pub expected: &'static str,
    /// What was said.
    pub said: String,
    /// The program.
    pub program: String,
}

/// Compares the models of calls with what the calls gave natively, and gives those that differ.
///
/// Most calls agree, and a program that makes many of them costs no more than one that makes few. Only if
/// such a program is not as expected, its calls are asked about one by one.
pub fn disagreements<'a>(calls: &'a [Call], cases: &[Vec<Case>]) -> Vec<(&'a Call, Disagreement)> {
    let all = calls.iter().zip(cases);
    let (exact, open): (Vec<_>, Vec<_>) = all.partition(|(call, _)| call.exact);
    let mut found = Vec::new();
    for group in exact.chunks(CALLS).chain(open.chunks(CALLS)) {
        let exact = group[0].0.exact;
        let cases: Vec<&Case> = group.iter().flat_map(|(_, cases)| cases.iter()).collect();
        if agree(exact, &cases, TOGETHER).is_ok() {
            continue;
        }
        found.extend(group.iter().filter_map(|(call, cases)| {
            let alone = match exact {
                true => agree(exact, &cases.iter().collect::<Vec<_>>(), TIMEOUT),
                false => cases
                    .iter()
                    .try_for_each(|case| agree(exact, &[case], TIMEOUT)),
            };
            Some((*call, *alone.err()?))
        }));
    }
    found
}

/// How many calls one program makes.
const CALLS: usize = 8;

/// Does the model of some cases, one after the other, what they did natively?
fn agree(exact: bool, cases: &[&Case], limit: Duration) -> Result<(), Box<Disagreement>> {
    match exact {
        true => {
            let typical = Environment::Typical;
            expect("safe", &program(cases, Test::Equal), typical, limit)?;
            // The last value is reached, so every call has come back.
            expect("unsafe", &program(cases, Test::LastDiffers), typical, limit)
        }
        // What the system did natively need not be what it usually does.
        false => {
            let arbitrary = Environment::Arbitrary;
            expect("unsafe", &program(cases, Test::Possible), arbitrary, limit)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    /// An error if any value differs.
    Equal,
    /// The same, with another last value.
    LastDiffers,
    /// An error at the end, if no value differs.
    Possible,
}

fn program(cases: &[&Case], test: Test) -> String {
    let mut text = format!("{PRELUDE}\nvoid reach_error(void);\nvoid __VERIFIER_assume(int);\n");
    let mut calls = String::new();
    for (number, case) in cases.iter().enumerate() {
        text += &format!("static void case{number}(void)\n{{\n    {}\n", case.code);
        let is_last_case = number + 1 == cases.len();
        for (at, (see, &value)) in case.sees.iter().zip(&case.values).enumerate() {
            let is_last = is_last_case && at + 1 == case.sees.len();
            let changed = is_last && test == Test::LastDiffers;
            let bits = if changed { !value } else { value } as u64;
            let same = format!("(long long)({see}) == (long long)0x{bits:x}ull");
            text += &match test {
                Test::Possible => format!("    __VERIFIER_assume({same});\n"),
                Test::Equal | Test::LastDiffers => format!("    if (!({same})) reach_error();\n"),
            };
        }
        text += "}\n";
        calls += &format!("    case{number}();\n");
    }
    if test == Test::Possible {
        calls += "    reach_error();\n";
    }
    text + "int main(void)\n{\n" + &calls + "    return 0;\n}\n"
}

fn expect(
    expected: &'static str,
    program: &str,
    environment: Environment,
    limit: Duration,
) -> Result<(), Box<Disagreement>> {
    let said = preprocessed(program)
        .and_then(|text| explored(text, DataModel::Lp64, true, environment, limit))
        .map_or_else(
            |error| error,
            |explored| match &explored.answer.verdict {
                // What the model leaves open beyond the library is reached as well.
                _ if explored.needs_more => "unsafe".to_owned(),
                verdict::Verdict::Unknown(reason) => format!("unknown: {reason}"),
                verdict => verdict.name().to_owned(),
            },
        );
    match said == expected {
        true => Ok(()),
        false => Err(Box::new(Disagreement {
            expected,
            said,
            program: program.to_owned(),
        })),
    }
}

pub(super) fn preprocessed(text: &str) -> Result<String, String> {
    let mut cc = Command::new("cc")
        .args(["-E", "-std=gnu11", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run cc: {error}"))?;
    if let Some(mut input) = cc.stdin.take() {
        input
            .write_all(text.as_bytes())
            .map_err(|error| error.to_string())?;
    }
    let output = cc.wait_with_output().map_err(|error| error.to_string())?;
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}
