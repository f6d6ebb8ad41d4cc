//! A program as C.
//!
//! The text declares everything it uses itself, so that no preprocessor is needed, and leaves out
//! every declaration that nothing mentions.

mod expr;
mod stmt;

use crate::program::{COUNTERS, Function, Int, LOCALS, Program, Start, StartArg, Target};
use std::fmt::{self, Display, Write};

/// What the programs use of the C library and of the verifiers' conventions, by the name that
/// makes the line necessary. Types come before their users.
const PRELUDE: &[(&str, &str)] = &[
    ("pthread_t", "typedef unsigned long pthread_t;"),
    (
        "pthread_mutex_t",
        "typedef struct { long words[5]; } pthread_mutex_t;",
    ),
    (
        "pthread_cond_t",
        "typedef struct { long words[6]; } pthread_cond_t;",
    ),
    (
        "pthread_create",
        "extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);",
    ),
    (
        "pthread_join",
        "extern int pthread_join(pthread_t, void **);",
    ),
    (
        "pthread_mutex_lock",
        "extern int pthread_mutex_lock(pthread_mutex_t *);",
    ),
    (
        "pthread_mutex_trylock",
        "extern int pthread_mutex_trylock(pthread_mutex_t *);",
    ),
    (
        "pthread_mutex_unlock",
        "extern int pthread_mutex_unlock(pthread_mutex_t *);",
    ),
    (
        "pthread_cond_wait",
        "extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);",
    ),
    (
        "pthread_cond_signal",
        "extern int pthread_cond_signal(pthread_cond_t *);",
    ),
    (
        "pthread_cond_broadcast",
        "extern int pthread_cond_broadcast(pthread_cond_t *);",
    ),
    ("malloc", "extern void *malloc(unsigned long);"),
    ("reach_error", "extern void reach_error(void);"),
    (
        "__VERIFIER_atomic_begin",
        "extern void __VERIFIER_atomic_begin(void);",
    ),
    (
        "__VERIFIER_atomic_end",
        "extern void __VERIFIER_atomic_end(void);",
    ),
    ("__VERIFIER_assume", "extern void __VERIFIER_assume(int);"),
    (
        "__VERIFIER_nondet_bool",
        "extern _Bool __VERIFIER_nondet_bool(void);",
    ),
    (
        "__VERIFIER_nondet_int",
        "extern int __VERIFIER_nondet_int(void);",
    ),
    (
        "rec",
        "struct rec { signed char c; int n; unsigned b : 3; unsigned d : 5; };",
    ),
];

/// At most so many mutexes and condition variables have a declaration.
const SYNC_OBJECTS: usize = 4;

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code();
        let mut variables = String::new();
        for (name, line) in self.variables() {
            // A pointer's initial value mentions others, so that it decides before they do.
            if mentions(&code, &name) || mentions(&variables, &name) {
                variables.insert_str(0, &format!("{line}\n"));
            }
        }
        for (name, line) in PRELUDE {
            if mentions(&code, name) || mentions(&variables, name) {
                writeln!(f, "{line}")?;
            }
        }
        write!(f, "{variables}{code}")
    }
}

impl Program {
    /// All declarations of variables with their names, users before what they use.
    fn variables(&self) -> Vec<(String, String)> {
        let mut lines = Vec::new();
        let mut add = |name: String, line: String| lines.push((name, line));
        for (at, pointer) in self.pointers.iter().enumerate().rev() {
            add(
                format!("p{at}"),
                format!("int *p{at} = {};", address(pointer.init)),
            );
        }
        for (at, init) in self.thread_locals.iter().enumerate().rev() {
            add(
                format!("tl{at}"),
                format!("_Thread_local int tl{at} = {init};"),
            );
        }
        for (at, record) in self.records.iter().enumerate().rev() {
            let [c, n, b, d] = record.init;
            add(
                format!("r{at}"),
                format!("struct rec r{at} = {{{c}, {n}, {b}, {d}}};"),
            );
        }
        for (at, array) in self.arrays.iter().enumerate().rev() {
            let init: Vec<_> = array.init.iter().map(i64::to_string).collect();
            let (ty, len) = (type_name(array.element), init.len());
            add(
                format!("a{at}"),
                format!("{ty} a{at}[{len}] = {{{}}};", init.join(", ")),
            );
        }
        for (at, global) in self.globals.iter().enumerate().rev() {
            let atomic = if global.atomic { "_Atomic " } else { "" };
            let line = format!("{atomic}{} g{at} = {};", type_name(global.ty), global.init);
            add(format!("g{at}"), line);
        }
        for at in (0..SYNC_OBJECTS).rev() {
            add(format!("c{at}"), format!("pthread_cond_t c{at};"));
            add(format!("m{at}"), format!("pthread_mutex_t m{at};"));
        }
        lines
    }

    /// All functions that are used.
    fn code(&self) -> String {
        let mut rest = String::new();
        for (at, routine) in self.routines.iter().enumerate() {
            if self.starts.iter().any(|start| start.routine == at) {
                self.routine(&mut rest, at, routine);
            }
        }
        self.main_function(&mut rest);
        let mut out = String::new();
        let table = mentions(&rest, "table");
        for (at, helper) in self.helpers.iter().enumerate() {
            if table || mentions(&rest, &format!("h{at}")) {
                let _ = writeln!(out, "int h{at}(int *q, int arg) {{");
                let mut body = String::new();
                self.statements(&mut body, &helper.body, 1);
                body.push_str("  return l0;\n}\n");
                with_locals(&mut out, &[], &body);
            }
        }
        if table {
            let names: Vec<_> = (0..self.helpers.len()).map(|at| format!("h{at}")).collect();
            let (count, names) = (names.len(), names.join(", "));
            let _ = writeln!(out, "int (*table[{count}])(int *, int) = {{{names}}};");
        }
        out + &rest
    }

    fn routine(&self, out: &mut String, at: usize, routine: &Function) {
        // Whether a routine is given a number or a pointer is decided by its first start.
        let start = self.starts.iter().find(|start| start.routine == at);
        let (q, arg) = match start.map(|start| start.arg) {
            Some(StartArg::Pointer(_)) => ("raw", "0"),
            _ => ("&g0", "(int)(long)raw"),
        };
        let _ = writeln!(out, "void *f{at}(void *raw) {{");
        let mut body = String::new();
        self.statements(&mut body, &routine.body, 1);
        body.push_str("  return (void *)(long)l0;\n}\n");
        let params = [
            ("q", format!("int *q = {q};")),
            ("arg", format!("int arg = {arg};")),
        ];
        with_locals(out, &params, &body);
    }

    fn main_function(&self, out: &mut String) {
        let mut body = String::new();
        for (at, start) in self.starts.iter().enumerate() {
            let (routine, arg) = (start.routine, start_argument(start));
            let _ = writeln!(body, "  pthread_create(&t{at}, 0, f{routine}, {arg});");
        }
        self.statements(&mut body, &self.main, 1);
        for (at, _) in self
            .starts
            .iter()
            .enumerate()
            .filter(|(_, start)| start.joined)
        {
            let _ = writeln!(body, "  pthread_join(t{at}, &result);");
            let _ = writeln!(body, "  l{} = (int)(long)result;", at % LOCALS);
        }
        self.statements(&mut body, &self.after, 1);
        body.push_str("  return 0;\n}\n");
        out.push_str("int main(void) {\n");
        for at in 0..self.starts.len() {
            let _ = writeln!(out, "  pthread_t t{at};");
        }
        let extra = [
            ("q", "int *q = &g0;".into()),
            ("arg", "int arg = 0;".into()),
            ("result", "void *result;".into()),
        ];
        with_locals(out, &extra, &body);
    }
}

/// The body after the declarations, special ones first, of what it mentions.
fn with_locals(out: &mut String, special: &[(&str, String)], body: &str) {
    for (_, line) in special.iter().filter(|(name, _)| mentions(body, name)) {
        let _ = writeln!(out, "  {line}");
    }
    let names = (0..LOCALS).map(|at| format!("l{at}"));
    let names = names.chain((0..COUNTERS).map(|at| format!("i{at}")));
    for name in names.filter(|name| mentions(body, name)) {
        let _ = writeln!(out, "  int {name} = 0;");
    }
    out.push_str(body);
}

fn start_argument(start: &Start) -> String {
    match start.arg {
        StartArg::Number(number) => format!("(void *){number}L"),
        StartArg::Pointer(target) => address(target),
    }
}

/// The address of a target.
fn address(target: Target) -> String {
    match target {
        Target::Global(at) => format!("&g{at}"),
        Target::Element(array, index) => format!("&a{array}[{index}]"),
        Target::Member(record) => format!("&r{record}.n"),
    }
}

fn type_name(ty: Int) -> &'static str {
    match ty {
        Int::Bool => "_Bool",
        Int::I8 => "signed char",
        Int::U8 => "unsigned char",
        Int::I16 => "short",
        Int::U16 => "unsigned short",
        Int::I32 => "int",
        Int::U32 => "unsigned int",
        Int::U64 => "unsigned long long",
    }
}

/// Does the identifier occur in the text?
fn mentions(text: &str, name: &str) -> bool {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(part_of_name) && !text[at + name.len()..].starts_with(part_of_name)
    })
}
