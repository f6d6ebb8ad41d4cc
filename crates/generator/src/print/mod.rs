//! A program as C.
//!
//! The text declares everything it uses itself, so that no preprocessor is needed, and leaves out
//! every declaration that nothing mentions.

mod atomic;
mod expr;
mod prelude;
mod stmt;

use crate::program::{COUNTERS, Function, Int, LOCALS, Program, StartArg, Stmt, Target};
use prelude::PRELUDE;
use std::fmt::{self, Display, Write};

/// At most this many mutexes and condition variables have a declaration.
const SYNC_OBJECTS: usize = 4;

/// Objects of which there is one each, with their types.
const SINGLE_OBJECTS: [(&str, &str); 7] = [
    ("b0", "pthread_barrier_t"),
    ("w0", "pthread_rwlock_t"),
    ("x0", "pthread_spinlock_t"),
    ("y0", "pthread_mutex_t"),
    ("o0", "pthread_once_t"),
    ("k0", "pthread_key_t"),
    ("head", "struct node *"),
];

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
        for at in self.starts_of_main()..self.starts.len() {
            add(format!("t{at}"), format!("pthread_t t{at};"));
        }
        for at in 0..self.routines.len() {
            add(format!("done{at}"), format!("int done{at};"));
        }
        for (at, _) in self.semaphores.iter().enumerate() {
            add(format!("s{at}"), format!("sem_t s{at};"));
        }
        for (name, ty) in SINGLE_OBJECTS {
            add(name.to_string(), format!("{ty} {name};"));
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
        // A routine that starts others comes after them.
        let mut routines: Vec<usize> = (0..self.routines.len()).collect();
        routines.sort_by_key(|&at| self.starts_others(at));
        for at in routines.into_iter().filter(|&at| self.is_started(at)) {
            self.routine(&mut rest, at, &self.routines[at]);
        }
        self.table_of_starts(&mut rest);
        let mut body = String::new();
        self.main_body(&mut body);
        let mut out = String::new();
        let mut used = rest.clone() + &body;
        if mentions(&used, "once") {
            self.function(&mut out, "void once(void)", &self.once, "");
            used += &out;
        }
        let table = mentions(&used, "table") || mentions(&used, "fp");
        let mut helpers = String::new();
        for (at, helper) in self.helpers.iter().enumerate() {
            if table || mentions(&used, &format!("h{at}")) {
                let head = format!("int h{at}(int *q, int arg)");
                self.function(&mut helpers, &head, &helper.body, "  return l0;\n");
            }
        }
        self.table_of_helpers(&mut helpers, &used);
        let setup = self.setup(&format!("{helpers}{used}"));
        let code = helpers + &out + &rest;
        self.main_function(&code, &setup, &body)
    }

    /// Functions that are chosen at run time.
    fn table_of_helpers(&self, out: &mut String, used: &str) {
        let names: Vec<_> = (0..self.helpers.len()).map(|at| format!("h{at}")).collect();
        if mentions(used, "table") {
            let (count, names) = (names.len(), names.join(", "));
            let _ = writeln!(out, "int (*table[{count}])(int *, int) = {{{names}}};");
        }
        if mentions(used, "fp") {
            let _ = writeln!(out, "int (*fp)(int *, int) = {};", names[0]);
        }
    }

    fn table_of_starts(&self, out: &mut String) {
        if self.start_table && !self.starts.is_empty() {
            let name = |at| match self.is_started(at) {
                true => format!("f{at}"),
                false => "0".into(),
            };
            let names: Vec<_> = (0..self.routines.len()).map(name).collect();
            let (count, names) = (names.len(), names.join(", "));
            let _ = writeln!(out, "void *(*starts[{count}])(void *) = {{{names}}};");
        }
    }

    fn is_started(&self, routine: usize) -> bool {
        let crew = self.crew.iter().map(|crew| crew.routine);
        let starts = self.starts.iter().map(|start| start.routine);
        starts.chain(crew).any(|at| at == routine)
    }

    /// What has to be done to objects before the first thread starts.
    fn setup(&self, code: &str) -> String {
        let mut out = String::new();
        let mut when = |name: &str, line: &str| {
            if mentions(code, name) {
                let _ = writeln!(out, "  {line}");
            }
        };
        for (at, value) in self.semaphores.iter().enumerate() {
            when(&format!("s{at}"), &format!("sem_init(&s{at}, 0, {value});"));
        }
        when(
            "b0",
            &format!("pthread_barrier_init(&b0, 0, {});", self.barrier),
        );
        when("x0", "pthread_spin_init(&x0, 0);");
        when("k0", "pthread_key_create(&k0, 0);");
        when(
            "y0",
            "pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); \
             pthread_mutexattr_settype(&kind, 1); pthread_mutex_init(&y0, &kind);",
        );
        out
    }

    /// A function that is no start routine.
    fn function(&self, out: &mut String, head: &str, statements: &[Stmt], end: &str) {
        let _ = writeln!(out, "{head} {{");
        let mut body = String::new();
        self.statements(&mut body, statements, 1);
        body.push_str(end);
        body.push_str("}\n");
        let params: &[(&str, String)] = match end {
            "" => &[
                ("q", "int *q = &g0;".into()),
                ("arg", "int arg = 0;".into()),
            ],
            _ => &[],
        };
        with_locals(out, params, &body);
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
        let (first, second) = routine.body.split_at(routine.body.len() / 2);
        self.statements(&mut body, first, 1);
        if self.starts_others(at) {
            self.create(&mut body, 1..self.starts.len());
        }
        self.statements(&mut body, second, 1);
        if self.watched {
            let _ = writeln!(body, "  done{at} = 1;");
        }
        body.push_str("  return (void *)(long)l0;\n}\n");
        let params = [
            ("q", format!("int *q = {q};")),
            ("arg", format!("int arg = {arg};")),
        ];
        with_locals(out, &params, &body);
    }

    fn main_body(&self, body: &mut String) {
        self.create(body, 0..self.starts_of_main());
        if let Some(crew) = &self.crew {
            let (routine, count) = (crew.routine, crew.count);
            let _ = writeln!(body, "  for (i0 = 0; i0 < {count}; i0++)");
            let _ = writeln!(
                body,
                "    pthread_create(&crew[i0], 0, f{routine}, (void *)(long)i0);"
            );
        }
        self.statements(body, &self.main, 1);
        match self.watched {
            true => self.watch(body),
            false => self.join(body),
        }
        self.statements(body, &self.after, 1);
        body.push_str("  return 0;\n}\n");
    }

    /// Starts some threads.
    fn create(&self, body: &mut String, starts: std::ops::Range<usize>) {
        for at in starts {
            let start = &self.starts[at];
            let (routine, arg) = (start.routine, self.argument(at));
            let routine = match self.start_table && at < self.starts_of_main() {
                true => format!("starts[{routine}]"),
                false => format!("f{routine}"),
            };
            let _ = writeln!(body, "  pthread_create(&t{at}, 0, {routine}, {arg});");
        }
    }

    /// Does a routine start all threads but its own?
    fn starts_others(&self, routine: usize) -> bool {
        let mut others = self.starts.iter().skip(1);
        let first = self.starts.first().is_some_and(|it| it.routine == routine);
        self.nested && first && others.all(|it| it.routine != routine)
    }

    /// The handles of how many threads are in `main`?
    fn starts_of_main(&self) -> usize {
        match self.starts.first() {
            Some(first) if self.starts_others(first.routine) => 1,
            _ => self.starts.len(),
        }
    }

    fn join(&self, body: &mut String) {
        let first_ends = self.starts.first().is_some_and(|start| start.joined);
        for (at, start) in self.starts.iter().enumerate() {
            if start.joined && (at < self.starts_of_main() || first_ends) {
                let _ = writeln!(body, "  pthread_join(t{at}, &result);");
                let _ = writeln!(body, "  l{} = (int)(long)result;", at % LOCALS);
            }
        }
        if let Some(crew) = self.crew.filter(|crew| crew.joined) {
            let _ = writeln!(body, "  for (i0 = 0; i0 < {}; i0++)", crew.count);
            let _ = writeln!(body, "    pthread_join(crew[i0], 0);");
        }
    }

    /// Ends the process unless every routine that is run has been done by some thread.
    fn watch(&self, body: &mut String) {
        for at in (0..self.routines.len()).filter(|&at| self.is_started(at)) {
            let _ = writeln!(body, "  if (done{at} != 1) return 0;");
        }
    }

    fn argument(&self, start: usize) -> String {
        let by_main = start < self.starts_of_main();
        match self.starts[start].arg {
            StartArg::Number(number) => format!("(void *){number}L"),
            StartArg::Pointer(_) if self.framed && by_main => "q".into(),
            StartArg::Pointer(target) => address(target),
        }
    }

    fn main_function(&self, before: &str, setup: &str, body: &str) -> String {
        let mut out = format!("{before}int main(void) {{\n");
        for at in 0..self.starts_of_main() {
            let _ = writeln!(out, "  pthread_t t{at};");
        }
        if let Some(crew) = &self.crew {
            let count = crew.count;
            let _ = match crew.variable {
                true => writeln!(out, "  int size = {count};\n  pthread_t crew[size];"),
                false => writeln!(out, "  pthread_t crew[{count}];"),
            };
        }
        let q = match self.framed {
            true => "int v0 = 0, *q = &v0;",
            false => "int *q = &g0;",
        };
        let extra = [
            ("q", q.into()),
            ("arg", "int arg = 0;".into()),
            ("result", "void *result;".into()),
        ];
        with_locals(&mut out, &extra, &format!("{setup}{body}"));
        out
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
        Int::I64 => "long long",
    }
}

fn mentions(text: &str, name: &str) -> bool {
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(part_of_name) && !text[at + name.len()..].starts_with(part_of_name)
    })
}
