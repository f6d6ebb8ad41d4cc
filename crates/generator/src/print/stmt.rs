//! Statements as C.

use super::atomic::rmw_text;
use super::{address, expr::binary_text, type_name};
use crate::program::{Ending, Expr, Guard, Int, Lvalue, Program, Stmt};
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
            Stmt::Guarded(guard, body) => {
                let (take, _, release) = guard_text(*guard);
                let _ = writeln!(out, "{pad}{take};");
                self.statements(out, body, depth);
                let _ = writeln!(out, "{pad}{release};");
            }
            Stmt::TryGuarded(guard, taken, busy) => {
                let (_, attempt, release) = guard_text(*guard);
                let _ = writeln!(out, "{pad}if ({attempt} == 0) {{");
                self.statements(out, taken, depth + 1);
                let _ = writeln!(out, "{inner}{release};");
                self.otherwise(out, busy, depth);
            }
            Stmt::Skip(cond, body) => {
                let label = format!("out{}", out.matches("goto").count());
                let _ = writeln!(out, "{pad}if ({}) goto {label};", self.expr(cond));
                self.statements(out, body, depth);
                let _ = writeln!(out, "{pad}{label}:;");
            }
            Stmt::Again(counter, times, body) => {
                let (i, label) = (
                    format!("i{counter}"),
                    format!("again{}", out.matches("again").count()),
                );
                let _ = writeln!(out, "{pad}{i} = 0;\n{pad}{label}:;");
                self.statements(out, body, depth);
                let _ = writeln!(out, "{pad}if (++{i} < {times}) goto {label};");
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
        let at = |place: &Lvalue| format!("&{}", self.place(place));
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
            Stmt::Atomic(local, form, place) => self.atomic(*local, form, place),
            Stmt::Fence(true) => "__sync_synchronize();".into(),
            Stmt::Fence(false) => "__atomic_thread_fence(5);".into(),
            Stmt::Step(local, place, true) => format!("l{local} = {}++;", self.operand(place)),
            Stmt::Step(local, place, false) => format!("l{local} = --{};", self.operand(place)),
            Stmt::SemWait(at) => format!("sem_wait(&s{at});"),
            Stmt::SemPost(at) => format!("sem_post(&s{at});"),
            Stmt::Barrier(local) => format!("l{local} = pthread_barrier_wait(&b0);"),
            Stmt::Once => "pthread_once(&o0, once);".into(),
            Stmt::SetKey(value) => {
                format!(
                    "pthread_setspecific(k0, (void *)(long){});",
                    self.expr(value)
                )
            }
            Stmt::GetKey(local) => format!("l{local} = (int)(long)pthread_getspecific(k0);"),
            Stmt::End(cond, how) => {
                let how = match how {
                    Ending::Thread => "pthread_exit((void *)(long)l0)",
                    Ending::Process => "exit(0)",
                    Ending::Abort => "abort()",
                };
                format!("if ({}) {how};", self.expr(cond))
            }
            Stmt::Break(cond, false) => format!("if ({}) break;", self.expr(cond)),
            Stmt::Break(cond, true) => format!("if ({}) continue;", self.expr(cond)),
            Stmt::InputOf(place, ty) => {
                let name = input_name(*ty);
                format!("{} = __VERIFIER_nondet_{name}();", self.place(place))
            }
            Stmt::SetFunction(helper) => format!("fp = h{helper};"),
            Stmt::CallFunction(local, value) => {
                format!("l{local} = fp(&g0, {});", self.expr(value))
            }
            Stmt::Push(value) => format!(
                "{{ struct node *n = malloc(sizeof(struct node)); n->v = {}; n->next = head; head = n; }}",
                self.expr(value)
            ),
            Stmt::Pop(local) => format!(
                "{{ struct node *n = head; l{local} = 0; if (n) {{ l{local} = n->v; head = n->next; free(n); }} }}"
            ),
            Stmt::Free(pointer) => format!("free(p{pointer});"),
            Stmt::Scratch(place, value) => format!(
                "{{ int *own = malloc(sizeof(int)); *own = {}; {} = *own; free(own); }}",
                self.expr(value),
                self.place(place)
            ),
            Stmt::Stop(cond) => format!("if ({}) while (1) ;", self.expr(cond)),
            Stmt::Sized(place, size, index) => format!(
                "{{ unsigned n = {} & 3u, at = {} & 3u; int *own = malloc((n + 1) * sizeof(int)); own[at] = n; {} = own[at]; free(own); }}",
                self.expr(size),
                self.expr(index),
                self.place(place)
            ),
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
            | Stmt::WaitUntil { .. } => unreachable!("blocks are printed line by line"),
        }
    }

    /// A place as the operand of a prefix or postfix operator.
    fn operand(&self, place: &Lvalue) -> String {
        match place {
            Lvalue::Deref(_) | Lvalue::Param => format!("({})", self.place(place)),
            place => self.place(place),
        }
    }
}

/// How a guard is taken, tried, and released.
fn guard_text(guard: Guard) -> (String, String, String) {
    let call = |name: &str, object: &str| format!("{name}(&{object})");
    let lock = |kind: &str, take: &str, object: &str| {
        (
            call(&format!("pthread_{kind}_{take}lock"), object),
            call(&format!("pthread_{kind}_try{take}lock"), object),
            call(&format!("pthread_{kind}_unlock"), object),
        )
    };
    match guard {
        Guard::Read => lock("rwlock", "rd", "w0"),
        Guard::Write => lock("rwlock", "wr", "w0"),
        Guard::Spin => lock("spin", "", "x0"),
        Guard::Recursive => lock("mutex", "", "y0"),
        Guard::Semaphore(at) => {
            let name = format!("s{at}");
            (
                call("sem_wait", &name),
                call("sem_trywait", &name),
                call("sem_post", &name),
            )
        }
    }
}

/// The end of the name of the function that reads such an input.
pub(super) fn input_name(ty: Int) -> &'static str {
    match ty {
        Int::Bool => "bool",
        Int::I8 => "char",
        Int::U8 => "uchar",
        Int::I16 => "short",
        Int::U16 => "ushort",
        Int::I32 => "int",
        Int::U32 => "uint",
        Int::U64 => "ulonglong",
        Int::I64 => "longlong",
    }
}
