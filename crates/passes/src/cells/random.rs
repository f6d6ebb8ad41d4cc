//! Random programs that are mostly about memory, in the notation of the tests.

use std::fmt::Write;

pub(super) fn random_program(seed: u64) -> String {
    let mut writer = Writer {
        random: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        out: String::new(),
        at: String::new(),
        next: 0,
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

    fn edge(&mut self, from: &str, to: &str, labels: &str) {
        let _ = writeln!(self.out, "{from} -> {to}: {labels}");
    }

    /// A step from here to a new location.
    fn step(&mut self, labels: &str) {
        self.next += 1;
        let to = self.next.to_string();
        self.edge(&self.at.clone(), &to, labels);
        self.at = to;
    }

    fn program(&mut self) {
        self.out += "static b[8]\nstatic a[16] +4=1 +12=2\nstatic m[8]\nstatic pp[8]\n";
        self.out += "heap h[16]\nheap g[12]\nstack s[8]\nstack e[8]\nglobal x\nglobal pg\n";
        self.body("one(pa)", "thread_exit 0", false);
        self.body("main()", "exit", true);
    }

    fn body(&mut self, head: &str, end: &str, main: bool) {
        let _ = writeln!(self.out, "proc {head}");
        self.at = "in".into();
        let start = if main { "p := &a" } else { "p := pa" };
        self.step(&format!("t := 0; i := 0; {start}; p2 := 3"));
        if main {
            self.statements(5);
            let again = self.at.clone();
            self.step("k := start one(p)");
            if self.pick(4) == 0 {
                self.edge(&self.at.clone(), &again, "assume t == 0; t := 1");
            }
        }
        self.statements(if main { 5 } else { 7 });
        self.edge(&self.at.clone(), "out", end);
    }

    fn statements(&mut self, most: u64) {
        for _ in 0..1 + self.pick(most) {
            self.statement();
        }
    }

    /// A pointer that the program can follow.
    fn pointer(&mut self) -> &'static str {
        self.one_of(&[
            "p", "p", "p", "&a", "&b", "(p + 4)", "(&a + 4)", "(&a + 8)", "(p - 4)",
        ])
    }

    fn statement(&mut self) {
        let (at, k) = (self.pointer(), self.pick(3));
        match self.pick(22) {
            0 | 1 => self.step(&format!("t := *{at}")),
            2 | 3 => self.step(&format!("*{at} := t + {k}")),
            4 => self.step(&format!("atomic t := *{at}; *{at} := t + 1")),
            5 => self.step("p2 := *(&a + 8)"),
            6 => self.step("*(&a + 4) := p2"),
            7 => self.step("i := input"),
            8 => self.step("p := &a + (sext64(i) * 4)"),
            9 => self.step("p := p + (sext64(i) * 8)"),
            10 => self.step("t := *(&a + sext64(i))"),
            11 => self.step("p := alloc h"),
            12 => self.step("p := alloc g; *p := 1; *(p + 4) := 0"),
            13 => self.step("p := alloc s; *p := t"),
            14 => self.step("dealloc s"),
            15 => self.step("p := alloc e"),
            16 => self.step("*&pp := p"),
            17 => self.step("p := *&pp"),
            18 => self.step("free p"),
            19 => self.locked(),
            20 => self.repeated(),
            _ => {
                let from = self.at.clone();
                self.edge(&from, "bad!", &format!("assume t == {k}"));
                self.step(&format!("assume t != {k}"));
            }
        }
    }

    /// A critical section, or half of one, with a lock in some object.
    fn locked(&mut self) {
        let lock = self.one_of(&["&m", "&m", "p", "(&b + 4)"]);
        self.step(&format!("lock {lock}"));
        self.statement();
        if self.pick(4) != 0 {
            self.step(&format!("unlock {lock}"));
        }
    }

    fn repeated(&mut self) {
        let i = format!("i{}", self.next);
        self.step(&format!("{i} := 0"));
        let head = self.at.clone();
        self.step(&format!("assume {i} < 2"));
        self.statement();
        self.edge(&self.at.clone(), &head, &format!("{i} := {i} + 1"));
        self.at = head;
        self.step(&format!("assume !({i} < 2)"));
    }
}
