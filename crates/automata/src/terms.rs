//! The terms of the notation.

use super::Reader;
use expr::{Op, Sort, Term};

impl Reader {
    pub(super) fn expr(&mut self, text: &str, sort: Sort) -> Term {
        let spaced = ["(", ")", "!", "&"]
            .iter()
            .fold(text.to_string(), |text, &mark| {
                text.replace(mark, &format!(" {mark} "))
                    .replace("!  =", "!=")
                    .replace("! =", "!=")
            });
        let spaced = spaced.replace("&   &", "&&").replace("&  &", "&&");
        let tokens: Vec<&str> = spaced.split_whitespace().collect();
        let mut at = 0;
        let term = self.binary(&tokens, &mut at, sort);
        assert_eq!(at, tokens.len(), "all of `{text}` is an expression");
        term
    }

    /// Operators associate to the left and all bind alike.
    fn binary(&mut self, tokens: &[&str], at: &mut usize, sort: Sort) -> Term {
        let mut left = self.operand(tokens, at, sort);
        while let Some(&token) = tokens.get(*at).filter(|&&token| token != ")") {
            *at += 1;
            let sort = self.xcfa.terms.sort(left);
            let right = self.operand(tokens, at, sort);
            let op = match token {
                "+" => Op::Add,
                "-" => Op::Sub,
                "*" => Op::Mul,
                "==" | "!=" => Op::Eq,
                "<" => Op::Slt,
                "&&" => Op::And,
                "||" => Op::Or,
                other => panic!("`{other}` is no operator"),
            };
            left = self.xcfa.terms.binary(op, left, right);
            if token == "!=" {
                left = self.xcfa.terms.not(left);
            }
        }
        left
    }

    fn operand(&mut self, tokens: &[&str], at: &mut usize, sort: Sort) -> Term {
        let token = tokens[*at];
        *at += 1;
        match token {
            "(" => {
                let term = self.binary(tokens, at, sort);
                *at += 1;
                term
            }
            "!" => {
                let term = self.operand(tokens, at, sort);
                self.xcfa.terms.not(term)
            }
            "&" => {
                let object = self.objects[tokens[*at]];
                *at += 1;
                self.xcfa.terms.base(object, 64)
            }
            "zext64" | "sext64" | "low32" => {
                let inner = if token == "low32" { 64 } else { 32 };
                let term = self.operand(tokens, at, Sort::Bv(inner));
                let op = match token {
                    "zext64" => Op::ZeroExt(64),
                    "sext64" => Op::SignExt(64),
                    _ => Op::Extract { hi: 31, lo: 0 },
                };
                self.xcfa.terms.unary(op, term)
            }
            _ => self.leaf(token, sort),
        }
    }

    fn leaf(&mut self, token: &str, sort: Sort) -> Term {
        match token.parse::<i64>() {
            // The condition of a test is not wider than 32 bits unless a variable says so.
            Ok(value) if sort == Sort::Bool => self.xcfa.terms.bool(value != 0),
            Ok(value) => self.xcfa.terms.constant(sort, value as u64),
            Err(_) => {
                let var = self.var(token);
                self.xcfa.read(var)
            }
        }
    }
}
