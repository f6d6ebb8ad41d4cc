//! What a program with one execution prints when it is compiled and run.
//!
//! Such a program calls `check` with values and `input(k)` for an input that is `k`. Compiled, it is
//! linked with `tell.c`, which writes the values. For the engines `check` compares them: the program
//! is then safe, and with the last value denied it is unsafe. A disagreement counts only if the
//! program does the same when it is optimised, when uninitialised memory holds something else, and
//! under the sanitizers: otherwise it is undefined or unspecified somewhere.

use crate::compile::{Build, Built};
use std::fmt::Write;

/// How programs are built, the first for the values and the others to confirm them.
const BUILDS: [&[&str]; 4] = [
    &["-O0", "-fwrapv"],
    &[
        "-O2",
        "-fwrapv",
        "-fno-strict-aliasing",
        "-ftrivial-auto-var-init=pattern",
    ],
    &[
        "-O0",
        "-fwrapv",
        "-ftrivial-auto-var-init=zero",
        "-fno-builtin",
    ],
    &[
        "-O0",
        "-fsanitize=address,undefined",
        "-fno-sanitize=signed-integer-overflow",
        "-fno-sanitize-recover=all",
    ],
];

/// What comes of compiling a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Learnt {
    /// The values, in the order of their checks.
    Values(Vec<i64>),
    /// The linker finds a name defined twice.
    DefinedTwice,
    /// Nothing: it is not C, or it crashes.
    Nothing,
}

/// What a compiled run tells.
pub fn learn(files: &[String]) -> Learnt {
    values_of_build(files, BUILDS[0])
}

/// Do all builds tell the same?
pub fn confirm(files: &[String], learnt: &Learnt) -> bool {
    BUILDS[1..]
        .iter()
        .all(|flags| values_of_build(files, flags) == *learnt)
}

fn values_of_build(files: &[String], flags: &[&str]) -> Learnt {
    match Build::new(flags).of(files) {
        Some(Built::Program(program)) => {
            let Some(run) = program.run(0) else {
                return Learnt::Nothing;
            };
            match run.crashed {
                false => Learnt::Values(values(&run.stdout)),
                true => Learnt::Nothing,
            }
        }
        Some(Built::Refused(said)) if said.contains("multiple definition of") => {
            Learnt::DefinedTwice
        }
        _ => Learnt::Nothing,
    }
}

/// The text between the marks that `tell.c` writes.
fn values(stdout: &str) -> Vec<i64> {
    let marked = stdout.split('\u{1}').skip(1);
    let numbers = marked.filter_map(|part| part.split('\u{2}').next()?.parse().ok());
    numbers.collect()
}

/// The program with checks that compare with these values; the last one is denied perhaps.
pub fn with_values(files: &[String], values: &[i64], deny: bool) -> Vec<String> {
    let mut list = String::new();
    for (at, value) in values.iter().enumerate() {
        let denied = deny && at + 1 == values.len();
        let value = value.wrapping_add(i64::from(denied));
        let _ = write!(list, "(long long)0x{value:x}ull, ");
    }
    let count = values.len();
    let harness = format!(
        "static const long long values[{count} + 1] = {{{list}0}};\nstatic int checked;\n\
         void check(long long is)\n{{\n    if (checked >= {count} || is != values[checked++]) reach_error();\n}}\n\
         int input(int value)\n{{\n    int v = value + __VERIFIER_nondet_bool();\n    __VERIFIER_assume(v == value);\n    return v;\n}}\n"
    );
    let mut files = files.to_vec();
    if let Some(first) = files.first_mut() {
        *first += &harness;
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECLARED: &str = "extern void check(long long); extern int input(int);";

    fn learnt(files: &[&str]) -> Learnt {
        let files: Vec<String> = files
            .iter()
            .map(|text| format!("{DECLARED}\n{text}\n"))
            .collect();
        let learnt = learn(&files);
        match confirm(&files, &learnt) {
            true => learnt,
            false => Learnt::Nothing,
        }
    }

    #[test]
    fn values_are_learnt_if_they_are_fixed() {
        let hello = "int puts(const char *); int main(void) { check(input(3)); puts(\"x\"); check(-1); return 0; }";
        assert_eq!(learnt(&[hello]), Learnt::Values(vec![3, -1]));
        let twice = "int f(void) { return 1; }";
        assert_eq!(learnt(&[twice, twice, hello]), Learnt::DefinedTwice);
        let unset = "int main(void) { int v; check(v); return 0; }";
        assert_eq!(learnt(&[unset]), Learnt::Nothing);
        let outside = "int n = 2, a[2]; int main(void) { a[n] = 1; check(1); return 0; }";
        assert_eq!(learnt(&[outside]), Learnt::Nothing);
        assert_eq!(
            learnt(&["int main(void) { return *(int *)0; }"]),
            Learnt::Nothing
        );
    }

    #[test]
    fn the_last_value_is_denied() {
        let files = with_values(&["int x;\n".to_owned()], &[1, 2], true);
        assert!(
            files[0].contains("0x1ull, (long long)0x3ull, 0}"),
            "{}",
            files[0]
        );
    }
}
