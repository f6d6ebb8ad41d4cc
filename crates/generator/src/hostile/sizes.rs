//! Allocations whose size is computed: from inputs, from what other threads write, by `calloc` and
//! `realloc`, and accesses up to that size and beyond.
//!
//! For memory safety the program has one thread and the range of the size is known, so it is known
//! whether an access misses. For the other properties a size that is wrong cuts executions off:
//! engines are compared, and compiled runs may fail.

use super::{INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

struct Sizes {
    rng: Rng,
    /// The least and the greatest size, in elements.
    low: usize,
    high: usize,
    valid: bool,
}

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let property = rng.pick(&[
        Property::Reach,
        Property::Reach,
        Property::MEMSAFETY,
        Property::MEMSAFETY,
        Property::Race,
    ]);
    let low = rng.between(1, 3);
    let mut sizes = Sizes {
        low,
        high: low,
        valid: true,
        rng,
    };
    match property {
        Property::MemSafety(_) => {
            let source = sizes.alone();
            (property, Oracle::Known(sizes.valid), source)
        }
        _ => (property, Oracle::Engines, sizes.threaded()),
    }
}

impl Sizes {
    fn beginning(&self) -> Source {
        let mut source =
            Source::starting("#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>");
        source.line(INTRINSICS);
        source.line("int n, d, e;\nint *q;");
        source
    }

    /// Sets `n`, and the range that it is in.
    fn size(&mut self) -> String {
        let low = self.low;
        match self.rng.below(6) {
            0 => format!("n = {low};"),
            1 => {
                self.high = low + 1;
                format!("n = {low} + __VERIFIER_nondet_bool();")
            }
            2 => {
                self.high = low + 3;
                format!("n = (__VERIFIER_nondet_int() & 3) + {low};")
            }
            3 => {
                self.high = low + 2;
                format!(
                    "for (n = {low}; n < {} && __VERIFIER_nondet_bool(); n++) ;",
                    low + 2
                )
            }
            4 => {
                self.high = low + 1;
                format!(
                    "n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= {low} && n <= {});",
                    low + 1
                )
            }
            _ => {
                self.high = low + 1;
                format!(
                    "switch (__VERIFIER_nondet_bool()) {{ case 0: n = {low}; break; default: n = {}; }}",
                    low + 1
                )
            }
        }
    }

    fn allocation(&mut self) -> &'static str {
        self.rng.pick(&[
            "q = malloc(n * sizeof(int));",
            "q = malloc(sizeof(int) * (unsigned long)n);",
            "q = calloc(n, sizeof *q);",
            "q = calloc(sizeof *q, n);",
            "q = malloc((n << 2));",
            "q = malloc(4); q = realloc(q, n * 4);",
            "q = realloc(0, n * sizeof *q);",
            "q = malloc((n + 4) * sizeof *q); q = realloc(q, n * sizeof *q);",
            "{ struct pair { int a; int b; }; q = malloc(n * sizeof(struct pair) / 2); }",
        ])
    }

    /// An access, which may miss.
    fn access(&mut self) -> String {
        let (low, high) = (self.low, self.high);
        let index = self.rng.below(high + 2);
        let (text, fits) = match self.rng.below(9) {
            0 => ("q[n - 1] = 1;".to_owned(), true),
            1 if self.rng.chance(30) => ("q[n] = 1;".to_owned(), false),
            2 => ("for (int i = 0; i < n; i++) q[i] = i;".to_owned(), true),
            3 if self.rng.chance(30) => {
                ("for (int i = 0; i <= n; i++) q[i] = i;".to_owned(), false)
            }
            4 => ("memset(q, 0, n * sizeof *q);".to_owned(), true),
            5 if self.rng.chance(30) => ("memset(q, 0, 4 * n + 1);".to_owned(), false),
            6 => (format!("if (n > {index}) q[{index}] = 2;"), true),
            7 => (format!("if (n == {low}) q[{}] = 3;", low - 1), true),
            8 => ("*(q + n - 1) = 4;".to_owned(), true),
            _ => (format!("q[{index}] = 5;"), index < low),
        };
        self.valid &= fits;
        text
    }

    fn alone(&mut self) -> Source {
        let mut source = self.beginning();
        source.line("int main(void)\n{");
        let size = self.size();
        source.line(format!("    {size}"));
        let allocation = self.allocation();
        source.line(format!("    {allocation}"));
        for _ in 0..self.rng.between(1, 3) {
            let before = self.valid;
            let access = self.access();
            match before == self.valid {
                true => source.spare(format!("    {access}")),
                false => source.line(format!("    {access}")),
            }
        }
        source.line("    free(q);\n    return 0;\n}");
        source
    }

    /// Others change the size, or read what is behind the allocation in the program's order.
    fn threaded(&mut self) -> Source {
        let mut source = self.beginning();
        let (low, more) = (self.low, self.low + self.rng.between(1, 2));
        source.line(format!(
            "void *s(void *a)\n{{\n    n = {more};\n    return 0;\n}}"
        ));
        let writer = self.rng.pick(&[
            "d = 1; e = 1;",
            "d = 1; e = d;",
            "e = 1; d = 1;",
            "q[0] = 1; e = 1;",
        ]);
        source.line(format!(
            "void *a(void *a)\n{{\n    {writer}\n    return 0;\n}}"
        ));
        let reader = self.rng.pick(&[
            "u == 1 && v == 0",
            "u == 0 && v == 1",
            "u && v",
            "u + v == 3",
        ]);
        source.line(format!(
            "void *b(void *a)\n{{\n    int u = d;\n    int v = e;\n    if ({reader}) reach_error();\n    return 0;\n}}"
        ));
        source.line("int main(void)\n{\n    pthread_t w, t, u;");
        let changed = self.rng.chance(50);
        match changed {
            true => source.line(format!("    n = {low};\n    pthread_create(&w, 0, s, 0);")),
            false => {
                let size = self.size();
                source.line(format!("    {size}"));
            }
        }
        let allocation = self.allocation();
        source.line(format!("    {allocation}"));
        for _ in 0..self.rng.between(1, 2) {
            let access = match self.rng.chance(50) {
                true => format!("q[{}] = 5;", self.rng.below(more + 1)),
                false => self.access(),
            };
            source.line(format!("    {access}"));
        }
        source.line("    pthread_create(&t, 0, a, 0);\n    pthread_create(&u, 0, b, 0);");
        if changed && self.rng.chance(50) {
            source.line("    pthread_join(w, 0);");
        }
        source.line("    pthread_join(t, 0);\n    pthread_join(u, 0);");
        let last = self.rng.pick(&[
            "q[0] = 7;",
            "free(q);",
            "if (q[0] == 5) reach_error();",
            "d = q[1];",
        ]);
        source.line(format!("    {last}\n    return 0;\n}}"));
        source
    }
}
