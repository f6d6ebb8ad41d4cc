//! The functions of a text, to offer a check above each of them.

use crate::document::Document;
use serde_json::{Value, json};

/// A definition of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where the name is in the text.
    pub at: usize,
}

/// What is offered above each function.
pub fn lenses(document: &Document) -> Vec<Value> {
    let functions = functions(&document.text).into_iter();
    let lens = |function: Function| {
        let what = match function.name.as_str() {
            "main" => "Check this program",
            _ => "Check this function",
        };
        let end = function.at + function.name.len();
        json!({
            "range": document.range_of(function.at, end),
            "command": {
                "title": what,
                "command": "mazurka.check",
                "arguments": [document.uri, function.name],
            },
        })
    };
    functions.map(lens).collect()
}

/// The functions that a text defines, in order: a name, parentheses, and a block, outside of all others. Macros
/// that make functions are not seen.
pub fn functions(text: &str) -> Vec<Function> {
    let text = blanked(text);
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut depth, mut candidate, mut at) = (0_usize, None, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'{' => {
                if depth == 0 {
                    found.extend(candidate.take());
                }
                depth += 1;
            }
            b'}' => depth = depth.saturating_sub(1),
            b'(' if depth == 0 => {
                let end = closing(bytes, at);
                if candidate.is_none() {
                    candidate = name_before(&text, at);
                }
                at = end;
            }
            b';' | b'=' | b',' => candidate = None,
            _ => {}
        }
        at += 1;
    }
    found
}

/// The name that ends before a byte, if it can be that of a function.
fn name_before(text: &str, at: usize) -> Option<Function> {
    let before = text[..at].trim_end();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let other = before.char_indices().rfind(|(_, letter)| !is_part(*letter));
    let start = other.map_or(0, |(at, letter)| at + letter.len_utf8());
    let name = &before[start..];
    let is_name = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    let is_other =
        name.starts_with("__attribute") || matches!(name, "__declspec" | "typeof" | "_Alignas");
    (is_name && !is_other).then(|| Function {
        name: name.to_owned(),
        at: start,
    })
}

/// Where the parentheses close that open at a byte.
fn closing(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// The text with blanks for comments, literals and directives, so that every byte stays where it is.
fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    let mut is_line_start = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'#' if is_line_start => directive(rest),
            b'/' if rest.starts_with(b"//") => rest
                .iter()
                .position(|it| *it == b'\n')
                .unwrap_or(rest.len()),
            b'/' if rest.starts_with(b"/*") => {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                end.map_or(rest.len(), |end| end + 4)
            }
            quote @ (b'"' | b'\'') => literal(rest, quote),
            _ => 0,
        };
        for byte in &mut out[at..at + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        is_line_start = match rest[0] {
            b'\n' => true,
            byte => is_line_start && (byte.is_ascii_whitespace() || length > 0),
        };
        at += length.max(1);
    }
    // Bytes above 127 are left only outside of comments and literals, where they are kept as they are.
    String::from_utf8(out)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).replace('\u{fffd}', " "))
}

/// A directive goes to the end of its line, and on after a backslash.
fn directive(rest: &[u8]) -> usize {
    let ends = |(at, byte): (usize, &u8)| *byte == b'\n' && (at == 0 || rest[at - 1] != b'\\');
    rest.iter().enumerate().position(ends).unwrap_or(rest.len())
}

fn literal(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let functions = functions(text);
        for function in &functions {
            assert!(
                text[function.at..].starts_with(&function.name),
                "{function:?}"
            );
        }
        functions.into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn definitions_are_found() {
        let text = "#include <x.h>\n#define F(a) { a }\\\n void no(void) {}\nint f(void);\n\
            static void *worker(void *arg)\n{ if (x) { g(); } return 0; }\n\
            struct s { int (*call)(void); };\nint a[] = { 1 }, b = (2);\n\
            /* int c(void) {} */ // int d(void) {}\nconst char *t = \"int e(void) {}\";\n\
            __attribute__((noreturn)) void stop(void) { for (;;) ; }\nchar q = '{';\n\
            void tagged(int x) __attribute__((used));\nvoid late(int x) __attribute__((used)) { }\nint main(int argc, char **argv) { return f(); }\n";
        assert_eq!(names(text), ["worker", "stop", "late", "main"]);
    }

    #[test]
    fn texts_that_are_being_written_do_no_harm() {
        for text in [
            "",
            "int f(",
            "int f(int a",
            "/* ",
            "\"",
            "'",
            "}}} int g(void) {",
            "# \\",
            "é(",
            "int ü(void) { }",
        ] {
            names(text);
        }
    }
}
