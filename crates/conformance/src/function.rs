//! Random functions: their value depends on everything that happened in them.

use crate::declare::variable;
use crate::expression::expression;
use crate::scope::{Callable, Record, Scope};
use crate::statement::{Around, block};
use crate::types::integer;
use generator::Rng;

/// This many functions are called by others.
const CALLED: usize = 2;

/// A function; it joins the scope of what comes after it.
pub fn function(rng: &mut Rng, scope: &mut Scope) -> String {
    let name = scope.name("f");
    let params = rng.below(4);
    let text = match rng.below(8) {
        0 => recursive(rng, scope, &name),
        1 if scope.records.iter().any(|r| !r.is_union) => by_value(rng, scope, &name),
        _ => return general(rng, scope, name, params),
    };
    scope.functions.push(Callable { name, params: 1 });
    text
}

fn general(rng: &mut Rng, scope: &mut Scope, name: String, params: usize) -> String {
    let mut inner = scope.clone();
    inner.begin_function();
    // Calls are inlined: a few functions are called by others, and call none themselves.
    let called = if scope.functions.len() < CALLED {
        0
    } else {
        CALLED
    };
    inner.functions.truncate(called);
    let mut list = Vec::new();
    for _ in 0..params {
        let param = inner.name("x");
        list.push(format!("{} {param}", integer(rng)));
        inner.scalars.push(param);
    }
    let list = match list.is_empty() {
        true => "void".to_owned(),
        false => list.join(", "),
    };
    let mut text = format!("{} {name}({list}) {{\n", integer(rng));
    let remembers = rng.chance(20);
    if remembers {
        let kept = inner.name("k");
        text += &format!("static {} {kept} = 3;\n{kept} += 7;\n", integer(rng));
        inner.scalars.push(kept);
    }
    for _ in 0..rng.between(1, 4) {
        text += &variable(rng, &mut inner, false);
    }
    let label = rng.chance(30);
    let around = Around {
        in_loop: false,
        label,
    };
    // Whatever the blocks declare, the names here stay those of this function.
    text += &block(rng, &inner, 3, around);
    if label {
        text += "end:;\n";
    }
    text += &format!("return {};\n}}\n", digest(rng, &inner));
    scope.fresh = inner.fresh + 1000;
    let callable = Callable { name, params };
    match remembers {
        true => scope.remembering.push(callable),
        false => scope.functions.push(callable),
    }
    text
}

/// A number in which all variables take part.
fn digest(rng: &mut Rng, scope: &Scope) -> String {
    let mut text = expression(rng, scope, 1);
    for name in &scope.scalars {
        text = format!("({text}) * 31 + {name}");
    }
    for (name, length) in &scope.arrays {
        text = format!("({text}) * 31 + {name}[{}]", length - 1);
    }
    for (name, record) in &scope.objects {
        if let Some(member) = scope.records[*record].members.last() {
            text = format!("({text}) * 31 + {}", member.of(name, "0"));
        }
    }
    text
}

fn recursive(rng: &mut Rng, scope: &Scope, name: &str) -> String {
    let mut inner = scope.clone();
    inner.functions.clear();
    inner.scalars.push("n".to_owned());
    let (base, step) = (expression(rng, &inner, 2), expression(rng, &inner, 1));
    let ty = integer(rng);
    format!(
        "{ty} {name}_to(int n) {{ return n <= 0 ? {base} : {name}_to(n - 1) * 3 + ({step}); }}\n\
         {ty} {name}(int n) {{ return {name}_to(n & 3); }}\n"
    )
}

/// A record goes in and comes out by value.
fn by_value(rng: &mut Rng, scope: &Scope, name: &str) -> String {
    let structs: Vec<&Record> = scope.records.iter().filter(|r| !r.is_union).collect();
    let record = structs[rng.below(structs.len())];
    let member = &record.members[rng.below(record.members.len())];
    let other = &record.members[rng.below(record.members.len())];
    let (record, member, other) = (&record.name, member.of("r", "n"), other.of("r", "2"));
    let ty = integer(rng);
    format!(
        "{record} {name}_changed({record} r, {ty} n) {{ {member} = n; {other} += 5; return r; }}\n\
         {ty} {name}({ty} n) {{ {record} r = {{ 0 }}; {record} s = {name}_changed(r, n); \
         {record} *q = &s; r = {name}_changed(*q, 2); return {member} * 7 + {other}; }}\n"
    )
}
