//! Smaller constants: macros and enumerators with other values than the text gives them.
//!
//! The text is what the preprocessor makes of a file when it only follows directives: all headers are there, with
//! their definitions, and no macro is expanded. Which text `#if` leaves out is decided before, by the values of the
//! text. Macros with parameters are refused.

use std::collections::{BTreeMap, BTreeSet};

/// A constant and its other value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smaller {
    /// The macro or enumerator.
    pub name: String,
    /// What it is instead.
    pub value: u64,
}

impl std::str::FromStr for Smaller {
    type Err = String;

    fn from_str(text: &str) -> Result<Smaller, String> {
        let (name, value) = text.split_once('=').ok_or("use NAME=VALUE")?;
        let is_name = |name: &str| {
            name.chars().all(is_word) && name.starts_with(|c: char| !c.is_ascii_digit())
        };
        match value.parse() {
            Ok(value) if is_name(name) => Ok(Smaller {
                name: name.to_owned(),
                value,
            }),
            Ok(_) => Err(format!("`{name}` is no name")),
            Err(_) => Err(format!("`{value}` is no number")),
        }
    }
}

/// A constant of a program that could be smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The macro or enumerator.
    pub name: String,
    /// Its value.
    pub value: u64,
    /// The file that defines it, and its line.
    pub place: (String, usize),
}

/// Rewrites definitions, and keeps what was there.
#[derive(Debug)]
pub(super) struct Shrinker<'w> {
    wanted: &'w [Smaller],
    found: BTreeMap<&'w str, BTreeSet<String>>,
    /// The constants of the program's own files, if that is what is asked for.
    listed: Option<Vec<Constant>>,
}

impl<'w> Shrinker<'w> {
    /// For these constants.
    pub fn new(wanted: &'w [Smaller]) -> Shrinker<'w> {
        Shrinker {
            wanted,
            found: BTreeMap::new(),
            listed: None,
        }
    }

    /// For none: constants are listed.
    pub fn lister() -> Shrinker<'w> {
        Shrinker {
            listed: Some(Vec::new()),
            ..Shrinker::new(&[])
        }
    }

    /// The constants that were met, each once.
    pub fn listed(self) -> Vec<Constant> {
        let mut all = self.listed.unwrap_or_default();
        let mut known = BTreeSet::new();
        all.retain(|constant| known.insert(constant.name.clone()));
        all
    }

    /// Is there nothing to do?
    pub fn is_idle(&self) -> bool {
        self.wanted.is_empty() && self.listed.is_none()
    }

    /// The text with the other values, or what is in the way.
    pub fn rewrite(&mut self, text: &str) -> Result<String, String> {
        if let Some(listed) = &mut self.listed {
            listed.extend(constants(text));
        }
        let mut text = text.to_owned();
        for smaller in self.wanted {
            let mut old = BTreeSet::new();
            text = macros(&text, smaller, &mut old)?;
            text = enumerators(&text, smaller, &mut old);
            if !old.is_empty() {
                let found = self.found.entry(smaller.name.as_str()).or_default();
                found.extend(old);
            }
        }
        Ok(text)
    }

    /// What the verdict rests on; an error names a constant that no file defines.
    pub fn assumptions(&self) -> Result<Vec<String>, String> {
        let line = |smaller: &Smaller| -> Result<String, String> {
            let name = &smaller.name;
            let missing = || format!("--shrink {name}: no file defines such a macro or enumerator");
            let old = self.found.get(name.as_str()).ok_or_else(missing)?;
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            Ok(format!(
                "`{name}` is {} instead of {} (--shrink): nothing is said about the program as it is",
                smaller.value,
                old.join(" or ")
            ))
        };
        self.wanted.iter().map(line).collect()
    }
}

/// Definitions of a macro.
fn macros(text: &str, smaller: &Smaller, old: &mut BTreeSet<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let Some(rest) = definition(line, &smaller.name) else {
            out += line;
            continue;
        };
        if rest.starts_with('(') {
            return Err(format!(
                "--shrink {}: the macro has parameters",
                smaller.name
            ));
        }
        let mut body = rest.to_owned();
        let mut count = 1;
        while body.trim_end().ends_with('\\') {
            let without = body.trim_end().trim_end_matches('\\').to_owned();
            body = without + lines.next().unwrap_or_default();
            count += 1;
        }
        old.insert(body.trim().to_owned());
        out += &format!("#define {} {}", smaller.name, smaller.value);
        out += &"\n".repeat(count);
    }
    Ok(out)
}

/// The constants that a program's own files define as numbers.
fn constants(text: &str) -> Vec<Constant> {
    let mut found = Vec::new();
    let mut code = String::new();
    let mut place = (String::new(), 0);
    let mut is_own = false;
    for line in text.lines() {
        if let Some((number, file, own)) = marker(line) {
            (place, is_own) = ((file, number), own);
            continue;
        }
        if is_own && let Some((name, value)) = defined(line) {
            let (name, place) = (name.to_owned(), place.clone());
            found.push(Constant { name, value, place });
        } else if is_own && !line.trim_start().starts_with('#') {
            // A blank stands for the end of the line.
            code += line;
            code += " ";
            let here = enumerated(&code, line.len() + 1);
            found.extend(here.into_iter().map(|(name, value)| Constant {
                name,
                value,
                place: place.clone(),
            }));
        }
        place.1 += 1;
    }
    found
}

/// A line marker: the number of the next line, the file, and whether it is one of the program.
fn marker(line: &str) -> Option<(usize, String, bool)> {
    let rest = line.strip_prefix("# ")?;
    let (number, rest) = rest.split_once(" \"")?;
    let (file, flags) = rest.rsplit_once('"')?;
    let is_system = flags.split_whitespace().any(|flag| flag == "3");
    let is_own = !is_system && !file.starts_with('<');
    Some((number.parse().ok()?, file.to_owned(), is_own))
}

/// A macro that is a number.
fn defined(line: &str) -> Option<(&str, u64)> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = directive.strip_prefix("define")?.trim_start();
    let end = rest.find(|c| !is_word(c))?;
    let (name, body) = rest.split_at(end);
    Some((name, number(body)?))
}

/// Enumerators with a number whose value ends in the last part of a text.
fn enumerated(code: &str, last: usize) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices('=') {
        let value = &code[at + 1..];
        let length = length_of_value(value);
        let is_here = at + 1 + length + last >= code.len() && length < value.len();
        let before = code[..at].trim_end();
        let start = before.rfind(|c| !is_word(c)).map_or(0, |it| it + 1);
        if is_here
            && let Some(number) = number(&value[..length])
            && is_in_enumeration(&code[..start])
        {
            found.push((before[start..].to_owned(), number));
        }
    }
    found
}

/// The value of a literal, in parentheses or not.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let text = inner.unwrap_or(text).trim();
    text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// What follows the name, if a line defines this macro.
fn definition<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let directive = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = directive.strip_prefix("define")?;
    let rest = rest
        .strip_prefix([' ', '\t'])?
        .trim_start()
        .strip_prefix(name)?;
    (!rest.starts_with(is_word)).then_some(rest)
}

/// Enumerators with this name.
fn enumerators(text: &str, smaller: &Smaller, old: &mut BTreeSet<String>) -> String {
    let name = smaller.name.as_str();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, _) in text.match_indices(name) {
        let end = at + name.len();
        let is_whole = !text[..at].ends_with(is_word) && !text[end..].starts_with(is_word);
        if at < from || !is_whole || !is_in_enumeration(&text[..at]) {
            continue;
        }
        let rest = &text[end..];
        let (value, after) = match rest.trim_start().strip_prefix('=') {
            Some(value) if !value.starts_with('=') => {
                let start = text.len() - value.len();
                (Some(start), start + length_of_value(value))
            }
            None if rest.trim_start().starts_with([',', '}']) => (None, end),
            _ => continue,
        };
        let written = value.map(|start| text[start..after].trim().to_owned());
        old.insert(written.unwrap_or_else(|| "its place in the enumeration".to_owned()));
        out += &text[from..end];
        out += &format!(" = {}", smaller.value);
        from = after;
    }
    out + &text[from..]
}

/// Where the value of an enumerator ends: a comma or a brace outside of parentheses.
fn length_of_value(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' | '}' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Does the text end where an enumerator can be?
fn is_in_enumeration(before: &str) -> bool {
    let code = without_markers(before);
    if !code.trim_end().ends_with(['{', ',']) {
        return false;
    }
    let mut depth = 0;
    for (at, c) in code.char_indices().rev() {
        match c {
            '}' => depth += 1,
            '{' if depth > 0 => depth -= 1,
            '{' => {
                let mut words = code[..at].split_whitespace().rev();
                let last = words.next();
                return last == Some("enum") || words.next() == Some("enum");
            }
            ';' if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// The last part of a text without directives and line markers, which are lines of their own.
fn without_markers(text: &str) -> String {
    const ENOUGH: usize = 20_000;
    let mut start = text.len().saturating_sub(ENOUGH);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let lines = text[start..].split_inclusive('\n');
    let code = lines.filter(|line| !line.trim_start().starts_with('#'));
    code.collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shrunk(text: &str, wanted: &str) -> Result<(String, Vec<String>), String> {
        let wanted: Vec<Smaller> = wanted.split(' ').map(|it| it.parse().unwrap()).collect();
        let mut shrinker = Shrinker::new(&wanted);
        let text = shrinker.rewrite(text)?;
        Ok((text, shrinker.assumptions()?))
    }

    #[test]
    fn macros_and_enumerators_have_other_values() {
        let check = |text: &str, wanted: &str, expected: &str, old: &str| {
            let (text, assumed) = shrunk(text, wanted).unwrap();
            assert_eq!(text, expected);
            assert!(
                assumed[0].contains(&format!("instead of {old} ")),
                "{assumed:?}"
            );
        };
        check(
            "#define N 64\nint a[N];\n",
            "N=2",
            "#define N 2\nint a[N];\n",
            "64",
        );
        check(
            "# define N (8 * \\\n 8)\nint N2;\n",
            "N=3",
            "#define N 3\n\nint N2;\n",
            "(8 *  8)",
        );
        check(
            "enum { A, N = F(1, 2), B };",
            "N=1",
            "enum { A, N = 1, B };",
            "F(1, 2)",
        );
        check(
            "enum e {\n# 3 \"x.h\"\n N };",
            "N=1",
            "enum e {\n# 3 \"x.h\"\n N = 1 };",
            "its place in the enumeration",
        );
        // Uses stay as they are.
        check(
            "#define N 9\nint f(int N, int m) { N = 3; return N; }",
            "N=1",
            "#define N 1\nint f(int N, int m) { N = 3; return N; }",
            "9",
        );
    }

    #[test]
    fn constants_of_own_files_are_listed() {
        let text = "# 1 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3 4\n#define SYSTEM 64\n# 2 \"a.c\" 2\n#define N 64u\n\
            #define WORD int\nenum e { A, B = (9),\n C = 7 };\nint x = 5;\n#define N2 (8)\n";
        let found = constants(text).into_iter();
        let found: Vec<String> = found
            .map(|it| format!("{}={} {}:{}", it.name, it.value, it.place.0, it.place.1))
            .collect();
        assert_eq!(
            found,
            ["N=64 a.c:2", "B=9 a.c:4", "C=7 a.c:5", "N2=8 a.c:7"]
        );
    }

    #[test]
    fn what_is_not_there_is_told() {
        let error = |text, wanted| shrunk(text, wanted).unwrap_err();
        assert!(error("int a[N];", "N=1").contains("no file defines"));
        assert!(error("#define N(x) x\n", "N=1").contains("parameters"));
        assert!("N".parse::<Smaller>().is_err());
        assert!("1=2".parse::<Smaller>().is_err());
        assert!("N=x".parse::<Smaller>().is_err());
    }
}
