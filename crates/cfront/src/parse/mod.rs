//! Tokens to syntax tree: a recursive descent parser for C11 with GNU extensions.
//!
//! It knows which names are typedefs and nothing else about names. It never backtracks
//! (attributes in front of statements aside), and it refuses text that is nested more deeply
//! than [`MAX_DEPTH`], so that neither it nor a later stage can run out of stack.

mod asm;
mod attr;
mod attributes;
mod decl;
mod declarator;
mod expr;
mod init;
mod primary;
mod record;
mod recover;
mod scope;
mod specs;
mod stmt;
mod unit;

use crate::ast::Unit;
use crate::lex::{Interner, Keyword, Pragmas, Punct, Symbol, Token, TokenKind, scan};
use crate::{Unsupported, suggest};
use scope::TypedefScopes;
use xcfa::{FileId, Span};

/// How deeply brackets, statements and declarators may nest.
pub const MAX_DEPTH: u32 = 200;

/// How deep the tree of an expression may become, long sums included.
pub const MAX_TREE_DEPTH: u16 = 500;

type Parsed<T> = Result<T, Box<Unsupported>>;

/// Parses one translation unit; or says what is wrong with it, in the order of the text.
pub fn parse_unit(
    file: FileId,
    text: &str,
    names: &mut Interner,
) -> Result<Unit, Vec<Unsupported>> {
    let tokens = scan(file, text, names).map_err(|error| vec![error])?;
    let mut parser = Parser {
        file,
        text,
        tokens: &tokens.list,
        pragmas: &tokens.pragmas,
        at: 0,
        depth: 0,
        typedefs: TypedefScopes::default(),
        half_colon: false,
        errors: Vec::new(),
        untyped: None,
    };
    // C23 has it as a keyword; a program that declares it itself hides this one.
    parser.typedefs.declare(names.intern("bool"), true);
    parser.typedefs.open();
    let unit = parser.unit();
    match parser.errors.is_empty() {
        true => Ok(unit),
        false => Err(parser.errors),
    }
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: &'a [Token],
    pragmas: &'a Pragmas,
    at: usize,
    depth: u32,
    typedefs: TypedefScopes,
    /// Has the first half of a `::` in an `asm` been taken?
    half_colon: bool,
    /// What is wrong with what has been left out.
    errors: Vec<Unsupported>,
    /// The name that should be that of a type, if that was the last error.
    untyped: Option<Symbol>,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    fn kind_after(&self, ahead: usize) -> TokenKind {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)].kind
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.lo, token.hi)
    }

    /// The text of the next token.
    fn span(&self) -> Span {
        self.span_of(self.token())
    }

    /// The text of the last token that was taken.
    fn last_span(&self) -> Span {
        self.span_of(self.tokens[self.at.saturating_sub(1)])
    }

    fn text_of(&self, span: Span) -> &'a str {
        &self.text[span.lo as usize..span.hi as usize]
    }

    /// Takes the next token; the end of the file is never passed.
    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn is(&self, punct: Punct) -> bool {
        self.kind() == TokenKind::Punct(punct)
    }

    fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind() == TokenKind::Keyword(keyword)
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.is(punct);
        if found {
            self.advance();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    /// Takes `punct`, or says that it is missing `place` ("after this expression").
    fn expect(&mut self, punct: Punct, place: &str) -> Parsed<Span> {
        if self.is(punct) {
            let token = self.advance();
            return Ok(self.span_of(token));
        }
        Err(self.unexpected(&format!("`{}` {place}", punct.text())))
    }

    fn ident(&mut self, what: &str) -> Parsed<(Symbol, Span)> {
        match self.kind() {
            TokenKind::Ident(symbol) => {
                let span = self.span();
                self.advance();
                Ok((symbol, span))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn error(&self, span: Span, what: impl Into<String>) -> Box<Unsupported> {
        Box::new(Unsupported::at(span, what))
    }

    /// Says what was expected instead of the next token.
    fn unexpected(&self, expected: &str) -> Box<Unsupported> {
        let found = match self.kind() {
            TokenKind::End => "the end of the file".to_owned(),
            _ => {
                let text = self.text_of(self.span());
                let mut short: String = text.chars().take(30).collect();
                if short.len() < text.len() {
                    short.push_str("...");
                }
                format!("`{short}`")
            }
        };
        self.error(self.span(), format!("expected {expected}, found {found}"))
    }

    /// Says that this name should be that of a type.
    fn no_type(&mut self, span: Span) -> Box<Unsupported> {
        let name = self.text_of(span);
        let mut tokens = self.tokens[..=self.at].iter().rev();
        self.untyped =
            tokens
                .find(|token| token.lo == span.lo)
                .and_then(|token| match token.kind {
                    TokenKind::Ident(name) => Some(name),
                    _ => None,
                });
        let advice = suggest::header_of(name).map_or_else(String::new, suggest::include);
        self.error(span, format!("`{name}` is not declared as a type{advice}"))
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let what = format!("nesting of more than {MAX_DEPTH} levels");
            return Err(self.error(self.span(), what));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
