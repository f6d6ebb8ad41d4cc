//! Random statements. Every loop ends: what counts its rounds is changed by nothing else.

use crate::declare::variable;
use crate::expression::{expression, own_place};
use crate::scope::{Scope, pick};
use generator::Rng;

/// Where a statement is.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// Is there a loop to leave?
    pub in_loop: bool,
    /// Is there a label at the end of the function?
    pub label: bool,
}

/// Some statements, at most so deeply nested; what they declare is theirs.
pub fn block(rng: &mut Rng, scope: &Scope, depth: usize, around: Around) -> String {
    let mut inner = scope.clone();
    let mut text = String::from("{\n");
    for _ in 0..rng.below(3) {
        text += &variable(rng, &mut inner, false);
    }
    for _ in 0..rng.between(1, 4) {
        text += &statement(rng, &mut inner, depth, around);
    }
    text + "}\n"
}

fn statement(rng: &mut Rng, scope: &mut Scope, depth: usize, around: Around) -> String {
    if depth == 0 || rng.chance(40) {
        return assignment(rng, scope);
    }
    let value = expression(rng, scope, 2);
    match rng.below(12) {
        0..=2 => {
            let then = block(rng, scope, depth - 1, around);
            match rng.chance(50) {
                true => {
                    let other = block(rng, scope, depth - 1, around);
                    format!("if ({value}) {then} else {other}")
                }
                false => format!("if ({value}) {then}"),
            }
        }
        3..=6 => repeated(rng, scope, depth, around, &value),
        7..=8 => switch(rng, scope, depth, around, &value),
        9 if around.in_loop => {
            let word = ["break", "continue"][rng.below(2)];
            format!("if ({value}) {word};\n")
        }
        10 if around.label => format!("if ({value}) goto end;\n"),
        _ => block(rng, scope, depth - 1, around),
    }
}

fn assignment(rng: &mut Rng, scope: &Scope) -> String {
    if rng.chance(8)
        && let Some((a, at)) = pick(rng, &scope.objects[scope.own[2]..]).cloned()
    {
        let same: Vec<&String> = scope
            .objects
            .iter()
            .filter(|(_, record)| *record == at)
            .map(|(name, _)| name)
            .collect();
        let b = same[rng.below(same.len())];
        return format!("{a} = {b};\n");
    }
    let Some(place) = own_place(rng, scope, 1) else {
        return ";\n".to_owned();
    };
    let value = expression(rng, scope, 3);
    match rng.below(10) {
        0..=4 => format!("{place} = {value};\n"),
        5..=6 => {
            let op = ["+", "-", "*", "&", "|", "^"][rng.below(6)];
            format!("{place} {op}= {value};\n")
        }
        7 => {
            // The left side may be as narrow as a bit-field; it is promoted first.
            let op = ["<<", ">>"][rng.below(2)];
            format!("{place} {op}= ({value}) & 7;\n")
        }
        8 => {
            let op = ["/", "%"][rng.below(2)];
            format!("{place} {op}= (({value}) & 63) + 1;\n")
        }
        _ => match rng.below(4) {
            0 => format!("{place}++;\n"),
            1 => format!("--{place};\n"),
            2 => format!("++{place};\n"),
            _ => format!("{place}--;\n"),
        },
    }
}

/// A loop of one of the three kinds, a few rounds at most.
fn repeated(rng: &mut Rng, scope: &mut Scope, depth: usize, around: Around, value: &str) -> String {
    let counter = scope.name("i");
    let mut inner = scope.clone();
    inner.fixed.push(counter.clone());
    let around = Around {
        in_loop: true,
        ..around
    };
    let body = block(rng, &inner, depth - 1, around);
    scope.fresh += 100;
    let rounds = rng.between(1, 4);
    match rng.below(4) {
        0..=1 => format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {body}"),
        2 => format!("{{ unsigned {counter} = {rounds}; while ({counter}-- > 0) {body} }}\n"),
        _ => format!(
            "{{ short {counter} = {rounds}; do {body} while (--{counter} > 0 && ({value})); }}\n"
        ),
    }
}

/// A switch with cases in any order, some of which fall through.
fn switch(rng: &mut Rng, scope: &Scope, depth: usize, around: Around, value: &str) -> String {
    let count = rng.between(1, 4);
    let default = rng.below(count + 1);
    let mut text = format!("switch (({value}) & 7) {{\n");
    for at in 0..count {
        if at == default {
            text += "default:\n";
        }
        // Cases are disjoint: two numbers each.
        text += &match rng.below(3) {
            0 => format!("case {} ... {}:\n", 2 * at, 2 * at + 1),
            1 => format!("case {}: case {}:\n", 2 * at + 1, 2 * at),
            _ => format!("case {}:\n", 2 * at),
        };
        text += &block(rng, scope, depth - 1, around);
        if rng.chance(60) {
            text += "break;\n";
        }
    }
    text + "}\n"
}
