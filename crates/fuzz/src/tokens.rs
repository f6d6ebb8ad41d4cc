//! C text as tokens with places: just enough to cut it up and put it together again.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Quoted,
    /// An operator or bracket.
    Mark,
    /// A whole line for the preprocessor.
    Directive,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it is, in bytes.
    pub at: Range<usize>,
}

/// Operators of more than one character, the longest first.
const LONG: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a text, without comments.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let start_of_line = text[..at].trim_end_matches([' ', '\t']).ends_with('\n') || at == 0;
        let (kind, len) = next(rest, start_of_line);
        if let Some(kind) = kind {
            found.push(Token {
                kind,
                at: at..at + len,
            });
        }
        at += len;
    }
    found
}

/// The text without its comments.
pub fn without_comments(text: &str) -> String {
    let (mut out, mut end) = (String::new(), 0);
    for token in tokens(text) {
        let gap = &text[end..token.at.start];
        match gap.contains("/*") || gap.contains("//") {
            true if gap.contains('\n') => out.push('\n'),
            true => out.push(' '),
            false => out.push_str(gap),
        }
        out.push_str(&text[token.at.clone()]);
        end = token.at.end;
    }
    out + "\n"
}

/// The kind of what comes next, if it is a token, and its length.
fn next(rest: &str, start_of_line: bool) -> (Option<Kind>, usize) {
    let first = rest.chars().next().unwrap_or(' ');
    let until = |end: &str, from: usize| {
        let found = rest.get(from..).and_then(|tail| tail.find(end));
        found.map_or(rest.len(), |at| from + at + end.len())
    };
    let while_ = |holds: fn(char) -> bool| rest.find(|c| !holds(c)).unwrap_or(rest.len());
    if rest.starts_with("/*") {
        return (None, until("*/", 2));
    }
    if rest.starts_with("//") {
        return (None, until("\n", 0));
    }
    match first {
        '#' if start_of_line => (Some(Kind::Directive), directive(rest)),
        '"' | '\'' => (Some(Kind::Quoted), quoted(rest, first)),
        c if c.is_ascii_digit() => (
            Some(Kind::Number),
            while_(|c| c.is_ascii_alphanumeric() || c == '.'),
        ),
        c if c.is_ascii_alphabetic() || c == '_' || c == '$' => (
            Some(Kind::Word),
            while_(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$'),
        ),
        c if c.is_whitespace() => (None, c.len_utf8()),
        c => {
            let long = LONG.iter().find(|op| rest.starts_with(**op));
            (Some(Kind::Mark), long.map_or(c.len_utf8(), |op| op.len()))
        }
    }
}

/// The length of a line with what a backslash at its end adds to it.
fn directive(rest: &str) -> usize {
    let mut len = 0;
    for line in rest.split_inclusive('\n') {
        len += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    len
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_nothing_else() {
        let text = "#define A \\\n 1\nint x = 0x1f; /* no */ s->p <<= '\\''; // no\n\"a;b\"";
        let found: Vec<&str> = tokens(text).iter().map(|t| &text[t.at.clone()]).collect();
        let expected = [
            "#define A \\\n 1\n",
            "int",
            "x",
            "=",
            "0x1f",
            ";",
            "s",
            "->",
            "p",
            "<<=",
            "'\\''",
            ";",
            "\"a;b\"",
        ];
        assert_eq!(found, expected);
    }
}
