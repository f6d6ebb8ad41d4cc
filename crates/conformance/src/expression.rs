//! Random expressions of integer type.

use crate::aggregate;
use crate::scope::{Scope, pick};
use crate::types::{constant, integer};
use generator::Rng;

/// An expression without side effects, so deep at most.
pub fn expression(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    if depth == 0 || rng.chance(12) {
        return leaf(rng, scope);
    }
    let sub = |rng: &mut Rng| expression(rng, scope, depth - 1);
    match rng.below(30) {
        0..=2 => format!("({}({}))", ["-", "~", "!", "+"][rng.below(4)], sub(rng)),
        3..=9 => {
            let op = ["+", "-", "*", "&", "|", "^"][rng.below(6)];
            format!("({} {op} {})", sub(rng), sub(rng))
        }
        10..=12 => {
            let op = ["==", "!=", "<", "<=", ">", ">="][rng.below(6)];
            format!("({} {op} {})", sub(rng), sub(rng))
        }
        13..=14 => {
            let op = ["&&", "||"][rng.below(2)];
            format!("({} {op} {})", sub(rng), sub(rng))
        }
        15..=16 => shift(rng, scope, depth),
        17..=18 => division(rng, scope, depth),
        19..=21 => format!("(({})({}))", integer(rng), sub(rng)),
        22..=23 => format!("({} ? {} : {})", sub(rng), sub(rng), sub(rng)),
        24 => format!("({}, {})", sub(rng), sub(rng)),
        25 => size(rng, scope, depth),
        26 => kind_of(&sub(rng)),
        27 => call(rng, scope, depth),
        28 => format!(
            "({{ {} t = {}; t {} {}; }})",
            integer(rng),
            sub(rng),
            ["+", "-", "^", "<", "=="][rng.below(5)],
            sub(rng)
        ),
        _ => aggregate::part(rng, scope, depth - 1),
    }
}

fn leaf(rng: &mut Rng, scope: &Scope) -> String {
    if rng.chance(35) {
        return constant(rng);
    }
    if rng.chance(5)
        && let Some(name) = pick(rng, &scope.enumerators)
    {
        return name.clone();
    }
    if rng.chance(10)
        && let Some(name) = pick(rng, &scope.fixed)
    {
        return name.clone();
    }
    place(rng, scope, 0).unwrap_or_else(|| constant(rng))
}

/// Something of integer type that can be assigned to.
fn place(rng: &mut Rng, scope: &Scope, depth: usize) -> Option<String> {
    place_among(rng, scope, depth, [0; 4])
}

/// A place that belongs to the function: what a function changes besides would make the value of
/// an expression depend on the order of its calls.
pub fn own_place(rng: &mut Rng, scope: &Scope, depth: usize) -> Option<String> {
    place_among(rng, scope, depth, scope.own)
}

/// A place among the names from these numbers on: scalars, arrays, objects, pointers.
fn place_among(rng: &mut Rng, scope: &Scope, depth: usize, from: [usize; 4]) -> Option<String> {
    let index = |rng: &mut Rng| match depth {
        0 => format!("{}", rng.below(8)),
        _ => expression(rng, scope, depth - 1),
    };
    match rng.below(8) {
        0..=3 => pick(rng, &scope.scalars[from[0]..]).cloned(),
        4 => {
            let (name, length) = pick(rng, &scope.arrays[from[1]..])?.clone();
            Some(format!("{name}[(unsigned)({}) % {length}u]", index(rng)))
        }
        5..=6 => {
            let (name, record) = pick(rng, &scope.objects[from[2]..])?.clone();
            let member = pick(rng, &scope.records[record].members)?.clone();
            Some(member.of(&name, &index(rng)))
        }
        _ => {
            let (name, length) = pick(rng, &scope.pointers[from[3]..])?.clone();
            match rng.below(2) {
                0 => Some(format!(
                    "(*({name} + (unsigned)({}) % {length}u))",
                    index(rng)
                )),
                _ => Some(format!("{name}[(unsigned)({}) % {length}u]", index(rng))),
            }
        }
    }
}

/// Amounts are kept below the width of the left side.
fn shift(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    let left = expression(rng, scope, depth - 1);
    let amount = expression(rng, scope, depth - 1);
    let op = ["<<", ">>"][rng.below(2)];
    match rng.below(3) {
        0 => format!("((long long)({left}) {op} (({amount}) & 63))"),
        1 => format!("((unsigned long long)({left}) {op} (({amount}) & 63))"),
        _ => format!("(({left}) {op} (({amount}) & 31))"),
    }
}

/// Divisors are never 0 or -1.
fn division(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    let left = expression(rng, scope, depth - 1);
    let right = expression(rng, scope, depth - 1);
    let op = ["/", "%"][rng.below(2)];
    match rng.below(3) {
        0 => format!("(({left}) {op} -((({right}) & 15) + 2))"),
        _ => format!("(({left}) {op} ((({right}) & 1023) + 1))"),
    }
}

fn size(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    match (rng.below(5), pick(rng, &scope.records).cloned()) {
        (0, Some(record)) => format!("sizeof({})", record.name),
        (1, Some(record)) => format!("_Alignof({})", record.name),
        (2, Some(record)) => match record.members.iter().find(|m| m.bits.is_none()) {
            Some(member) => format!("__builtin_offsetof({}, {})", record.name, member.name),
            None => format!("sizeof({})", record.name),
        },
        (3, _) => format!("sizeof({})", integer(rng)),
        _ => format!("sizeof(+({}))", expression(rng, scope, depth - 1)),
    }
}

/// Which type a promoted expression has: conversions are as good as their types.
fn kind_of(expression: &str) -> String {
    format!(
        "_Generic(+({expression}), int: 1, unsigned: 2, long: 3, unsigned long: 4, \
         long long: 5, unsigned long long: 6)"
    )
}

fn call(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    let Some(function) = pick(rng, &scope.functions).cloned() else {
        return constant(rng);
    };
    let args: Vec<String> = (0..function.params)
        .map(|_| expression(rng, scope, depth.saturating_sub(2)))
        .collect();
    format!("{}({})", function.name, args.join(", "))
}
