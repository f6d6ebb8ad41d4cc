//! Random declarations.

use crate::aggregate::initializer;
use crate::expression::expression;
use crate::scope::{Member, Record, Scope};
use crate::types::{constant, integer};
use generator::Rng;

/// A struct or union; it joins the scope.
pub fn record(rng: &mut Rng, scope: &mut Scope) -> String {
    let is_union = rng.chance(25);
    let word = if is_union { "union" } else { "struct" };
    let name = format!("{word} {}", scope.name("r"));
    let mut members: Vec<Member> = (0..rng.between(1, 5)).map(|at| member(rng, at)).collect();
    // A byte that is neither 0 nor 1 is no `_Bool`, and a union could hold one.
    let odd = |member: &&mut Member| is_union && member.bits.is_none() && member.ty == "_Bool";
    members
        .iter_mut()
        .filter(odd)
        .for_each(|member| member.ty = "char");
    let mut text = format!("{name} {{");
    for member in &members {
        text += &format!(" {} {}", member.ty, member.name);
        match (member.bits, member.length) {
            (Some(bits), _) => text += &format!(" : {bits}"),
            (None, Some(length)) => text += &format!("[{length}]"),
            (None, None) => {}
        }
        text += ";";
        // A field without a name or width ends the word.
        if member.bits.is_some() && rng.chance(15) {
            text += [" int : 0;", " unsigned : 3;"][rng.below(2)];
        }
    }
    let has_bits = members.iter().any(|member| member.bits.is_some());
    scope.records.push(Record {
        name,
        members,
        is_union,
    });
    let packed = if !has_bits && rng.chance(15) {
        " __attribute__((packed))"
    } else {
        ""
    };
    text + " }" + packed + ";\n"
}

fn member(rng: &mut Rng, at: usize) -> Member {
    let name = format!("m{at}");
    if rng.chance(35) {
        let (ty, width) = [
            ("int", 31),
            ("unsigned", 32),
            ("signed char", 8),
            ("unsigned char", 8),
            ("short", 16),
            ("unsigned short", 16),
            ("_Bool", 1),
            ("long long", 32),
            ("unsigned long long", 32),
        ][rng.below(9)];
        let bits = Some(rng.between(1, width));
        return Member {
            name,
            ty,
            bits,
            length: None,
        };
    }
    let length = rng.chance(20).then(|| rng.between(1, 4));
    Member {
        name,
        ty: integer(rng),
        bits: None,
        length,
    }
}

/// An enumeration; its constants join the scope.
pub fn enumeration(rng: &mut Rng, scope: &mut Scope) -> String {
    let name = scope.name("E");
    let mut parts = Vec::new();
    for at in 0..rng.between(1, 4) {
        let constant = format!("{name}_{at}");
        parts.push(match rng.below(3) {
            0 => format!("{constant} = {}", rng.below(1000) as i64 - 500),
            _ => constant.clone(),
        });
        scope.enumerators.push(constant);
    }
    format!("enum {name} {{ {} }};\n", parts.join(", "))
}

/// A variable of any kind, with its initialiser; it joins the scope. Globals take constants only.
pub fn variable(rng: &mut Rng, scope: &mut Scope, global: bool) -> String {
    let value = |rng: &mut Rng, scope: &Scope| match global {
        true => constant(rng),
        false => expression(rng, scope, 2),
    };
    match rng.below(10) {
        0..=4 => {
            let (ty, init) = (integer(rng), value(rng, scope));
            let name = scope.name("v");
            scope.scalars.push(name.clone());
            format!("{ty} {name} = {init};\n")
        }
        5..=6 => {
            let length = rng.between(1, 6);
            let given = rng.between(1, length);
            let init: Vec<String> = (0..given).map(|_| value(rng, scope)).collect();
            let (ty, name) = (integer(rng), scope.name("a"));
            scope.arrays.push((name.clone(), length));
            match rng.chance(25) {
                true => {
                    let last = length - 1;
                    format!("{ty} {name}[] = {{ [{last}] = {} }};\n", init[0])
                }
                false => format!("{ty} {name}[{length}] = {{ {} }};\n", init.join(", ")),
            }
        }
        7..=8 if !scope.records.is_empty() => {
            let at = rng.below(scope.records.len());
            let record = scope.records[at].clone();
            // Bytes of a union that its first member does not cover are arbitrary in a local.
            if record.is_union && !global {
                return variable(rng, scope, global);
            }
            let empty = Scope::default();
            let seen = if global { &empty } else { &*scope };
            let init = initializer(rng, seen, &record, usize::from(!global));
            let name = scope.name("o");
            scope.objects.push((name.clone(), at));
            format!("{} {name} = {init};\n", record.name)
        }
        _ => {
            let (ty, array, name) = (integer(rng), scope.name("a"), scope.name("p"));
            let init = value(rng, scope);
            scope.pointers.push((name.clone(), 3));
            format!("{ty} {array}[4] = {{ {init}, 1, 2 }};\n{ty} *{name} = &{array}[1];\n")
        }
    }
}
