//! Every function of the headers has a row, and every row is reached.

use super::{HEADERS, Header, Meaning, function, meaning};
use crate::parse_program;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use xcfa::{DataModel, SourceFile};

/// Headers of which nothing may be harmless by default.
const COMPLETE: &[&str] = &[
    "pthread.h",
    "stdatomic.h",
    "threads.h",
    "semaphore.h",
    "string.h",
    "stdlib.h",
    "stdio.h",
    "unistd.h",
    "time.h",
    "signal.h",
    "ctype.h",
    "sched.h",
    "err.h",
    "setjmp.h",
];

/// The functions that a header declares, with all extensions.
fn declared(header: &str) -> Vec<String> {
    let mut cc = Command::new("cc")
        .args(["-E", "-std=gnu11", "-D_GNU_SOURCE", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cc is there");
    let text = format!("#include <{header}>\n");
    let mut input = cc.stdin.take().expect("a pipe");
    input.write_all(text.as_bytes()).expect("cc reads");
    drop(input);
    let output = cc.wait_with_output().expect("cc ends");
    assert!(output.status.success(), "<{header}> is not there");
    let text = String::from_utf8(output.stdout).expect("text");
    let file = SourceFile::new("header.i", text);
    let program = parse_program(vec![file], DataModel::Lp64).expect("headers are C");
    let functions = program.functions.into_iter();
    let open = functions.filter(|function| function.body.is_none() && function.system);
    open.map(|function| function.name).collect()
}

#[test]
fn every_function_of_the_headers_has_a_row() {
    let mut missing = BTreeSet::new();
    for header in COMPLETE {
        let names = declared(header);
        assert!(!names.is_empty(), "<{header}> declares nothing");
        missing.extend(names.into_iter().filter(|name| function(name).is_none()));
    }
    assert!(missing.is_empty(), "no row for {missing:?}");
}

#[test]
fn one_row_for_each_function() {
    let mut seen = BTreeSet::new();
    for header in HEADERS {
        for row in header.functions() {
            assert!(seen.insert(row.name), "two rows for `{}`", row.name);
        }
    }
}

#[test]
fn what_is_said_to_be_in_c_is_there() {
    for row in HEADERS.iter().flat_map(Header::functions) {
        if let Meaning::InC(unit) = row.meaning {
            assert!(
                crate::lower::library_defines(unit, row.name),
                "{unit} has no `{}`",
                row.name
            );
        }
    }
}

#[test]
fn names_with_prefixes_and_suffixes() {
    assert_eq!(meaning("__builtin_printf"), meaning("printf"));
    assert_eq!(meaning("__isoc99_sscanf"), meaning("sscanf"));
    assert_eq!(meaning("sqrtf"), meaning("sqrt"));
    assert_eq!(meaning("remquol"), meaning("remquo"));
    assert_eq!(meaning("fabsl"), None);
    assert_eq!(meaning("my_function"), None);
}
