//! Random programs in the notation of the tests.

use std::fmt::Write;

pub(crate) fn random_program(seed: u64) -> String {
    let mut writer = Writer {
        random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        out: String::new(),
        at: String::new(),
        next: 0,
        depth: 0,
    };
    writer.program();
    writer.out
}

struct Writer {
    random: u64,
    out: String,
    /// The location that the next statement starts from.
    at: String,
    next: u32,
    depth: u32,
}

impl Writer {
    fn pick(&mut self, below: u64) -> u64 {
        // Xorshift: good enough, and the same everywhere.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 20) % below
    }

    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.pick(choices.len() as u64) as usize]
    }

    fn global(&mut self) -> &'static str {
        self.one_of(&["x", "y", "z"])
    }

    fn local(&mut self) -> &'static str {
        self.one_of(&["a", "c"])
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        self.next.to_string()
    }

    fn edge(&mut self, from: &str, to: &str, labels: &str) {
        let _ = writeln!(self.out, "{from} -> {to}: {labels}");
    }

    /// A step from here to a new location.
    fn step(&mut self, labels: &str) {
        let to = self.fresh();
        self.edge(&self.at.clone(), &to, labels);
        self.at = to;
    }

    fn program(&mut self) {
        self.out += "static arr[16]\nstatic m[8]\nstatic n[8]\nstatic cv[8]\nheap h\nstack s[8]\n";
        self.out += "global x\nglobal y\nglobal z\nglobal pg\n";
        self.out += "proc twice(v) -> r\n in -> 1: r := v + v\n 1 -> out: t := y\n";
        self.out += "proc down(v)\n in -> 1: assume v != 0\n 1 -> 2: z := v\n";
        self.out += " 2 -> out: call down(v - 1)\n in -> out: assume v == 0\n";
        self.body("one(pa)", "thread_exit 0", false);
        self.body("two(pa)", "thread_exit 0", false);
        self.body("main()", "exit", true);
    }

    fn body(&mut self, head: &str, end: &str, main: bool) {
        let _ = writeln!(self.out, "proc {head}");
        self.at = "in".into();
        self.step("a := 0; c := 0; p := 0");
        if main {
            if self.pick(3) == 0 {
                self.block(1);
            }
            self.step("h1 := start one()");
            let second = self.one_of(&["h2 := start two()", "h2 := start one()", "h2 := 0"]);
            self.step(second);
        }
        let statements = if main { 2 } else { 4 };
        self.block(statements);
        if main && self.pick(2) == 0 {
            self.step("join zext64(h1)");
            self.block(1);
        }
        self.edge(&self.at.clone(), "out", end);
    }

    fn block(&mut self, statements: u64) {
        self.depth += 1;
        for _ in 0..1 + self.pick(statements) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let (g, l, k) = (self.global(), self.local(), self.pick(3));
        match self.pick(31) {
            0..=2 => self.step(&format!("{g} := {k}")),
            3..=5 => self.step(&format!("{l} := {g}")),
            6 => self.step(&format!("{g} := {l} + 1")),
            7 => self.step(&format!("{l} := {l} + {k}")),
            8 => self.step(&format!("{l} := {k}")),
            9 | 10 if self.depth < 3 => self.branch(l, k),
            11 => self.step(&format!("assume {l} == {k}")),
            12 | 13 => self.assertion(l, k),
            14 | 15 if self.depth < 3 => self.section(),
            16 => self.step(&format!("await {g} == {k}")),
            17 => self.step(&format!("*(&arr + {}) := {l}", 4 * k)),
            18 => self.step(&format!("{l} := *(&arr + {})", 4 * k)),
            19 => {
                self.step("p := alloc h");
                self.step(&format!("*p := {l}"));
                self.step("pg := p");
            }
            20 => {
                self.step("p := pg");
                self.step(&format!("{l} := *p"));
            }
            21 if self.depth < 2 => self.bounded_loop(),
            22 => self.spin(g, k),
            23 => self.step(&format!("{l} := input")),
            24 => self.step(&format!("{l} := call twice({l})")),
            25 => self.step("signal &cv"),
            26 if self.depth < 2 => {
                self.step("lock &m");
                self.step("unlock &m; wait &cv");
                self.step("await_signal");
                self.step("lock &m");
                self.step("unlock &m");
            }
            27 => self.step("call down(2)"),
            28 => {
                self.step("p := alloc h");
                self.step(&format!("*p := {l}"));
                self.step("free p");
            }
            _ => {
                self.step("p := alloc s");
                self.step(&format!("*(p + 4) := {l}"));
                self.step(&format!("{l} := *(p + 4)"));
                self.step("dealloc s");
            }
        }
    }

    fn branch(&mut self, local: &str, k: u64) {
        let from = self.at.clone();
        let end = self.fresh();
        for cond in [format!("{local} == {k}"), format!("{local} != {k}")] {
            self.at = from.clone();
            self.step(&format!("assume {cond}"));
            self.block(2);
            self.edge(&self.at.clone(), &end, "skip");
        }
        self.at = end;
    }

    fn assertion(&mut self, local: &str, k: u64) {
        let from = self.at.clone();
        self.edge(&from, "bad!", &format!("assume {local} == {k}"));
        self.step(&format!("assume {local} != {k}"));
    }

    /// A critical or an atomic section.
    fn section(&mut self) {
        let (begin, end) = match self.pick(4) {
            0 => ("lock &m", "unlock &m"),
            1 => ("lock &n", "unlock &n"),
            _ => ("atomic_begin", "atomic_end"),
        };
        self.step(begin);
        self.block(3);
        self.step(end);
    }

    fn bounded_loop(&mut self) {
        let i = format!("i{}", self.next);
        self.step(&format!("{i} := 0"));
        let head = self.at.clone();
        self.step(&format!("assume {i} < 2"));
        self.block(2);
        self.edge(&self.at.clone(), &head, &format!("{i} := {i} + 1"));
        self.at = head;
        self.step(&format!("assume !({i} < 2)"));
    }

    fn spin(&mut self, global: &str, k: u64) {
        let head = self.at.clone();
        self.step(&format!("t := {global}"));
        self.edge(&self.at.clone(), &head, &format!("assume t != {k}"));
        self.step(&format!("assume t == {k}"));
    }
}
