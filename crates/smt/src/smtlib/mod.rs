//! Terms as SMT-LIB texts, for readers and for other solvers.
//!
//! Written from the terms, not by Z3, so that it is also a second opinion on the translation.
//! A float operator whose bits are needed gets a constant of its own and a side condition that
//! ties the two, because standard SMT-LIB cannot name the bits of a float.

mod operators;
mod printer;

pub(crate) use printer::{Printer, sort_text};

use expr::{ObjId, Term, Terms};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(crate) fn script(terms: &Terms, assertions: &[Term], bound: &BTreeMap<ObjId, u64>) -> String {
    let mut printer = Printer::new(terms, bound);
    let mut asserts = String::new();
    for &term in assertions {
        let text = printer.closed(&[term]);
        // Writing to a string cannot fail.
        let _ = writeln!(asserts, "(assert {text})");
    }
    let logic = match printer.uses_floats() {
        true => "QF_BVFP",
        false => "QF_BV",
    };
    let mut script = format!("(set-logic {logic})\n");
    for (name, sort) in printer.constants() {
        let _ = writeln!(script, "(declare-fun {name} () {sort})");
    }
    script + &asserts + "(check-sat)\n"
}
