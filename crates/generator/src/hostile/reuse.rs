//! Addresses and handles that may be used again.
//!
//! Whether memory that is allocated after some was freed gets the same address is open, and so is
//! the handle of a thread that starts after another one was joined. What overlaps in time differs.
//! So for every two pointers it is known whether they are equal, differ, or may do either. Compilers
//! know only what their system does, so that what is open is not compared with them.

use super::{INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

/// Pointers in a program.
const POINTERS: usize = 4;

/// An object or a thread, from its beginning to its end.
#[derive(Clone, Copy)]
struct Life {
    from: usize,
    to: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Equal,
    Differ,
    Open,
}

struct Reuse {
    rng: Rng,
    lives: Vec<Life>,
    /// By pointer: what it points to or did.
    holds: Vec<Option<usize>>,
}

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let kind = rng.below(10);
    let mut reuse = Reuse {
        rng,
        lives: Vec::new(),
        holds: vec![None; POINTERS],
    };
    match kind {
        0..2 => reuse.weak(),
        2..4 => reuse.stack(),
        4..6 => reuse.pointers(true),
        _ => reuse.pointers(false),
    }
}

fn beginning() -> Source {
    let mut source = Source::starting(
        "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>",
    );
    source.line(INTRINSICS);
    source
}

impl Reuse {
    /// Things begin and end, then two names for them are compared. Things are threads, or memory.
    fn pointers(&mut self, threads: bool) -> Made {
        let mut source = beginning();
        let (ty, letter) = match threads {
            true => ("pthread_t", 'h'),
            false => ("int *", 'p'),
        };
        source.line("void *t(void *arg)\n{\n    return 0;\n}");
        let names: Vec<String> = (0..POINTERS).map(|at| format!("{letter}{at}")).collect();
        for name in &names {
            source.line(format!("{ty} {name};"));
        }
        if !threads {
            source.line("_Atomic(int *) top;\nint *seen;");
        }
        let size = self.rng.pick(&["4", "sizeof(int)", "8", "16"]);
        source.line("int main(void)\n{");
        let steps = self.rng.between(2, 5);
        for now in 0..steps {
            let (step, spare) = self.step(now, threads, size);
            match spare {
                true => source.spare(format!("    {step}")),
                false => source.line(format!("    {step}")),
            }
        }
        let (first, second) = self.pair();
        let relation = self.relation(first, second);
        let (claim, holds_if) = self.claim(&names[first], &names[second], threads);
        source.line(format!(
            "    if (!({claim})) reach_error();\n    return 0;\n}}"
        ));
        let safe = relation == holds_if;
        (Property::Reach, Oracle::Known(safe), source)
    }

    /// Something begins, ends, or gets a second name.
    fn step(&mut self, now: usize, threads: bool, size: &str) -> (String, bool) {
        let letter = if threads { 'h' } else { 'p' };
        let living: Vec<usize> = (0..POINTERS)
            .filter(|at| self.holds[*at].is_some_and(|life| self.lives[life].to == usize::MAX))
            .collect();
        let at = self.rng.below(POINTERS);
        let end = !living.is_empty() && self.rng.chance(50);
        if end {
            let at = self.rng.pick(&living);
            let life = self.holds[at].expect("it lives");
            self.lives[life].to = now;
            return match threads {
                true => (format!("pthread_join(h{at}, 0);"), false),
                false => (format!("free(p{at});"), false),
            };
        }
        if let Some(life) = self.holds[at].filter(|_| self.rng.chance(20)) {
            let to = (at + 1) % POINTERS;
            self.holds[to] = Some(life);
            return (format!("{letter}{to} = {letter}{at};"), false);
        }
        if !threads && self.rng.chance(15) {
            return ("free(malloc(64));".to_owned(), true);
        }
        self.holds[at] = Some(self.lives.len());
        self.lives.push(Life {
            from: now,
            to: usize::MAX,
        });
        match threads {
            true => (format!("pthread_create(&h{at}, 0, t, 0);"), false),
            false => {
                let how = self
                    .rng
                    .pick(&["malloc(SIZE)", "calloc(1, SIZE)", "realloc(0, SIZE)"]);
                (format!("p{at} = {};", how.replace("SIZE", size)), false)
            }
        }
    }

    /// Two names that were used, different ones if there are two.
    fn pair(&mut self) -> (usize, usize) {
        let used: Vec<usize> = (0..POINTERS)
            .filter(|at| self.holds[*at].is_some())
            .collect();
        if used.len() < 2 {
            let only = used.first().copied().unwrap_or(0);
            return (only, only);
        }
        let first = self.rng.pick(&used);
        let others: Vec<usize> = used.into_iter().filter(|at| *at != first).collect();
        (first, self.rng.pick(&others))
    }

    fn relation(&self, first: usize, second: usize) -> Relation {
        let (Some(first), Some(second)) = (self.holds[first], self.holds[second]) else {
            return Relation::Equal;
        };
        let (one, other) = (self.lives[first], self.lives[second]);
        let overlap = one.from < other.to && other.from < one.to;
        match (first == second, overlap) {
            (true, _) => Relation::Equal,
            (_, true) => Relation::Differ,
            _ => Relation::Open,
        }
    }

    /// A claim about two names, and the relation that it holds in.
    fn claim(&mut self, first: &str, second: &str, threads: bool) -> (String, Relation) {
        let equal: &[&str] = match threads {
            true => &[
                "A == B",
                "pthread_equal(A, B)",
                "!memcmp(&A, &B, sizeof A)",
                "!(A ^ B)",
            ],
            false => &[
                "A == B",
                "(uintptr_t)A == (uintptr_t)B",
                "((uintptr_t)A ^ (uintptr_t)B) == 0",
                "!memcmp(&A, &B, sizeof A)",
                "(top = A, seen = B, atomic_compare_exchange_strong(&top, &seen, 0))",
                "(top = A, seen = B, __atomic_compare_exchange_n(&seen, &A, 0, 0, 5, 5))",
            ],
        };
        let equal = self
            .rng
            .pick(equal)
            .replace('A', first)
            .replace('B', second);
        let equal = match threads {
            // The order of handles and addresses is open as well.
            false if self.rng.chance(10) => {
                format!(
                    "((uintptr_t){first} < (uintptr_t){second} || {equal}) && ((uintptr_t){first} >= (uintptr_t){second})"
                )
            }
            _ => equal,
        };
        match self.rng.chance(50) {
            true => (equal, Relation::Equal),
            false => (format!("!({equal})"), Relation::Differ),
        }
    }

    /// A weak compare-exchange may fail without a reason, but only then.
    fn weak(&mut self) -> Made {
        let mut source = beginning();
        source.line("_Atomic int a;\nint b;\nint main(void)\n{\n    int e = 0, d = 0, ok = 0;");
        let same = self.rng.chance(70);
        source.line(format!(
            "    a = {0};\n    b = {0};",
            if same { 0 } else { 1 }
        ));
        let (object, call) = self.rng.pick(&[
            ("a", "atomic_compare_exchange_weak(&a, &e, 5)"),
            ("b", "__atomic_compare_exchange_n(&b, &e, 5, 1, 5, 5)"),
            ("a", "atomic_compare_exchange_weak_explicit(&a, &e, 5, memory_order_seq_cst, memory_order_seq_cst)"),
            ("b", "__atomic_compare_exchange(&b, &e, (d = 5, &d), 1, 5, 5)"),
        ]);
        let looped = self.rng.chance(40);
        match (looped, same) {
            (true, true) => source.line(format!("    while (!{call}) ;\n    ok = 1;")),
            (true, false) => source.line(format!(
                "    for (int i = 0; i < 2 && !ok && e == 0; i++) ok = {call};"
            )),
            (false, _) => source.line(format!("    ok = {call};")),
        }
        let (claim, safe) = match self.rng.below(4) {
            0 => ("ok".to_owned(), looped && same),
            1 => ("!ok".to_owned(), !same),
            2 => (format!("ok == ({object} == 5)"), true),
            _ => (
                format!("ok ? e == 0 : e == {}", if same { 0 } else { 1 }),
                true,
            ),
        };
        source.line(format!(
            "    if (!({claim})) reach_error();\n    return 0;\n}}"
        ));
        (Property::Reach, Oracle::Known(safe), source)
    }

    /// A stack whose pop compares the top with what it was: ABA, unless nothing is freed meanwhile
    /// or the stack counts.
    fn stack(&mut self) -> Made {
        let mut source = beginning();
        source.line("struct node { int pad; struct node *_Atomic next; };");
        source.line("struct node *_Atomic top;\nstruct node *b;");
        let frees = self.rng.chance(70);
        let order = self.rng.chance(50);
        let reads = match order {
            true => "struct node *p = top;\n    struct node *n = p->next;",
            false => "struct node *p = atomic_load(&top), *n;\n    n = atomic_load(&p->next);",
        };
        source.line(format!(
            "void *pop(void *arg)\n{{\n    {reads}\n    atomic_compare_exchange_strong(&top, &p, n);\n    return 0;\n}}"
        ));
        source.line("int main(void)\n{\n    struct node *a = malloc(sizeof *a);\n    b = malloc(sizeof *b);");
        source.line("    b->next = 0;\n    a->next = b;\n    top = a;\n    pthread_t h;\n    pthread_create(&h, 0, pop, 0);");
        source.line("    struct node *e = a;\n    if (!atomic_compare_exchange_strong(&top, &e, b)) return 0;");
        source.line("    e = b;\n    if (!atomic_compare_exchange_strong(&top, &e, 0)) return 0;");
        if frees {
            source.line("    free(a);");
        }
        let fresh = self
            .rng
            .pick(&["malloc(sizeof *e)", "calloc(1, sizeof *e)"]);
        source.line(format!(
            "    struct node *c = {fresh};\n    c->next = 0;\n    top = c;\n    pthread_join(h, 0);"
        ));
        source.line("    if (top == b) reach_error();\n    return 0;\n}");
        (Property::Reach, Oracle::Known(!frees), source)
    }
}
