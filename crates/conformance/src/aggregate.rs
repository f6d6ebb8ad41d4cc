//! Parts of records and arrays that are values of integer type.

use crate::expression::expression;
use crate::scope::{Record, Scope, pick};
use crate::types::integer;
use generator::Rng;

/// A part of something made on the spot, or something about addresses.
pub fn part(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    match rng.below(6) {
        0 => array_literal(rng, scope, depth),
        1 => record_literal(rng, scope, depth),
        2 => {
            let index = expression(rng, scope, depth);
            format!("\"mazurka\"[(unsigned)({index}) % 8u]")
        }
        3 => between(rng, scope, depth, "-"),
        4 => {
            let op = ["<", "<=", "==", "!=", ">"][rng.below(5)];
            between(rng, scope, depth, op)
        }
        _ => through_union(rng, scope, depth),
    }
}

fn array_literal(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    let length = rng.between(1, 4);
    let elements: Vec<String> = (0..length)
        .map(|_| expression(rng, scope, depth.min(1)))
        .collect();
    let index = expression(rng, scope, depth.min(1));
    let (ty, elements) = (integer(rng), elements.join(", "));
    format!("(({ty}[]){{{elements}}})[(unsigned)({index}) % {length}u]")
}

fn record_literal(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    let structs: Vec<Record> = scope
        .records
        .iter()
        .filter(|r| !r.is_union)
        .cloned()
        .collect();
    let Some(record) = pick(rng, &structs) else {
        return "0".to_owned();
    };
    let init = initializer(rng, scope, record, depth.min(1));
    let Some(member) = pick(rng, &record.members).cloned() else {
        return "0".to_owned();
    };
    member.of(&format!("({}){init}", record.name), "1")
}

/// Braces for a struct: in order or by name, with gaps.
pub fn initializer(rng: &mut Rng, scope: &Scope, record: &Record, depth: usize) -> String {
    let mut entries = Vec::new();
    for member in &record.members {
        let value = |rng: &mut Rng| expression(rng, scope, depth);
        let text = match member.length {
            Some(length) if rng.chance(50) => {
                let at = rng.below(length);
                format!("{{ [{at}] = {} }}", value(rng))
            }
            Some(_) => format!("{{ {} }}", value(rng)),
            None => value(rng),
        };
        if rng.chance(40) {
            entries.push(format!(".{} = {text}", member.name));
        } else if entries.len()
            == record
                .members
                .iter()
                .position(|m| m.name == member.name)
                .unwrap_or(0)
        {
            entries.push(text);
        }
    }
    if entries.is_empty() || record.is_union {
        entries.truncate(1);
    }
    match entries.is_empty() {
        true => "{ 0 }".to_owned(),
        false => format!("{{ {} }}", entries.join(", ")),
    }
}

/// Two places of one array, their distance or order.
fn between(rng: &mut Rng, scope: &Scope, depth: usize, op: &str) -> String {
    let Some((name, length)) = pick(rng, &scope.arrays).cloned() else {
        return "1".to_owned();
    };
    let (a, b) = (expression(rng, scope, depth), expression(rng, scope, depth));
    format!("(&{name}[(unsigned)({a}) % {length}u] {op} &{name}[(unsigned)({b}) % {length}u])")
}

/// Bytes of a number, as memory holds them.
fn through_union(rng: &mut Rng, scope: &Scope, depth: usize) -> String {
    let (value, index) = (expression(rng, scope, depth), expression(rng, scope, 0));
    let ty = ["short", "int", "long long", "unsigned"][rng.below(4)];
    let bytes = ["unsigned char", "signed char", "short"][rng.below(3)];
    format!(
        "((union {{ {ty} whole; {bytes} parts[8]; }}){{ .whole = {value} }}).parts\
         [(unsigned)({index}) % (sizeof({ty}) / sizeof({bytes}))]"
    )
}
