//! Addresses that become numbers, and numbers that become addresses again.
//!
//! An address goes through a [`Way`](super::numbers_ways::Way), here or in two threads, and is
//! written through or called. Ways return what they were given, so the verdict is known. Also:
//! pointers that were never set and are compared before they are used, and functions that are called
//! through pointers which may be null.

use super::numbers_ways::way;
use super::{INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

const BEGINNING: &str = "\
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>";

struct Numbers {
    rng: Rng,
}

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let kind = rng.below(10);
    let mut numbers = Numbers { rng };
    match kind {
        0 => numbers.unset(),
        1 => numbers.null_function(),
        2..4 => numbers.race(),
        _ => numbers.rebuilt(),
    }
}

impl Numbers {
    fn beginning(&self) -> Source {
        let mut source = Source::starting(BEGINNING);
        source.line(INTRINSICS);
        source.line("int x, y, xs[3], *heap;\nint *some[3] = {&y, &x, &xs[1]};");
        source.line("void hit(void)\n{\n    x = 1;\n}\nvoid miss(void)\n{\n    y = 1;\n}");
        source
    }

    /// What happens only sometimes.
    fn condition(&mut self) -> &'static str {
        self.rng.pick(&[
            "__VERIFIER_nondet_bool()",
            "__VERIFIER_nondet_int() == 123456789",
            "__VERIFIER_nondet_uint() * 2654435761u == 0xdeadbeefu",
            "__VERIFIER_nondet_uint() % 1000 == 77",
        ])
    }

    /// An address goes away and comes back, and is used.
    fn rebuilt(&mut self) -> Made {
        let mut source = self.beginning();
        let way = way(&mut self.rng);
        let searched = way.get.contains("some[");
        let targets: &[(&str, &str)] = match searched {
            true => &[("&x", "x"), ("&xs[1]", "xs[1]")],
            false => &[
                ("&x", "x"),
                ("&x", "x"),
                ("&xs[1]", "xs[1]"),
                ("&z", "z"),
                ("heap", "*heap"),
                ("hit", "x"),
            ],
        };
        let (mut address, place) = self.rng.pick(targets);
        // Functions need not be aligned: their low bits matter.
        let low_bits = ["|", ">> 2", "+ 3"];
        if address == "hit" && low_bits.iter().any(|part| way.put.contains(part)) {
            address = "&x";
        }
        let split = self.rng.chance(40);
        let sometimes = self.rng.chance(40).then(|| self.condition());
        source.line(&way.globals);
        let mut get = format!("    uintptr_t r = 0;\n    {}\n", way.get);
        let usage = match address {
            "hit" => "((void (*)(void))r)();",
            _ => self.rng.pick(&[
                "*(int *)r = 1;",
                "{ int *p = (int *)r; *p = 1; }",
                "memset((void *)r, 1, 1);",
            ]),
        };
        get += &match sometimes {
            Some(condition) => format!("    if ({condition}) {usage}"),
            None => format!("    {usage}"),
        };
        if split {
            source.line(format!("void *t(void *arg)\n{{\n{get}\n    return 0;\n}}"));
        }
        source.line("int main(void)\n{");
        match place {
            "z" => source.line("    int z = 0;"),
            "*heap" => source.line("    heap = calloc(1, sizeof *heap);"),
            _ => {}
        }
        source.line(format!(
            "    uintptr_t v = (uintptr_t){address};\n    {}",
            way.put
        ));
        match split {
            true => source.line(
                "    pthread_t h;\n    pthread_create(&h, 0, t, 0);\n    pthread_join(h, 0);",
            ),
            false => source.line(get),
        }
        let (claim, safe) = match self.rng.below(5) {
            0..3 => (format!("{place} == 0"), false),
            3 => (format!("{place} == 1"), sometimes.is_none()),
            _ => (format!("{place} == 0 || {place} == 1"), true),
        };
        source.line(format!(
            "    if (!({claim})) reach_error();\n    return 0;\n}}"
        ));
        (Property::Reach, Oracle::Known(safe), source)
    }

    /// A thread writes through it while another one reads the object, or not.
    fn race(&mut self) -> Made {
        let mut source = self.beginning();
        let way = way(&mut self.rng);
        let (address, place) = self.rng.pick(&[("&x", "x"), ("&xs[1]", "xs[1]")]);
        source.line(&way.globals);
        let usage = self
            .rng
            .pick(&["*(int *)r = 1;", "x += *(int *)r;", "((int *)r)[0]++;"]);
        let condition = match self.rng.chance(30) {
            true => format!("if ({}) ", self.condition()),
            false => String::new(),
        };
        source.line(format!(
            "void *t(void *arg)\n{{\n    uintptr_t r = 0;\n    {}\n    {condition}{usage}\n    return 0;\n}}",
            way.get
        ));
        source.line(format!(
            "int main(void)\n{{\n    uintptr_t v = (uintptr_t){address};\n    {}",
            way.put
        ));
        source.line("    pthread_t h;\n    pthread_create(&h, 0, t, 0);");
        let before = self.rng.chance(50);
        let other = self.rng.chance(25);
        let access = match other {
            true => "y = 2;".to_owned(),
            false => format!("{place} = 2;"),
        };
        match before {
            true => source.line(format!("    {access}\n    pthread_join(h, 0);")),
            false => source.line(format!("    pthread_join(h, 0);\n    {access}")),
        }
        source.line("    return 0;\n}");
        (Property::Race, Oracle::Known(!before || other), source)
    }

    /// A pointer that was never set may be any, also the one that it is compared with.
    fn unset(&mut self) -> Made {
        let mut source = self.beginning();
        let (ty, value, usage) = self.rng.pick(&[
            ("int *p", "&x", "*p = 1;"),
            ("int *p", "&xs[1]", "*p = 1; x = xs[1];"),
            ("void (*p)(void)", "hit", "p();"),
            ("uintptr_t p", "(uintptr_t)&x", "*(int *)p = 1;"),
        ]);
        source.line("int main(void)\n{");
        let declared = match self.rng.below(3) {
            0 => format!("    {ty};"),
            1 if ty == "int *p" => {
                "    int *ps[2];\n    int *p = ps[__VERIFIER_nondet_bool()];".to_owned()
            }
            2 if ty == "int *p" => {
                "    int **cell = malloc(sizeof *cell);\n    int *p = *cell;".to_owned()
            }
            _ => format!("    {ty};"),
        };
        source.line(declared);
        let negated = self.rng.chance(20);
        match negated {
            true => source.line(format!("    if (p != {value}) return 0;\n    {usage}")),
            false => source.line(format!("    if (p == {value}) {{ {usage} }}")),
        }
        let safe = self.rng.chance(30);
        let claim = if safe { "x == 0 || x == 1" } else { "x == 0" };
        source.line(format!(
            "    if (!({claim})) reach_error();\n    return 0;\n}}"
        ));
        (Property::Reach, Oracle::Known(safe), source)
    }

    /// A table of functions with a hole, or a pointer that another thread sets.
    fn null_function(&mut self) -> Made {
        let mut source = self.beginning();
        let guarded = self.rng.chance(35);
        let guard = if guarded { "if (f) " } else { "" };
        match self.rng.chance(50) {
            true => {
                source.line("void (*table[4])(void) = {hit, 0, miss};\nint main(void)\n{");
                let index = self.rng.pick(&[
                    "__VERIFIER_nondet_uint() % 4",
                    "__VERIFIER_nondet_bool()",
                    "1",
                    "3",
                ]);
                source.line(format!(
                    "    unsigned i = {index};\n    void (*f)(void) = table[i];"
                ));
            }
            false => {
                source.line("void (*volatile fp)(void);\nvoid *t(void *arg)\n{\n    fp = hit;\n    return 0;\n}");
                source
                    .line("int main(void)\n{\n    pthread_t h;\n    pthread_create(&h, 0, t, 0);");
                if self.rng.chance(30) {
                    source
                        .line("    pthread_join(h, 0);\n    if (__VERIFIER_nondet_bool()) fp = 0;");
                }
                source.line("    void (*f)(void) = fp;");
            }
        }
        source.line(format!("    {guard}f();\n    return 0;\n}}"));
        (Property::MEMSAFETY, Oracle::Known(guarded), source)
    }
}
