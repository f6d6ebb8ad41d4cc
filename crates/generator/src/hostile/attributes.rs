//! Attributes that change what a program does, and built-ins with effects in their arguments.
//!
//! The program has one execution, which leaves marks; what they are is learnt from a compiled run.

use super::{GIVEN, INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

struct Attributes {
    rng: Rng,
    /// For names and marks.
    next: usize,
    /// Statements of `main`.
    main: Vec<String>,
}

/// A random program of this class.
pub fn program(rng: Rng) -> Made {
    let mut attributes = Attributes {
        rng,
        next: 1,
        main: Vec::new(),
    };
    (Property::Reach, Oracle::Values, attributes.source())
}

impl Attributes {
    fn source(&mut self) -> Source {
        let mut source = Source::starting(
            "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>",
        );
        source.line(INTRINSICS);
        source.line(GIVEN);
        source.line(
            "unsigned marks;\nstatic void mark(unsigned k)\n{\n    marks = marks * 8 + k;\n}",
        );
        source.line("static int effect(int k)\n{\n    mark(k & 7);\n    return k;\n}");
        source.line("int cell = 3;\natomic_int atom = 4;");
        for _ in 0..self.rng.between(1, 4) {
            let text = self.element();
            source.line(text);
        }
        source.line("int main(void)\n{\n    mark(1);");
        for statement in std::mem::take(&mut self.main) {
            source.line(format!("    {statement}"));
        }
        source.line("    check(marks);\n    check(cell);");
        let end = self.rng.pick(&[
            "return 0;",
            "return 0;",
            "exit(0);",
            "pthread_exit(0);",
            "_Exit(0);",
            "quick_exit(0);",
        ]);
        source.line(format!("    {end}\n}}"));
        source
    }

    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn element(&mut self) -> String {
        match self.rng.below(9) {
            0 | 1 => self.constructor(),
            2 => self.destructor(),
            3 | 4 => self.cleanup(),
            5 => self.alias(),
            6 => self.noreturn(),
            7 => self.weak(),
            _ => self.builtins(),
        }
    }

    fn spelt(&mut self, attribute: &str) -> String {
        let (name, rest) = attribute.split_at(attribute.find('(').unwrap_or(attribute.len()));
        match self.rng.below(3) {
            0 => format!("__attribute__((__{name}__{rest}))"),
            _ => format!("__attribute__(({attribute}))"),
        }
    }

    fn function(&mut self, attribute: &str, name: &str, body: &str) -> String {
        let attribute = self.spelt(attribute);
        match self.rng.below(4) {
            0 => format!("{attribute} static void {name}(void)\n{{\n    {body}\n}}"),
            1 => format!("static void {attribute} {name}(void)\n{{\n    {body}\n}}"),
            2 => format!(
                "static void {name}(void) {attribute};\nstatic void {name}(void)\n{{\n    {body}\n}}"
            ),
            _ => format!("void {name}(void) {attribute};\nvoid {name}(void)\n{{\n    {body}\n}}"),
        }
    }

    fn priority(&mut self, name: &str) -> String {
        match self.rng.chance(50) {
            true => format!("{name}({})", 101 + self.rng.below(6)),
            false => name.to_owned(),
        }
    }

    fn constructor(&mut self) -> String {
        let k = self.fresh();
        let mark = format!("mark({});", k & 7);
        if self.rng.chance(12) {
            return format!(
                "static void con{k}(void)\n{{\n    {mark}\n}}\n__attribute__((section(\".init_array\"), used)) static void (*init{k})(void) = con{k};"
            );
        }
        let attribute = self.priority("constructor");
        let body = match self.rng.below(4) {
            0 => format!("{mark} check(marks);"),
            1 => format!("{mark} cell += input({k});"),
            2 => format!("if (cell == 3) {mark} else mark(7);"),
            _ => mark,
        };
        self.function(&attribute, &format!("con{k}"), &body)
    }

    fn destructor(&mut self) -> String {
        let k = self.fresh();
        let body = format!("mark({}); check(marks);", k & 7);
        if self.rng.chance(30) {
            let register = self.rng.pick(&["atexit", "atexit", "at_quick_exit"]);
            self.main.push(format!("{register}(des{k});"));
            return format!("static void des{k}(void)\n{{\n    {body}\n}}");
        }
        let attribute = self.priority("destructor");
        self.function(&attribute, &format!("des{k}"), &body)
    }

    /// Variables whose end is an event, in nested blocks that are left in every way.
    fn cleanup(&mut self) -> String {
        let k = self.fresh();
        let call = format!("scopes{k}(input({}));", self.rng.below(3));
        self.main.push(match self.rng.chance(50) {
            true => format!("cell += {call}"),
            false => call,
        });
        let attribute = self.spelt(&format!("cleanup(end{k})"));
        let outer = match self.rng.chance(50) {
            true => format!("{attribute} int a = 1;"),
            false => format!("int a {attribute} = 1;"),
        };
        let inner = format!("{attribute} int b = 2, c = 3;");
        let leave = self.rng.pick(&[
            "break;",
            "continue;",
            "return cell;",
            "goto out;",
            "if (n) break;",
            "if (n > 1) return a + b;",
            "if (i) goto out;",
            "a = 4;",
            "pthread_exit(0);",
        ]);
        let leave = if leave.starts_with("pthread") && self.rng.chance(70) {
            "break;"
        } else {
            leave
        };
        format!(
            "static void end{k}(int *p)\n{{\n    mark(*p);\n}}\n\
             static int scopes{k}(int n)\n{{\n    {outer}\n    for (int i = 0; i < 2; i++) {{\n        {inner}\n        \
             mark(5);\n        {leave}\n        mark(6);\n    }}\nout:\n    mark(7);\n    return a;\n}}"
        )
    }

    fn alias(&mut self) -> String {
        let k = self.fresh();
        let ways = [
            "int other(void) __attribute__((alias(\"real\")));",
            "extern int other(void) __attribute__((weak, alias(\"real\")));",
            "#pragma weak other = real\nint other(void);",
            "int other(void) __attribute__((weakref(\"real\"), unused));",
            "int other(void) __asm__(\"real\");",
        ];
        let way = self.rng.below(ways.len());
        let linkage = if way == 3 { "static " } else { "" };
        let named = |text: &str| {
            text.replace("other", &format!("other{k}"))
                .replace("real", &format!("real{k}"))
        };
        self.main.push(named("check(other());"));
        let real = named(&format!(
            "int real(void)\n{{\n    mark({});\n    return {k};\n}}",
            k & 7
        ));
        if self.rng.chance(30) {
            self.main.push(format!("shadow{k} = 9; check(plain{k});"));
            return format!(
                "{real}\n{linkage}{}\nint plain{k} = 5;\nextern int shadow{k} __attribute__((alias(\"plain{k}\")));",
                named(ways[way])
            );
        }
        format!("{real}\n{linkage}{}", named(ways[way]))
    }

    fn noreturn(&mut self) -> String {
        let k = self.fresh();
        let guard = self.rng.pick(&["0", "1", "cell == 99"]);
        self.main
            .push(format!("if (input({guard})) {{ stop{k}(); mark(6); }}"));
        let attribute = self.rng.pick(&[
            "_Noreturn",
            "__attribute__((noreturn))",
            "__attribute__((__noreturn__))",
        ]);
        let body = self
            .rng
            .pick(&["exit(0);", "_Exit(0);", "abort();", "for (;;) exit(0);"]);
        let body = if guard == "1" {
            body.replace("abort", "exit(0);  //")
        } else {
            body.to_owned()
        };
        format!("{attribute} static void stop{k}(void)\n{{\n    check(marks);\n    {body}\n}}")
    }

    fn weak(&mut self) -> String {
        let k = self.fresh();
        let defined = self.rng.chance(50);
        self.main.push(format!("check(hook{k} ? hook{k}() : -1);"));
        let attribute = self.spelt("weak");
        match defined {
            true => format!("{attribute} int hook{k}(void)\n{{\n    return effect({k});\n}}"),
            false => format!("extern int hook{k}(void) {attribute};"),
        }
    }

    /// Arguments that are not needed for the result, some of which are evaluated all the same. Each
    /// call has at most one effect, or an order that the language fixes.
    fn builtins(&mut self) -> String {
        let calls = [
            "__builtin_expect(cell, effect(2))",
            "__builtin_expect_with_probability(effect(2), 1, 0.5)",
            "__builtin_constant_p(effect(3))",
            "(__builtin_prefetch((effect(4), &cell)), 1)",
            "__atomic_load_n(&cell, (effect(5), 5))",
            "(__atomic_store_n(&cell, 8, (effect(2), 5)), 2)",
            "__atomic_fetch_add(&cell, 1, (effect(6), 5))",
            "__atomic_fetch_add(&cell, effect(1), 5)",
            "atomic_load_explicit(&atom, (effect(3), memory_order_seq_cst))",
            "atomic_fetch_or_explicit(&atom, 1, (effect(2), memory_order_seq_cst))",
            "(__atomic_thread_fence((effect(7), 5)), 3)",
            "*(int *)__builtin_assume_aligned((effect(2), &cell), 4)",
            "*(int *)__builtin_assume_aligned(&cell, 4, (effect(3), 0))",
            "(int)sizeof(effect(4))",
            "(int)sizeof(int[effect(4)])",
            "(int)sizeof(*(effect(5), &cell))",
            "__builtin_choose_expr(1, effect(1), effect(2))",
            "_Generic(effect(3), int: effect(4), default: effect(5))",
            "(int)_Alignof(int[2])",
            "__builtin_types_compatible_p(int, typeof(effect(6)))",
            "(int)__builtin_object_size((effect(2), &cell), 0) > 0",
            "(int)__atomic_always_lock_free(sizeof(int), 0)",
            "__sync_fetch_and_add(&cell, effect(2))",
            "__sync_bool_compare_and_swap(&cell, 3, effect(4))",
            "(memcpy(&cell, (effect(2), &cell), 0), 4)",
            "(memcpy(&cell, &cell, (effect(3), 0)), 4)",
            "(memset(&cell, effect(7), 1), 5)",
            "(memset(&cell, 7, effect(0)), 5)",
            "__builtin_add_overflow(effect(2), 3, &cell)",
            "__builtin_mul_overflow_p(effect(2), 3, (char)1)",
            "__builtin_mul_overflow_p(2, 3, (char)effect(1))",
            "__builtin_popcount(effect(7)) + __builtin_ctz(4)",
            "({ int v = effect(2); v + 1; })",
            "(effect(1) ?: effect(2))",
            "effect(0) && effect(3) || effect(4)",
        ];
        for _ in 0..self.rng.between(1, 3) {
            let call = self.rng.pick(&calls);
            self.main.push(format!("check({call});"));
        }
        String::from("/* built-ins */")
    }
}
