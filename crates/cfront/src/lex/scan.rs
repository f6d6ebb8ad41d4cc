//! The scanner.

use super::token::DIGRAPHS;
use super::{Interner, Keyword, Pragmas, Punct, Token, TokenKind};
use crate::Unsupported;
use rustc_hash::FxHashMap;
use xcfa::{FileId, Span};

/// The tokens of one file, ending with [`TokenKind::End`].
#[derive(Clone, Debug)]
pub struct Tokens {
    /// The tokens.
    pub list: Vec<Token>,
    /// What its pragmas ask for.
    pub pragmas: Pragmas,
}

/// Cuts the text of `file` into tokens.
pub fn scan(file: FileId, text: &str, names: &mut Interner) -> Result<Tokens, Unsupported> {
    if text.len() >= u32::MAX as usize {
        let span = Span { file, lo: 0, hi: 0 };
        return Err(Unsupported::at(span, "a file of 4 GiB or more"));
    }
    let mut scanner = Scanner {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        line_start: true,
        keywords: Keyword::table(),
        names,
        tokens: Vec::with_capacity(text.len() / 4),
        pragmas: Pragmas::default(),
    };
    scanner.run()?;
    Ok(Tokens {
        list: scanner.tokens,
        pragmas: scanner.pragmas,
    })
}

struct Scanner<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Has nothing but white space been seen in this line?
    line_start: bool,
    keywords: FxHashMap<&'static str, Keyword>,
    names: &'a mut Interner,
    tokens: Vec<Token>,
    pragmas: Pragmas,
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_name_part(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&self, lo: usize, what: impl Into<String>) -> Unsupported {
        let mut hi = self.at.max(lo + 1).min(self.bytes.len());
        while !self.text.is_char_boundary(hi) {
            hi += 1;
        }
        let span = Span::new(self.file, lo as u32, hi as u32);
        Unsupported::at(span, what)
    }

    fn run(&mut self) -> Result<(), Unsupported> {
        while self.at < self.bytes.len() {
            let byte = self.bytes[self.at];
            match byte {
                b'\n' => {
                    self.at += 1;
                    self.line_start = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => self.at += 2,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_comment()?,
                b'#' if self.line_start => self.directive()?,
                _ => {
                    self.line_start = false;
                    self.token(byte)?;
                }
            }
        }
        self.push(TokenKind::End, self.at);
        Ok(())
    }

    fn push(&mut self, kind: TokenKind, lo: usize) {
        self.tokens.push(Token {
            kind,
            lo: lo as u32,
            hi: self.at as u32,
        });
    }

    /// Skips to the end of the line, over lines that end with a backslash.
    fn skip_line(&mut self) {
        while self.at < self.bytes.len() {
            match self.bytes[self.at] {
                b'\n' => return,
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b'\\' if self.peek(1) == b'\n' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = self.bytes.len();
    }

    fn skip_comment(&mut self) -> Result<(), Unsupported> {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => {
                self.at = start + 2 + length + 2;
                Ok(())
            }
            None => {
                self.at = start + 2;
                Err(self.error(start, "this comment has no end"))
            }
        }
    }

    fn directive(&mut self) -> Result<(), Unsupported> {
        let start = self.at;
        self.skip_line();
        let line = self.text[start + 1..self.at].trim();
        let word_end = line
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(line.len());
        let (word, rest) = line.split_at(word_end);
        match word {
            "pragma" => {
                let (lo, hi) = (start as u32, self.at as u32);
                let span = Span::new(self.file, lo, hi);
                let read = self.pragmas.read(rest, span);
                read.map_err(|what| self.error(start, what))
            }
            "" | "line" | "ident" => Ok(()),
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => Ok(()),
            _ => Err(self.error(
                start,
                format!("`#{word}` in text that should be preprocessed already"),
            )),
        }
    }

    fn token(&mut self, byte: u8) -> Result<(), Unsupported> {
        if is_name_start(byte) {
            return self.name_or_prefixed_text();
        }
        if byte.is_ascii_digit() || (byte == b'.' && self.peek(1).is_ascii_digit()) {
            self.number();
            return Ok(());
        }
        match byte {
            b'"' => self.quoted(self.at, b'"', TokenKind::Str),
            b'\'' => self.quoted(self.at, b'\'', TokenKind::Char),
            _ => self.punct(),
        }
    }

    fn name_or_prefixed_text(&mut self) -> Result<(), Unsupported> {
        let start = self.at;
        while is_name_part(self.peek(0)) {
            self.at += 1;
        }
        let name = &self.text[start..self.at];
        if matches!(name, "L" | "u" | "U" | "u8") {
            match self.peek(0) {
                b'"' => return self.quoted(start, b'"', TokenKind::Str),
                b'\'' => return self.quoted(start, b'\'', TokenKind::Char),
                _ => {}
            }
        }
        let kind = match self.keywords.get(name) {
            Some(&keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Ident(self.names.intern(name)),
        };
        self.push(kind, start);
        Ok(())
    }

    fn number(&mut self) {
        let start = self.at;
        loop {
            let byte = self.peek(0);
            if matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.peek(1), b'+' | b'-') {
                // In `0xe+1` the plus is an operator: an exponent of a hexadecimal number is `p`.
                let hex = self.bytes[start..self.at].starts_with(b"0x")
                    || self.bytes[start..self.at].starts_with(b"0X");
                self.at += if hex && matches!(byte, b'e' | b'E') {
                    1
                } else {
                    2
                };
                if hex && matches!(byte, b'e' | b'E') {
                    break;
                }
            } else if is_name_part(byte) || byte == b'.' {
                self.at += 1;
            } else if byte == b'\'' && self.peek(1).is_ascii_alphanumeric() {
                self.at += 2;
            } else {
                break;
            }
        }
        self.push(TokenKind::Number, start);
    }

    /// Reads to the closing quote; `self.at` is at the opening one.
    fn quoted(&mut self, start: usize, quote: u8, kind: TokenKind) -> Result<(), Unsupported> {
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\\' => self.at = (self.at + 2).min(self.bytes.len()),
                b'\n' => return Err(self.error(start, "a quote that is not closed in its line")),
                0 if self.at >= self.bytes.len() => {
                    return Err(self.error(start, "a quote that is not closed"));
                }
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.push(kind, start);
        Ok(())
    }

    fn punct(&mut self) -> Result<(), Unsupported> {
        let start = self.at;
        let rest = &self.bytes[start..];
        let is_here =
            |text: &str| text.as_bytes()[0] == rest[0] && rest.starts_with(text.as_bytes());
        let mut all = DIGRAPHS.iter().chain(Punct::ALL);
        let found = all.find(|(_, text)| is_here(text));
        let Some(&(punct, text)) = found else {
            let shown = self.text[start..].chars().next().unwrap_or(' ');
            return Err(self.error(start, format!("`{}` is no C", shown.escape_default())));
        };
        self.at += text.len();
        self.push(TokenKind::Punct(punct), start);
        Ok(())
    }
}
