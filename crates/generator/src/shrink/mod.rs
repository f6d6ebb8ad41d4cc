//! Makes a program small while it still shows what is wrong.
//!
//! Greedy: of all programs one step smaller, the first that still fails is taken, until none does.
//! Steps remove threads and statements, open blocks, and replace expressions by their parts or by
//! numbers. Declarations need no step, because unused ones are not printed.

mod expr;

use crate::program::{Expr, Lvalue, Program, Stmt};
use expr::{smaller, smaller_forms, smaller_places};

/// The smallest program reached from `program`, itself failing, that still fails.
pub fn shrink(program: &Program, still_fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    while let Some(smaller) = smaller_programs(&best).into_iter().find(|p| still_fails(p)) {
        best = smaller;
    }
    best
}

/// All programs one step smaller, the boldest steps first.
fn smaller_programs(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let mut add = |change: &dyn Fn(&mut Program)| {
        let mut smaller = program.clone();
        change(&mut smaller);
        if smaller != *program {
            found.push(smaller);
        }
    };
    for at in 0..program.starts.len() {
        add(&|p| {
            p.starts.remove(at);
        });
    }
    for at in 0..bodies(&mut program.clone()).len() {
        add(&|p| bodies(p)[at].clear());
    }
    for (at, body) in bodies(&mut program.clone()).into_iter().enumerate() {
        for smaller in smaller_blocks(body) {
            add(&|p| *bodies(p)[at] = smaller.clone());
        }
    }
    for at in 0..program.starts.len() {
        add(&|p| p.starts[at].joined = true);
    }
    add(&|p| p.crew = None);
    add(&|p| {
        if let Some(crew) = &mut p.crew {
            crew.count = (crew.count - 1).max(1);
        }
    });
    add(&|p| {
        if let Some(crew) = &mut p.crew {
            crew.joined = true;
        }
    });
    add(&|p| {
        if let Some(crew) = &mut p.crew {
            crew.variable = false;
        }
    });
    add(&|p| p.start_table = false);
    add(&|p| p.framed = false);
    add(&|p| p.watched = false);
    add(&|p| p.nested = false);
    for at in 0..program.globals.len() {
        add(&|p| p.globals[at].init = 0);
    }
    for at in 0..program.arrays.len() {
        add(&|p| p.arrays[at].init.fill(0));
    }
    for at in 0..program.records.len() {
        add(&|p| p.records[at].init = [0; 4]);
    }
    found
}

/// Every list of statements at the top of a function.
fn bodies(program: &mut Program) -> Vec<&mut Vec<Stmt>> {
    let functions = program.routines.iter_mut().chain(&mut program.helpers);
    let mut bodies: Vec<_> = functions.map(|function| &mut function.body).collect();
    bodies.push(&mut program.main);
    bodies.push(&mut program.after);
    bodies.push(&mut program.once);
    bodies
}

fn smaller_blocks(block: &[Stmt]) -> Vec<Vec<Stmt>> {
    let with = |at: usize, new: Vec<Stmt>| {
        let mut smaller = block.to_vec();
        smaller.splice(at..=at, new);
        smaller
    };
    let mut found: Vec<_> = (0..block.len()).map(|at| with(at, vec![])).collect();
    for (at, statement) in block.iter().enumerate() {
        found.extend(
            smaller_statements(statement)
                .into_iter()
                .map(|new| with(at, new)),
        );
    }
    found
}

/// Replacements for a statement.
fn smaller_statements(statement: &Stmt) -> Vec<Vec<Stmt>> {
    let mut found = Vec::new();
    let mut found_one = |new: Stmt| found.push(vec![new]);
    match statement {
        Stmt::Assign(place, value) => {
            smaller(value).for_each(|v| found_one(Stmt::Assign(place.clone(), v)));
            smaller_places(place).for_each(|p| found_one(Stmt::Assign(p, value.clone())));
        }
        Stmt::Update(place, op, value) => {
            found_one(Stmt::Assign(place.clone(), value.clone()));
            smaller(value).for_each(|v| found_one(Stmt::Update(place.clone(), *op, v)));
            smaller_places(place).for_each(|p| found_one(Stmt::Update(p, *op, value.clone())));
        }
        Stmt::Allocate(pointer, value) => {
            smaller(value).for_each(|v| found_one(Stmt::Allocate(*pointer, v)));
        }
        Stmt::AtomicStore(place, value) => {
            found_one(Stmt::Assign(place.clone(), value.clone()));
            smaller(value).for_each(|v| found_one(Stmt::AtomicStore(place.clone(), v)));
        }
        Stmt::AtomicLoad(local, place) => {
            found_one(Stmt::Assign(
                Lvalue::Local(*local),
                Expr::Read(place.clone()),
            ));
        }
        Stmt::AtomicUpdate(local, op, place, value) => {
            found_one(Stmt::AtomicStore(place.clone(), value.clone()));
            smaller(value)
                .for_each(|v| found_one(Stmt::AtomicUpdate(*local, *op, place.clone(), v)));
        }
        Stmt::CompareExchange(local, place, expected, desired) => {
            found_one(Stmt::AtomicStore(place.clone(), desired.clone()));
            let with = |e, d| Stmt::CompareExchange(*local, place.clone(), e, d);
            smaller(expected).for_each(|e| found_one(with(e, desired.clone())));
            smaller(desired).for_each(|d| found_one(with(expected.clone(), d)));
        }
        Stmt::Call {
            into,
            function,
            by_table,
            target,
            value,
        } => {
            let with = |by_table, value| Stmt::Call {
                into: *into,
                function: *function,
                by_table,
                target: *target,
                value,
            };
            smaller(value).for_each(|v| found_one(with(*by_table, v)));
            if *by_table {
                found_one(with(false, value.clone()));
            }
        }
        Stmt::Spin(cond) => smaller(cond).for_each(|c| found_one(Stmt::Spin(c))),
        Stmt::Assume(cond) => smaller(cond).for_each(|c| found_one(Stmt::Assume(c))),
        Stmt::Assert(cond) => {
            found_one(Stmt::Fail);
            smaller(cond).for_each(|c| found_one(Stmt::Assert(c)));
        }
        Stmt::Point(..)
        | Stmt::Alias(..)
        | Stmt::CopyRecord(..)
        | Stmt::Signal(..)
        | Stmt::Input(..)
        | Stmt::Fail
        | Stmt::Fence(..)
        | Stmt::SemWait(..)
        | Stmt::SemPost(..)
        | Stmt::Barrier(..)
        | Stmt::Once
        | Stmt::GetKey(..)
        | Stmt::SetFunction(..)
        | Stmt::Free(..)
        | Stmt::Pop(..) => {}
        Stmt::Atomic(local, form, place) => {
            smaller_forms(form).for_each(|f| found_one(Stmt::Atomic(*local, f, place.clone())));
        }
        Stmt::Step(local, place, up) => {
            smaller_places(place).for_each(|p| found_one(Stmt::Step(*local, p, *up)));
        }
        Stmt::SetKey(value) => smaller(value).for_each(|v| found_one(Stmt::SetKey(v))),
        Stmt::Push(value) => smaller(value).for_each(|v| found_one(Stmt::Push(v))),
        Stmt::Break(cond, next) => smaller(cond).for_each(|c| found_one(Stmt::Break(c, *next))),
        Stmt::End(cond, how) => smaller(cond).for_each(|c| found_one(Stmt::End(c, *how))),
        Stmt::InputOf(place, ty) => {
            found_one(Stmt::Assign(place.clone(), Expr::Const(0)));
            smaller_places(place).for_each(|p| found_one(Stmt::InputOf(p, *ty)));
        }
        Stmt::CallFunction(local, value) => {
            smaller(value).for_each(|v| found_one(Stmt::CallFunction(*local, v)));
        }
        Stmt::Scratch(place, value) => {
            found_one(Stmt::Assign(place.clone(), value.clone()));
            smaller(value).for_each(|v| found_one(Stmt::Scratch(place.clone(), v)));
        }
        Stmt::Stop(cond) => smaller(cond).for_each(|c| found_one(Stmt::Stop(c))),
        Stmt::Sized(place, size, index) => {
            let with = |size, index| Stmt::Sized(place.clone(), size, index);
            smaller(size).for_each(|s| found_one(with(s, index.clone())));
            smaller(index).for_each(|i| found_one(with(size.clone(), i)));
        }
        Stmt::Guarded(..)
        | Stmt::TryGuarded(..)
        | Stmt::Skip(..)
        | Stmt::Again(..)
        | Stmt::Lock(..)
        | Stmt::TryLock(..)
        | Stmt::Section(..)
        | Stmt::If(..)
        | Stmt::Switch(..)
        | Stmt::Loop(..)
        | Stmt::WaitUntil { .. } => return smaller_compound(statement),
    }
    found
}

/// Replacements for a statement that has blocks.
fn smaller_compound(statement: &Stmt) -> Vec<Vec<Stmt>> {
    let mut found: Vec<Vec<Stmt>> = Vec::new();
    let rebuilt = |block: &[Stmt], build: &dyn Fn(Vec<Stmt>) -> Stmt| {
        smaller_blocks(block)
            .into_iter()
            .map(|block| vec![build(block)])
            .collect::<Vec<_>>()
    };
    match statement {
        Stmt::Lock(mutex, body) => {
            found.push(body.clone());
            found.extend(rebuilt(body, &|body| Stmt::Lock(*mutex, body)));
        }
        Stmt::Section(body) => {
            found.push(body.clone());
            found.extend(rebuilt(body, &Stmt::Section));
        }
        Stmt::TryLock(mutex, taken, busy) => {
            found.extend([taken.clone(), busy.clone()]);
            found.push(vec![Stmt::Lock(*mutex, taken.clone())]);
            found.extend(rebuilt(taken, &|new| {
                Stmt::TryLock(*mutex, new, busy.clone())
            }));
            found.extend(rebuilt(busy, &|new| {
                Stmt::TryLock(*mutex, taken.clone(), new)
            }));
        }
        Stmt::Guarded(guard, body) => {
            found.push(body.clone());
            found.extend(rebuilt(body, &|body| Stmt::Guarded(*guard, body)));
        }
        Stmt::TryGuarded(guard, taken, busy) => {
            found.extend([taken.clone(), busy.clone()]);
            found.push(vec![Stmt::Guarded(*guard, taken.clone())]);
            found.extend(rebuilt(taken, &|new| {
                Stmt::TryGuarded(*guard, new, busy.clone())
            }));
            found.extend(rebuilt(busy, &|new| {
                Stmt::TryGuarded(*guard, taken.clone(), new)
            }));
        }
        Stmt::Skip(cond, body) => {
            found.push(body.clone());
            found.extend(smaller(cond).map(|c| vec![Stmt::Skip(c, body.clone())]));
            found.extend(rebuilt(body, &|body| Stmt::Skip(cond.clone(), body)));
        }
        Stmt::Again(counter, times, body) => {
            found.push(body.clone());
            found.push(vec![Stmt::Loop(*counter, *times, body.clone())]);
            found.extend(rebuilt(body, &|body| Stmt::Again(*counter, *times, body)));
        }
        Stmt::If(cond, yes, no) => {
            found.extend([yes.clone(), no.clone()]);
            found.extend(smaller(cond).map(|c| vec![Stmt::If(c, yes.clone(), no.clone())]));
            found.extend(rebuilt(yes, &|new| Stmt::If(cond.clone(), new, no.clone())));
            found.extend(rebuilt(no, &|new| Stmt::If(cond.clone(), yes.clone(), new)));
        }
        Stmt::Switch(value, arms, fall) => {
            found.extend(arms.iter().cloned());
            found.extend(smaller(value).map(|v| vec![Stmt::Switch(v, arms.clone(), *fall)]));
            for (at, arm) in arms.iter().enumerate() {
                found.extend(rebuilt(arm, &|new| {
                    let mut arms = arms.clone();
                    arms[at] = new;
                    Stmt::Switch(value.clone(), arms, *fall)
                }));
            }
        }
        Stmt::Loop(counter, times, body) => {
            found.push(body.clone());
            if *times > 1 {
                found.push(vec![Stmt::Loop(*counter, times - 1, body.clone())]);
            }
            found.extend(rebuilt(body, &|body| Stmt::Loop(*counter, *times, body)));
        }
        Stmt::WaitUntil {
            mutex,
            condition,
            until,
            body,
        } => {
            found.push(vec![Stmt::Lock(*mutex, body.clone())]);
            let with = |until: Expr, body: Vec<Stmt>| Stmt::WaitUntil {
                mutex: *mutex,
                condition: *condition,
                until,
                body,
            };
            found.extend(smaller(until).map(|until| vec![with(until, body.clone())]));
            found.extend(rebuilt(body, &|body| with(until.clone(), body)));
        }
        _ => {}
    }
    found
}
