//! The outline of a C text: functions, their statements, and what encloses what.
//!
//! Found by counting brackets, not by parsing: the front end must be asked whether a changed
//! program is still one.

use crate::tokens::{Kind, Token, tokens};
use std::ops::Range;

/// A text with its tokens and statements.
pub struct Outline<'a> {
    /// The text.
    pub text: &'a str,
    /// Its tokens.
    pub tokens: Vec<Token>,
    /// Declarations and functions at the top level, as ranges of tokens.
    pub items: Vec<Range<usize>>,
    /// Bodies of functions, without their braces, as ranges of tokens.
    pub bodies: Vec<Range<usize>>,
    /// Statements without blocks inside bodies, each with its semicolon, as ranges of tokens.
    pub simple: Vec<Range<usize>>,
    /// Statements with blocks, from `if`, `while`, `for`, ... to the end of the block.
    pub compound: Vec<Range<usize>>,
}

impl<'a> Outline<'a> {
    /// The outline of a text.
    pub fn of(text: &'a str) -> Outline<'a> {
        let mut outline = Outline {
            text,
            tokens: tokens(text),
            items: Vec::new(),
            bodies: Vec::new(),
            simple: Vec::new(),
            compound: Vec::new(),
        };
        outline.find_items();
        for at in 0..outline.bodies.len() {
            outline.find_statements(outline.bodies[at].clone());
        }
        outline
    }

    /// A token's text.
    pub fn word(&self, at: usize) -> &'a str {
        self.tokens
            .get(at)
            .map_or("", |token| &self.text[token.at.clone()])
    }

    /// The text of some tokens and what is between them.
    pub fn part(&self, range: &Range<usize>) -> &'a str {
        &self.text[self.bytes(range)]
    }

    /// The range of some tokens in the text.
    pub fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        let (first, last) = (&self.tokens[range.start], &self.tokens[range.end - 1]);
        first.at.start..last.at.end
    }

    /// All tokens inside bodies.
    pub fn inside(&self) -> impl Iterator<Item = usize> + '_ {
        self.bodies.iter().cloned().flatten()
    }

    /// The token behind the bracket that closes the one at `open`.
    pub fn behind(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    fn find_items(&mut self) {
        let (mut at, mut start) = (0, 0);
        while at < self.tokens.len() {
            if self.tokens[at].kind == Kind::Directive {
                at += 1;
                start = at;
                continue;
            }
            let word = self.word(at);
            if matches!(word, "(" | "[") {
                at = self.behind(at);
                continue;
            }
            let is_body = word == "{" && at > start && self.word(at - 1) == ")";
            let end = match word {
                "{" => self.behind(at),
                _ => at + 1,
            };
            if is_body {
                self.bodies.push(at + 1..end.saturating_sub(1).max(at + 1));
            }
            if is_body || word == ";" {
                self.items.push(start..end);
                start = end;
            }
            at = end;
        }
    }

    fn find_statements(&mut self, body: Range<usize>) {
        let mut at = body.start;
        while at < body.end {
            match self.word(at) {
                "{" | "}" | ";" | "else" | "do" => at += 1,
                "if" | "while" | "for" | "switch" if self.word(at + 1) == "(" => {
                    let inner = self.behind(at + 1);
                    let end = self.end_of_statement(inner).min(body.end);
                    self.compound.push(at..end);
                    at = inner;
                }
                _ => {
                    let end = self.end_of_statement(at).min(body.end);
                    self.simple.push(at..end.max(at + 1));
                    at = end.max(at + 1);
                }
            }
        }
    }

    /// The token behind a statement that starts here.
    fn end_of_statement(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.tokens.len() {
            match self.word(at) {
                ";" => return at + 1,
                "{" if at == start => return self.behind(at),
                "(" | "[" | "{" => at = self.behind(at),
                "}" => return at,
                _ => at += 1,
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found() {
        let text = "struct s { int a; };\nint f(int x) { x = 1; if (x) { g(x, 2); } else x++; return x; }\nint y;";
        let outline = Outline::of(text);
        let parts = |ranges: &[Range<usize>]| -> Vec<String> {
            ranges.iter().map(|r| outline.part(r).to_owned()).collect()
        };
        assert_eq!(outline.items.len(), 3);
        assert_eq!(
            parts(&outline.simple),
            ["x = 1;", "g(x, 2);", "x++;", "return x;"]
        );
        assert_eq!(parts(&outline.compound), ["if (x) { g(x, 2); }"]);
    }
}
