//! Text to conditions: precedence climbing over C's operators.

use super::{Condition, Part, Value, VariablePath};

/// Binary operators by level, loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// All of them with the brackets and the rest, longest first.
const SYMBOLS: [&str; 28] = [
    "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "->", "<", ">", "|", "^", "&", "+", "-", "*",
    "/", "%", "(", ")", "[", "]", ".", "!", "~", "?", ":",
];

/// A condition nested deeper than this is refused.
const DEEPEST: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Number(Value),
    Symbol(&'static str),
    Result,
}

/// Reads an expression.
pub fn parse(text: &str) -> Result<Condition, String> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
    };
    let condition = parser.choice()?;
    match parser.peek() {
        None => Ok(condition),
        Some(token) => Err(format!("{token:?} is too much")),
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphabetic() || first == '_' || first == '$' {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
            let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
            tokens.push(Token::Name(rest[..length].to_owned()));
            length
        } else if first.is_ascii_digit() {
            let digit = |c: char| c.is_ascii_alphanumeric();
            let length = rest.find(|c| !digit(c)).unwrap_or(rest.len());
            if rest[length..].starts_with('.') {
                return Err("floating-point numbers are not supported".into());
            }
            tokens.push(Token::Number(number(&rest[..length])?));
            length
        } else if rest.starts_with("\\result") {
            tokens.push(Token::Result);
            "\\result".len()
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
            let symbol = symbol.ok_or_else(|| format!("`{first}` is not supported"))?;
            tokens.push(Token::Symbol(symbol));
            symbol.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// An integer constant with its suffix; its type is the first of C's that it fits.
fn number(text: &str) -> Result<Value, String> {
    let wrong = || format!("`{text}` is not an integer");
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if lower.starts_with("0b") => (&lower[2..], 2),
        None if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        None => (&lower[..], 10),
    };
    let plain = digits.trim_end_matches(['u', 'l']);
    let suffix = &digits[plain.len()..];
    if plain.is_empty() {
        // `0u` and its like lose their digit to the prefix for octal numbers.
        return Ok(Value::int(0, 32, !suffix.contains('u')));
    }
    let bits = u64::from_str_radix(plain, radix).map_err(|_| wrong())?;
    let unsigned = suffix.contains('u');
    let fits = |width: u32| match unsigned {
        true => bits.checked_shr(width).unwrap_or(0) == 0,
        false => bits >> (width - 1) == 0,
    };
    Ok(match () {
        () if !suffix.contains('l') && fits(32) => Value::int(bits, 32, !unsigned),
        () if fits(64) => Value::int(bits, 64, !unsigned),
        () => Value::int(bits, 64, false),
    })
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Symbol(known)) if *known == symbol);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), String> {
        match self.take(symbol) {
            true => Ok(()),
            false => Err(format!("`{symbol}` is missing")),
        }
    }

    fn choice(&mut self) -> Result<Condition, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".into());
        }
        let cond = self.level(0)?;
        let whole = if self.take("?") {
            let then = self.choice()?;
            self.expect(":")?;
            let other = self.choice()?;
            Condition::Choice(Box::new([cond, then, other]))
        } else {
            cond
        };
        self.depth -= 1;
        Ok(whole)
    }

    fn level(&mut self, level: usize) -> Result<Condition, String> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.take(operator)) {
            let right = self.level(level + 1)?;
            left = Condition::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Condition, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the expression is nested too deeply".into());
        }
        let signs = [("-", '-'), ("~", '~'), ("!", '!'), ("+", '+')];
        let sign = signs.into_iter().find(|(symbol, _)| self.take(symbol));
        let result = match sign {
            Some((_, '+')) => self.unary(),
            Some((_, sign)) => Ok(Condition::Unary(sign, Box::new(self.unary()?))),
            None => self.primary(),
        };
        self.depth -= 1;
        result
    }

    fn primary(&mut self) -> Result<Condition, String> {
        if self.take("(") {
            if let Some((width, signed)) = self.type_name()? {
                let of = Box::new(self.unary()?);
                return Ok(Condition::Cast { width, signed, of });
            }
            let inner = self.choice()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let token = self.peek().cloned();
        self.at += 1;
        match token {
            Some(Token::Number(value)) => Ok(Condition::Constant(value)),
            Some(Token::Result) => Ok(Condition::Result),
            Some(Token::Name(name)) => self.place(name),
            Some(Token::Symbol(symbol)) => Err(format!("`{symbol}` is not supported here")),
            None => Err("the expression ends too early".into()),
        }
    }

    fn place(&mut self, name: String) -> Result<Condition, String> {
        let mut path = Vec::new();
        loop {
            if self.take(".") {
                match self.peek().cloned() {
                    Some(Token::Name(member)) => path.push(Part::Member(member)),
                    _ => return Err("a member's name is missing".into()),
                }
                self.at += 1;
            } else if self.take("[") {
                match self.peek() {
                    Some(Token::Number(value)) => path.push(Part::Index(value.bits)),
                    _ => return Err("an index that is not constant is not supported".into()),
                }
                self.at += 1;
                self.expect("]")?;
            } else if self.take("(") || self.take("->") {
                return Err("calls and pointers are not supported".into());
            } else {
                return Ok(Condition::VariablePath(VariablePath { name, path }));
            }
        }
    }

    /// The name of an integer or pointer type and the parenthesis behind it, if there is one here.
    fn type_name(&mut self) -> Result<Option<(u32, bool)>, String> {
        let start = self.at;
        let mut words: Vec<&str> = Vec::new();
        while let Some(Token::Name(word)) = self.tokens.get(self.at) {
            words.push(word);
            self.at += 1;
        }
        let known = |word: &&str| {
            let types = [
                "int", "long", "short", "char", "unsigned", "signed", "_Bool", "void",
            ];
            types.contains(word)
        };
        let pointer = self.take("*");
        while self.take("*") {}
        if words.is_empty() || !words.iter().all(known) || !self.take(")") {
            self.at = start;
            return Ok(None);
        }
        let has = |word: &str| words.contains(&word);
        Ok(Some(match () {
            () if pointer => (0, false),
            () if has("void") => return Err("`void` has no values".into()),
            () if has("_Bool") => (1, false),
            () if has("char") => (8, !has("unsigned")),
            () if has("short") => (16, !has("unsigned")),
            // The width of `long` depends on the model; the wider one keeps every value.
            () if has("long") => (64, !has("unsigned")),
            () => (32, !has("unsigned")),
        }))
    }
}
