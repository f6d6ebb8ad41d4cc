//! Words of a model's text.

use super::CatError;

/// A word, and its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: Kind,
    pub line: u32,
}

/// A kind of word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Word(String),
    /// Text in quotes.
    Text(String),
    /// An operator or bracket.
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: [&str; 17] = [
    "^-1", "^+", "^*", "|", "&", ";", "\\", "*", "+", "?", "~", "(", ")", "[", "]", "=", ",",
];

fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// Splits a text; comments are `(* ... *)`, which nest, and `// ...`.
pub(super) fn lex(text: &str) -> Result<Vec<Token>, CatError> {
    let (mut tokens, mut rest, mut line) = (Vec::new(), text, 1);
    while let Some(c) = rest.chars().next() {
        let taken = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("(*") {
            comment(rest).ok_or_else(|| CatError::new(line, "a comment without an end"))?
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted
                .find('"')
                .ok_or_else(|| CatError::new(line, "a text without an end"))?;
            let kind = Kind::Text(quoted[..end].to_owned());
            tokens.push(Token { kind, line });
            end + 2
        } else if is_in_word(c) && c != '-' && c != '.' {
            let end = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
            let kind = Kind::Word(rest[..end].to_owned());
            tokens.push(Token { kind, line });
            end
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            let kind = Kind::Sign(sign);
            tokens.push(Token { kind, line });
            sign.len()
        } else {
            return Err(CatError::new(line, format!("`{c}` means nothing here")));
        };
        line += rest[..taken].matches('\n').count() as u32;
        rest = &rest[taken..];
    }
    Ok(tokens)
}

/// The length of the comment at the start.
fn comment(text: &str) -> Option<usize> {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = &text[at..];
        if rest.starts_with("(*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*)") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += rest.chars().next()?.len_utf8();
        }
    }
}
