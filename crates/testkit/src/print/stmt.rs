//! Statements as C.

use super::{address, expr::binary_text, type_name};
use crate::program::{Expr, Place, Program, Rmw, Stmt};
use std::fmt::Write;

impl Program {
    pub(super) fn statements(&self, out: &mut String, statements: &[Stmt], depth: usize) {
        for statement in statements {
            self.statement(out, statement, depth);
        }
    }

    fn statement(&self, out: &mut String, statement: &Stmt, depth: usize) {
        let pad = "  ".repeat(depth);
        let inner = "  ".repeat(depth + 1);
        match statement {
            Stmt::Lock(mutex, body) => {
                let _ = writeln!(out, "{pad}pthread_mutex_lock(&m{mutex});");
                self.statements(out, body, depth);
                let _ = writeln!(out, "{pad}pthread_mutex_unlock(&m{mutex});");
            }
            Stmt::TryLock(mutex, taken, busy) => {
                let _ = writeln!(out, "{pad}if (pthread_mutex_trylock(&m{mutex}) == 0) {{");
                self.statements(out, taken, depth + 1);
                let _ = writeln!(out, "{inner}pthread_mutex_unlock(&m{mutex});");
                self.otherwise(out, busy, depth);
            }
            Stmt::Section(body) => {
                let _ = writeln!(out, "{pad}__VERIFIER_atomic_begin();");
                self.statements(out, body, depth);
                let _ = writeln!(out, "{pad}__VERIFIER_atomic_end();");
            }
            Stmt::If(cond, yes, no) => {
                let _ = writeln!(out, "{pad}if ({}) {{", self.expr(cond));
                self.statements(out, yes, depth + 1);
                self.otherwise(out, no, depth);
            }
            Stmt::Switch(value, arms, fall_through) => {
                self.switch(out, value, arms, *fall_through, depth);
            }
            Stmt::Loop(counter, times, body) => {
                let i = format!("i{counter}");
                let _ = writeln!(out, "{pad}for ({i} = 0; {i} < {times}; {i}++) {{");
                self.statements(out, body, depth + 1);
                let _ = writeln!(out, "{pad}}}");
            }
            Stmt::WaitUntil {
                mutex,
                condition,
                until,
                body,
            } => {
                let _ = writeln!(out, "{pad}pthread_mutex_lock(&m{mutex});");
                let _ = writeln!(out, "{pad}while (!{})", self.expr(until));
                let _ = writeln!(out, "{inner}pthread_cond_wait(&c{condition}, &m{mutex});");
                self.statements(out, body, depth);
                let _ = writeln!(out, "{pad}pthread_mutex_unlock(&m{mutex});");
            }
            simple => {
                let _ = writeln!(out, "{pad}{}", self.simple(simple));
            }
        }
    }

    /// Closes a block, with an `else` where there is something to do.
    fn otherwise(&self, out: &mut String, statements: &[Stmt], depth: usize) {
        let pad = "  ".repeat(depth);
        if !statements.is_empty() {
            let _ = writeln!(out, "{pad}}} else {{");
            self.statements(out, statements, depth + 1);
        }
        let _ = writeln!(out, "{pad}}}");
    }

    fn switch(&self, out: &mut String, value: &Expr, arms: &[Vec<Stmt>], fall: bool, depth: usize) {
        let pad = "  ".repeat(depth);
        let _ = writeln!(
            out,
            "{pad}switch ((0u + {}) % {}) {{",
            self.expr(value),
            arms.len().max(1)
        );
        for (at, arm) in arms.iter().enumerate() {
            if at + 1 == arms.len() {
                let _ = writeln!(out, "{pad}default:");
            } else {
                let _ = writeln!(out, "{pad}case {at}:");
            }
            self.statements(out, arm, depth + 1);
            let end = if fall { ";" } else { "break;" };
            let _ = writeln!(out, "{pad}  {end}");
        }
        let _ = writeln!(out, "{pad}}}");
    }

    /// A statement that fits one line.
    fn simple(&self, statement: &Stmt) -> String {
        let at = |place: &Place| format!("&{}", self.place(place));
        match statement {
            Stmt::Assign(place, value) => format!("{} = {};", self.place(place), self.expr(value)),
            Stmt::Update(place, op, value) => {
                format!(
                    "{} {}= 0u + {};",
                    self.place(place),
                    binary_text(*op),
                    self.expr(value)
                )
            }
            Stmt::Point(pointer, target) => format!("p{pointer} = {};", address(*target)),
            Stmt::Alias(pointer, other) => format!("p{pointer} = p{other};"),
            Stmt::CopyRecord(to, from) => format!("r{to} = r{from};"),
            Stmt::Allocate(pointer, value) => format!(
                "{{ int *fresh = malloc(sizeof(int)); *fresh = {}; p{pointer} = fresh; }}",
                self.expr(value)
            ),
            Stmt::AtomicLoad(local, place) => {
                format!("l{local} = __atomic_load_n({}, 5);", at(place))
            }
            Stmt::AtomicStore(place, value) => {
                format!("__atomic_store_n({}, {}, 5);", at(place), self.expr(value))
            }
            Stmt::AtomicUpdate(local, op, place, value) => {
                let (name, order) = rmw_text(*op);
                format!(
                    "l{local} = {name}({}, {}{order});",
                    at(place),
                    self.expr(value)
                )
            }
            Stmt::CompareExchange(local, place, expected, desired) => format!(
                "{{ {} seen = {}; l{local} = __atomic_compare_exchange_n({}, &seen, {}, 0, 5, 5); }}",
                type_name(self.place_type(place)),
                self.expr(expected),
                at(place),
                self.expr(desired)
            ),
            Stmt::Call {
                into,
                function,
                by_table,
                target,
                value,
            } => {
                let callee = if *by_table {
                    format!(
                        "table[(0u + l{into} + {function}) % {}]",
                        self.helpers.len()
                    )
                } else {
                    format!("h{function}")
                };
                format!(
                    "l{into} = {callee}({}, {});",
                    address(*target),
                    self.expr(value)
                )
            }
            Stmt::Spin(until) => format!("while (!{}) ;", self.expr(until)),
            Stmt::Signal(condition, false) => format!("pthread_cond_signal(&c{condition});"),
            Stmt::Signal(condition, true) => format!("pthread_cond_broadcast(&c{condition});"),
            Stmt::Input(local, true) => format!("l{local} = __VERIFIER_nondet_bool();"),
            Stmt::Input(local, false) => format!("l{local} = __VERIFIER_nondet_int();"),
            Stmt::Assume(cond) => format!("__VERIFIER_assume({} != 0);", self.expr(cond)),
            Stmt::Assert(cond) => format!("if (!{}) reach_error();", self.expr(cond)),
            Stmt::Fail => "reach_error();".into(),
            Stmt::Lock(..)
            | Stmt::TryLock(..)
            | Stmt::Section(..)
            | Stmt::If(..)
            | Stmt::Switch(..)
            | Stmt::Loop(..)
            | Stmt::WaitUntil { .. } => unreachable!("blocks are printed line by line"),
        }
    }
}

/// The built-in and what follows its value.
fn rmw_text(op: Rmw) -> (&'static str, &'static str) {
    match op {
        Rmw::FetchAdd => ("__atomic_fetch_add", ", 5"),
        Rmw::SubFetch => ("__atomic_sub_fetch", ", 5"),
        Rmw::FetchOr => ("__atomic_fetch_or", ", 5"),
        Rmw::Exchange => ("__atomic_exchange_n", ", 5"),
        Rmw::SyncFetchAdd => ("__sync_fetch_and_add", ""),
        Rmw::SyncTestAndSet => ("__sync_lock_test_and_set", ""),
    }
}
