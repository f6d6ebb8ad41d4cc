//! Pragmas: every one that GCC honours, with what we do with it, in one table.
//!
//! The law: a pragma is modelled, is harmless, or is refused. One that is not in the table is refused too, so
//! that nothing is ignored by accident.

use super::Packing;
use crate::ast::WeakPragma;
use xcfa::Span;

/// What the pragmas of one file ask for.
#[derive(Clone, Debug, Default)]
pub struct Pragmas {
    /// `#pragma pack`.
    pub packing: Packing,
    /// `#pragma weak`.
    pub weak: Vec<WeakPragma>,
    /// `#pragma redefine_extname old new`.
    pub renamed: Vec<(String, String)>,
}

/// First words of pragmas that change nothing: they are for other compilers, for the preprocessor, about
/// warnings or optimisation, or ask for what GCC does without an option only.
const HARMLESS: &str = "GCC STDC clang code_seg comment endregion error ident inline_depth inline_recursion \
     intrinsic ivdep loop mark message nounroll once optimize pop_macro prefast push_macro \
     region simd unroll vector warning";

/// Second words of pragmas with `GCC`, `STDC` or `clang` that are not harmless.
const REFUSED: &[(&str, &str)] = &[
    ("STDC", "FLOAT_CONST_DECIMAL64"),
    ("clang", "attribute"),
    ("clang", "section"),
];

impl Pragmas {
    /// Reads the line behind `#pragma`; otherwise says why it is refused.
    pub(super) fn read(&mut self, line: &str, span: Span) -> Result<(), String> {
        let line = line.trim();
        let (first, rest) = first_word(line);
        match first {
            // An empty line, or one that does not start with a word, has no effect.
            "" => Ok(()),
            "pack" if self.packing.read(rest, span.lo) => Ok(()),
            "pack" => Err("a `#pragma pack` that we cannot read".into()),
            "weak" => self.read_weak(rest, span),
            "redefine_extname" => self.read_rename(rest),
            _ if !HARMLESS.split_ascii_whitespace().any(|it| it == first) => {
                Err(format!("`#pragma {first}`"))
            }
            _ => {
                let (second, arguments) = first_word(rest);
                let changes = second == "optimize" && !keeps_meaning(arguments);
                match changes || REFUSED.contains(&(first, second)) {
                    true => Err(format!("`#pragma {first} {second}`")),
                    false => Ok(()),
                }
            }
        }
    }

    fn read_weak(&mut self, rest: &str, span: Span) -> Result<(), String> {
        let (name, target) = match rest.split_once('=') {
            Some((name, target)) => (name.trim(), Some(target.trim())),
            None => (rest.trim(), None),
        };
        if !is_name(name) || !target.is_none_or(is_name) {
            return Err("a `#pragma weak` that we cannot read".into());
        }
        self.weak.push(WeakPragma {
            name: name.to_owned(),
            target: target.map(str::to_owned),
            span,
        });
        Ok(())
    }

    fn read_rename(&mut self, rest: &str) -> Result<(), String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words[..] {
            [old, new] if is_name(old) && is_name(new) => {
                self.renamed.push((old.to_owned(), new.to_owned()));
                Ok(())
            }
            _ => Err("a `#pragma redefine_extname` that we cannot read".into()),
        }
    }
}

/// Do all options in the arguments of `optimize` only steer optimisation?
pub fn keeps_meaning(arguments: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_=".contains(c);
    let mut options = arguments.split(|c| !is_part(c)).filter(|o| !o.is_empty());
    options.all(|option| {
        let option = option.trim_start_matches('-');
        let option = option.strip_prefix('f').unwrap_or(option);
        let option = option.strip_prefix("no-").unwrap_or(option);
        let starts = [
            "O",
            "tree-",
            "inline",
            "unroll-",
            "omit-frame-",
            "strict-aliasing",
        ];
        let is_number = option.chars().all(|c| c.is_ascii_digit());
        option != "Ofast" && (is_number || starts.iter().any(|start| option.starts_with(start)))
    })
}

fn first_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.split_at(line.find(|c| !is_part(c)).unwrap_or(line.len()))
}

fn is_name(text: &str) -> bool {
    let (word, rest) = first_word(text);
    !word.is_empty() && rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_modelled_harmless_or_refused() {
        let mut pragmas = Pragmas::default();
        let mut read = |line: &str| pragmas.read(line, Span::default());
        assert_eq!(read(" pack(push, 1)"), Ok(()));
        assert_eq!(read(" weak f"), Ok(()));
        assert_eq!(read(" weak g = f"), Ok(()));
        assert_eq!(read(" redefine_extname f g"), Ok(()));
        assert_eq!(read(" GCC diagnostic push"), Ok(()));
        assert_eq!(read(" GCC optimize(\"O0\", \"no-tree-vectorize\")"), Ok(()));
        assert!(read(" GCC optimize(\"trapv\")").is_err());
        assert!(read(" GCC optimize(\"Ofast\")").is_err());
        assert!(read(" STDC FLOAT_CONST_DECIMAL64 ON").is_err());
        assert!(read(" omp parallel").is_err());
        assert!(read(" scalar_storage_order big-endian").is_err());
        assert!(read(" ms_struct on").is_err());
        assert!(read(" no_such_thing").is_err());
        assert!(read(" weak g = ").is_err());
        let weak: Vec<_> = pragmas
            .weak
            .iter()
            .map(|w| (w.name.as_str(), w.target.as_deref()))
            .collect();
        assert_eq!(weak, [("f", None), ("g", Some("f"))]);
        assert_eq!(pragmas.renamed, [("f".to_owned(), "g".to_owned())]);
    }
}
