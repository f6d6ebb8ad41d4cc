//! From words to statements.

use super::CatError;
use super::ast::{Check, Definition, Expr, Line, Op, Postfix, TestKind};
use super::lex::{Kind, Token, lex};

type Parsed<T> = Result<T, CatError>;
type Named = Expr<String>;

const KEYWORDS: [&str; 10] = [
    "let",
    "rec",
    "and",
    "as",
    "flag",
    "acyclic",
    "irreflexive",
    "empty",
    "show",
    "include",
];

/// Operators between two operands, from the loosest to the tightest.
const LEVELS: [(&str, Op); 5] = [
    ("|", Op::Union),
    (";", Op::Then),
    ("\\", Op::Minus),
    ("&", Op::Both),
    ("*", Op::Product),
];

/// Reads a model: its name, if the text begins with one, and its statements.
pub(crate) fn parse(text: &str) -> Parsed<(Option<String>, Vec<Line>)> {
    let tokens = lex(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
    };
    let title = match parser.tokens.first().map(|token| &token.kind) {
        Some(Kind::Text(title)) => Some(title.clone()),
        // The first word of a file may be its name without quotes.
        Some(Kind::Word(word)) if !KEYWORDS.contains(&word.as_str()) => Some(word.clone()),
        _ => None,
    };
    parser.at += usize::from(title.is_some());
    let mut lines = Vec::new();
    while parser.at < tokens.len() {
        lines.push(parser.statement()?);
    }
    Ok((title, lines))
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl Parser<'_> {
    fn line(&self) -> u32 {
        let last = self.tokens.len().saturating_sub(1);
        self.tokens.get(self.at.min(last)).map_or(1, |it| it.line)
    }

    fn fail<T>(&self, what: impl Into<String>) -> Parsed<T> {
        Err(CatError::new(self.line(), what))
    }

    fn peek(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Kind::Sign(found)) if *found == sign)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        match self.eat(sign) {
            true => Ok(()),
            false => self.fail(format!("`{sign}` is missing")),
        }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Kind::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    /// A name that is no keyword.
    fn name(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(Kind::Word(word)) if !KEYWORDS.contains(&word.as_str()) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => self.fail("a name is missing"),
        }
    }

    fn statement(&mut self) -> Parsed<Line> {
        if self.eat_word("let") {
            let recursive = self.eat_word("rec");
            let mut definitions = vec![self.definition()?];
            while self.eat_word("and") {
                definitions.push(self.definition()?);
            }
            return Ok(Line::Let {
                recursive,
                definitions,
            });
        }
        self.check().map(Line::Check)
    }

    fn definition(&mut self) -> Parsed<Definition<String>> {
        let line = self.line();
        let name = self.name()?;
        if self.is_sign("(") {
            return self.fail("functions are not supported");
        }
        self.expect("=")?;
        let body = self.expr(0)?;
        Ok(Definition { name, body, line })
    }

    fn check(&mut self) -> Parsed<Check<String>> {
        let line = self.line();
        let flag = self.eat_word("flag");
        let negated = self.eat("~");
        let kind = if self.eat_word("acyclic") {
            TestKind::Acyclic
        } else if self.eat_word("irreflexive") {
            TestKind::Irreflexive
        } else if self.eat_word("empty") {
            TestKind::Empty
        } else {
            return self.fail(
                "a statement begins with `let`, `acyclic`, `irreflexive`, `empty` or `flag`",
            );
        };
        let body = self.expr(0)?;
        let name = match self.eat_word("as") {
            true => self.name()?,
            false => format!("line {line}"),
        };
        Ok(Check {
            kind,
            negated,
            flag,
            body,
            name,
            line,
        })
    }

    fn expr(&mut self, level: usize) -> Parsed<Named> {
        let Some(&(sign, op)) = LEVELS.get(level) else {
            return self.prefix();
        };
        let mut left = self.expr(level + 1)?;
        while self.is_sign(sign) {
            let line = self.line();
            self.at += 1;
            let right = self.expr(level + 1)?;
            left = Expr::Binary(op, Box::new(left), Box::new(right), line);
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Parsed<Named> {
        match self.eat("~") {
            true => Ok(Expr::Complement(Box::new(self.prefix()?))),
            false => self.postfix(),
        }
    }

    fn postfix(&mut self) -> Parsed<Named> {
        let mut expr = self.atom()?;
        loop {
            let operator = if self.eat("^+") || self.eat("+") {
                Postfix::Plus
            } else if self.eat("^*") || self.is_closing_star() {
                Postfix::Star
            } else if self.eat("?") {
                Postfix::Optional
            } else if self.eat("^-1") {
                Postfix::Inverse
            } else {
                return Ok(expr);
            };
            expr = Expr::Postfix(operator, Box::new(expr));
        }
    }

    /// A `*` that is not followed by an operand is a closure. Takes it.
    fn is_closing_star(&mut self) -> bool {
        let next = self.tokens.get(self.at + 1).map(|token| &token.kind);
        let operand = match next {
            Some(Kind::Word(word)) => !KEYWORDS.contains(&word.as_str()),
            Some(Kind::Sign(sign)) => matches!(*sign, "(" | "[" | "~"),
            _ => false,
        };
        !operand && self.eat("*")
    }

    fn atom(&mut self) -> Parsed<Named> {
        if self.eat("(") {
            let inner = self.expr(0)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.eat("[") {
            let inner = self.expr(0)?;
            self.expect("]")?;
            return Ok(Expr::Identity(Box::new(inner)));
        }
        let line = self.line();
        let name = self.name()?;
        let of = match name.as_str() {
            "0" => return Ok(Expr::Nothing),
            "_" => return Ok(Expr::Universe),
            "domain" => Expr::Domain,
            "range" => Expr::Range,
            _ if self.is_sign("(") => return self.fail("functions are not supported"),
            _ => return Ok(Expr::Name(name, line)),
        };
        self.expect("(")?;
        let inner = self.expr(0)?;
        self.expect(")")?;
        Ok(of(Box::new(inner)))
    }
}
