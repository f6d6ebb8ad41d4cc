//! Control flow beyond blocks: jumps out of functions that are called, jumps to computed labels, jumps into loops and out
//! of expressions, `switch` into the middle of a loop, recursion.
//!
//! The program has one execution; what it computes is learnt from a compiled run. A counter of *fuel* bounds it: whatever goes
//! backwards or deeper takes some. Locals are `volatile`, so that they keep their values when a jump comes back. From its
//! `setjmp` on a function is open until it ends or is left by a jump: its number says how deep it is.

use super::{GIVEN, INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

/// How many functions there are; each has a buffer.
const FUNCTIONS: usize = 3;

/// How many labels a function may jump to.
const LABELS: usize = 3;

struct Control {
    rng: Rng,
    /// The function that is made.
    function: usize,
    /// How many names were made in it.
    names: usize,
    /// Labels that have not been placed yet.
    labels: Vec<usize>,
    /// Names of locals of blocks that can be used.
    inner: Vec<String>,
}

/// A random program of this class.
pub fn program(rng: Rng) -> Made {
    let mut control = Control {
        rng,
        function: 0,
        names: 0,
        labels: Vec::new(),
        inner: Vec::new(),
    };
    (Property::Reach, Oracle::Values, control.source())
}

impl Control {
    fn source(&mut self) -> Source {
        let mut source = Source::starting("#include <setjmp.h>\n#include <stdlib.h>");
        source.line(INTRINSICS);
        source.line(GIVEN);
        source.line(format!(
            "static volatile int fuel = {};\nstatic volatile unsigned g = 1, h = 2;\nstatic volatile int depth;",
            self.rng.between(4, 12)
        ));
        for at in 0..FUNCTIONS {
            source.line(format!(
                "static jmp_buf env{at};\nstatic volatile int open{at};\n\
                 static void shut{at}(void)\n{{\n    if (open{at}) depth = open{at} - 1;\n    open{at} = 0;\n}}"
            ));
            source.line(format!("static unsigned f{at}(unsigned n);"));
        }
        source.line(
            // What a jump has left is open no more.
            "static void landed(int level)\n{\n    if (open0 > level) open0 = 0;\n    if (open1 > level) open1 = 0;\n    \
             if (open2 > level) open2 = 0;\n    depth = level;\n}\n\
             static unsigned (*const table[])(unsigned) = { f0, f1, f2 };\n\
             static void leave(int where, int value)\n{\n    if (fuel-- <= 0) return;\n    \
             if (where == 0 && open0) longjmp(env0, value);\n    if (where == 1 && open1) longjmp(env1, value);\n    \
             if (where == 2 && open2) longjmp(env2, value);\n}",
        );
        for at in 0..FUNCTIONS {
            self.function(at, &mut source);
        }
        source.line("int main(void)\n{\n    check(f0(input(3)));");
        source.spare("    check(f1(5));");
        source.spare("    check(f2(7));");
        source.line("    check(g);\n    check(h);\n    check(fuel);\n    return 0;\n}");
        source
    }

    fn function(&mut self, at: usize, source: &mut Source) {
        self.function = at;
        self.names = 0;
        self.labels = (0..LABELS).collect();
        source.line(format!(
            "static unsigned f{at}(unsigned n)\n{{\n    volatile unsigned a = n, b = {};\n    volatile int came = 0;\n    \
             static const void *const labels[] = {{ &&l0, &&l1, &&l2 }};\n    if (open{at} || fuel-- <= 0) return n + 1;",
            self.rng.below(9)
        ));
        // A `setjmp` behind calls that may come back to it is refused in a function with labels.
        if self.rng.chance(80) {
            let text = self.set_jump();
            source.spare(format!("    {text}"));
        }
        for _ in 0..self.rng.between(2, 5) {
            let text = self.statement(0);
            source.spare(format!("    {text}"));
        }
        for label in std::mem::take(&mut self.labels) {
            let text = self.statement(0);
            source.line(format!("l{label}:\n    {text}"));
        }
        source.line(format!(
            "    if (fuel < 0) goto out;\n    check(a);\nout:\n    shut{at}();\n    return a ^ b ^ came ^ (labels[0] == 0);\n}}"
        ));
    }

    fn variable(&mut self) -> String {
        let mut names: Vec<&str> = vec!["a", "b", "a", "b", "g", "h"];
        names.extend(self.inner.iter().map(String::as_str));
        self.rng.pick(&names).to_owned()
    }

    /// An expression without effects.
    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.rng.chance(30) {
            return match self.rng.chance(60) {
                true => self.variable(),
                false => format!("{}u", self.rng.below(10)),
            };
        }
        let (x, y) = (self.value(depth - 1), self.value(depth - 1));
        match self.rng.below(9) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} ^ {y})"),
            4 => format!("({x} >> ({y} & 3))"),
            5 => format!("({x} < {y})"),
            6 => format!("({x} ? {y} : came)"),
            7 => format!("({x} && {y})"),
            _ => format!("({x} % ({y} | 1))"),
        }
    }

    fn block(&mut self, depth: usize) -> String {
        let kept = self.inner.len();
        let many = self.rng.between(1, 2);
        let mut text = String::from("{ ");
        if self.rng.chance(30) {
            let (name, value) = (self.name("v"), self.value(1));
            match self.rng.below(3) {
                0 => text += &format!("volatile unsigned {name} = {value}; "),
                1 => {
                    let place = self.name("w");
                    text += &format!(
                        "volatile unsigned {place}[2] = {{ {value}, 5 }}; volatile unsigned *{name}p = &{place}[{}]; ",
                        self.rng.below(2)
                    );
                    self.inner.push(format!("(*{name}p)"));
                }
                _ => {
                    text += &format!(
                        "union {{ unsigned u; struct {{ unsigned low : 5, high : 27; }} f; }} {name} = {{ {value} }}; "
                    );
                    self.inner.push(format!("{name}.f.low"));
                }
            }
            if !text.contains("union") && !text.contains("p = &") {
                self.inner.push(name);
            }
        }
        for _ in 0..many {
            text += &self.statement(depth);
            text.push(' ');
        }
        self.inner.truncate(kept);
        text + "}"
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}_{}", self.function, self.names)
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth >= 3 {
            return self.simple();
        }
        let deeper = depth + 1;
        let condition = self.value(2);
        match self.rng.below(16) {
            0 | 1 => format!(
                "if ({condition}) {} else {}",
                self.block(deeper),
                self.block(deeper)
            ),
            2 => format!("while (fuel-- > 0 && {condition}) {}", self.block(deeper)),
            3 => format!(
                "do {} while (fuel-- > 0 && {condition});",
                self.block(deeper)
            ),
            4 => format!(
                "for (unsigned i = 0; i < {}; i++) {{ {} if ({condition}) {}; {} }}",
                self.rng.between(1, 3),
                self.statement(deeper),
                self.rng.pick(&["break", "continue", "goto out"]),
                self.statement(deeper)
            ),
            5 => format!(
                "switch ({condition}) {{ case 0: {} case 1 ... 3: {} {} default: {} }}",
                self.simple(),
                self.block(deeper),
                self.rng.pick(&["break;", ""]),
                self.simple()
            ),
            6 => format!(
                "switch ({condition} & 3) {{ case 0: do {{ {} case 1: {} case 2: {} }} while (fuel-- > 0 && {}); case 3: {} }}",
                self.simple(),
                self.simple(),
                self.simple(),
                self.value(1),
                self.simple()
            ),
            7 | 8 => match self.labels.pop() {
                Some(label) => format!("l{label}: {}", self.block(deeper)),
                None => self.simple(),
            },
            9 => format!("if (fuel-- > 0) goto *labels[{condition} % {LABELS}];"),
            10 => format!(
                "if (fuel-- > 0 && {condition}) goto l{};",
                self.rng.below(LABELS)
            ),
            _ => self.simple(),
        }
    }

    fn set_jump(&mut self) -> String {
        let (at, deeper) = (self.function, 1);
        let call = self
            .rng
            .pick(&["setjmp(env#)", "_setjmp(env#)", "__sigsetjmp(env#, 0)"]);
        let call = call.replace('#', &at.to_string());
        match self.rng.below(3) {
            0 => format!(
                "if ({call} == 0) {{ open{at} = ++depth; {} }} else {{ landed(open{at}); came++; {} }}",
                self.statement(deeper),
                self.simple()
            ),
            1 => format!(
                "switch ({call}) {{ case 0: open{at} = ++depth; {} break; case 1: landed(open{at}); came += 2; {} default: landed(open{at}); came += 3; }}",
                self.statement(deeper),
                self.simple()
            ),
            _ => format!(
                "if (!{call}) open{at} = ++depth; else {{ landed(open{at}); came += 5; }} {}",
                self.statement(deeper)
            ),
        }
    }

    fn simple(&mut self) -> String {
        let (variable, value) = (self.variable(), self.value(2));
        match self.rng.below(12) {
            0 => format!("check({value});"),
            1 => format!(
                "{variable} += ({{ unsigned t = {value}; if (t > 9) {{ g++; goto out; }} t; }});"
            ),
            2 => format!("{variable} = f{}({value});", self.rng.below(FUNCTIONS)),
            3 => format!("{variable} ^= 1 + table[{value} % {FUNCTIONS}]({value});"),
            4 => format!("leave({}, {value} & 1);", self.rng.below(FUNCTIONS)),
            5 => format!("if ({value}) leave({}, 2);", self.rng.below(FUNCTIONS)),
            6 => format!(
                "{variable} = (leave({}, {value} & 3), {value});",
                self.rng.below(FUNCTIONS)
            ),
            7 => format!("if ({value} > 20) return {value};")
                .replace("return", &format!("return shut{}(),", self.function)),
            8 => format!("{variable}++;"),
            _ => format!(
                "{variable} {} {value};",
                self.rng.pick(&["=", "+=", "-=", "^=", "|=", "&="])
            ),
        }
    }
}
