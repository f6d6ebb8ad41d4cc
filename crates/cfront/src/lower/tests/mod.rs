//! C to automata, construct by construct, as golden dumps.

mod atomics;
mod calls;
mod corpus;
mod expressions;
mod library;
mod linking;
mod memory;
mod overflow;
mod refused;
mod statements;
mod threads;
mod variadic;

use super::{LowerOptions, Text, compile};
use expect_test::Expect;
use xcfa::{DataModel, SourceFile, Xcfa};

/// Lowers one file for LP64.
fn lowered(text: &str, options: &LowerOptions) -> Result<Xcfa, String> {
    let file = SourceFile::new("test.c", text);
    compile(&Text::new(vec![file], DataModel::Lp64), options).map_err(|failure| {
        format!(
            "{}: {}",
            failure.sources.place(failure.error.span),
            failure.error
        )
    })
}

/// The dump without the procedure that starts `main`, or the refusal.
fn dump(text: &str, options: &LowerOptions) -> String {
    match lowered(text, options) {
        Ok(xcfa) => {
            let dump = xcfa.dump();
            let parts: Vec<&str> = dump
                .split("\n\n")
                .filter(|part| !part.starts_with("proc start main"))
                .map(|part| part.trim_end())
                .filter(|part| *part != "thread_local self: bv64")
                .collect();
            let text = parts.join("\n\n").replace("thread_local self: bv64\n", "");
            let assumptions: String = xcfa
                .assumptions
                .iter()
                .map(|line| format!("\nassumed: {line}"))
                .collect();
            format!("{text}{assumptions}\n")
        }
        Err(message) => format!("{message}\n"),
    }
}

/// Lowers a program and compares the dump.
fn check(text: &str, expect: Expect) {
    expect.assert_eq(&dump(text, &LowerOptions::default()));
}

/// The same with `overflow` reported.
fn check_overflow(text: &str, expect: Expect) {
    let options = LowerOptions {
        overflow_checks: true,
        ..LowerOptions::default()
    };
    expect.assert_eq(&dump(text, &options));
}
