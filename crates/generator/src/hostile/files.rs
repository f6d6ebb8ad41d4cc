//! Several files: weak and strong definitions, tentative ones, statics of the same name, inline
//! functions, and programs that a linker refuses.
//!
//! The program has one execution; what it finds behind names is learnt from a compiled run. If the
//! linker sees two definitions of one name, no engine may have an answer.

use super::{GIVEN, INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

struct Files {
    rng: Rng,
}

/// A random program of this class.
pub fn program(rng: Rng) -> Made {
    let mut files = Files { rng };
    (Property::Reach, Oracle::Values, files.source())
}

impl Files {
    fn source(&mut self) -> Source {
        let mut source = Source::default();
        let count = self.rng.pick(&[2, 2, 2, 3]);
        let main = self.rng.below(count);
        for file in 0..count {
            source.next_file();
            source.line("#include <stdlib.h>\n#include <pthread.h>");
            source.line(INTRINSICS);
            source.line(GIVEN);
            let names = ["f", "g"];
            let calls: Vec<_> = names
                .iter()
                .filter_map(|name| self.function(&mut source, name, file))
                .collect();
            let reads: Vec<_> = ["v", "w"]
                .iter()
                .filter_map(|name| self.variable(&mut source, name, file))
                .collect();
            if self.rng.chance(25) {
                source.line(self.at_start(file));
            }
            source.line(format!("void use{file}(void)\n{{"));
            for value in calls.iter().chain(&reads) {
                source.line(format!("    check({value});"));
            }
            source.line("}");
            if file == main {
                self.main(&mut source, count);
            }
        }
        source
    }

    /// Declares or defines a function; how it is called here, if it can be.
    fn function(&mut self, source: &mut Source, name: &str, file: usize) -> Option<String> {
        let value = 10 * (file + 1) + name.len() + usize::from(name == "g");
        let call = format!("{name}()");
        let body = format!("(void)\n{{\n    return {value};\n}}");
        let text = match self.rng.below(12) {
            0 => format!("int {name}{body}"),
            1..4 => format!("__attribute__((weak)) int {name}{body}"),
            4 => format!("#pragma weak {name}\nint {name}{body}"),
            5 | 6 => format!("static int {name}{body}"),
            7 => format!("static inline int {name}{body}"),
            8 => format!(
                "static int {name}(void);\nint use_{name}_{file}(void)\n{{\n    return {name}();\n}}\nstatic int {name}{body}"
            ),
            9 => {
                source.line(format!("extern int {name}(void) __attribute__((weak));"));
                return Some(format!("{name} ? {name}() : -1"));
            }
            10 => return None,
            _ => format!("extern int {name}(void);"),
        };
        source.line(text);
        Some(call)
    }

    fn variable(&mut self, source: &mut Source, name: &str, file: usize) -> Option<String> {
        let value = 100 * (file + 1);
        let text = match self.rng.below(12) {
            0 => format!("int {name} = {value};"),
            1 => format!("int {name};"),
            2 => format!("int {name};\nint {name};\nextern int {name};"),
            3 => format!("__attribute__((weak)) int {name} = {value};"),
            4 => format!("__attribute__((weak)) int {name};"),
            5 => format!("static int {name} = {value};"),
            6 => format!("static int {name};\nstatic int {name};"),
            7 => format!("extern int {name};\nint {name} = {value};"),
            8 => format!("__attribute__((common)) int {name};"),
            9 => return None,
            _ => format!("extern int {name};"),
        };
        source.line(text);
        Some(match self.rng.below(4) {
            0 => format!("{name}++"),
            1 => format!("({name} += {})", file + 1),
            _ => name.to_owned(),
        })
    }

    fn at_start(&mut self, file: usize) -> String {
        let kind = self.rng.pick(&[
            "constructor",
            "destructor",
            "constructor(150)",
            "destructor(150)",
        ]);
        format!("static __attribute__(({kind})) void hook(void)\n{{\n    check({file});\n}}")
    }

    fn main(&mut self, source: &mut Source, count: usize) {
        for file in 0..count {
            source.line(format!("extern void use{file}(void);"));
        }
        source.line("int main(void)\n{");
        for _ in 0..self.rng.between(1, 2) {
            for file in 0..count {
                source.line(format!("    use{file}();"));
            }
        }
        source.line("    check(input(1));\n    return 0;\n}");
    }
}
