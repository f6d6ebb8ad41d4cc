//! Numeric constants: integers in four bases and floating constants in two, with suffixes.
//!
//! Floating constants become `f64`, also those of type `long double`, with which nothing is
//! computed; a `float` constant is rounded once, to `float`.

use crate::hir::{FloatType, IntKind, IntType};
use xcfa::DataModel;

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(IntLit),
    /// A floating constant.
    Float(FloatLit),
}

/// An integer constant; its type depends on the data model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntLit {
    /// Its value.
    pub value: u64,
    /// Written in base ten, where an unsigned type is never chosen by itself?
    pub decimal: bool,
    /// A suffix `u`?
    pub unsigned: bool,
    /// How many `l` in its suffix.
    pub longs: u8,
}

/// A floating constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloatLit {
    /// Its value.
    pub value: f64,
    /// Its type.
    pub ty: FloatType,
}

impl IntLit {
    /// The first type in C's list that holds the value; `None` if there is none.
    pub fn ty(self, model: DataModel) -> Option<IntType> {
        let first = match self.longs {
            0 => 0,
            1 => 1,
            _ => 2,
        };
        let kinds = [IntKind::Int, IntKind::Long, IntKind::LongLong];
        for kind in &kinds[first..] {
            let signed = IntType::new(*kind, true);
            let bits = signed.size(model) * 8;
            if !self.unsigned && self.value >> (bits - 1) == 0 {
                return Some(signed);
            }
            let may_be_unsigned = self.unsigned || !self.decimal;
            if may_be_unsigned && (bits == 64 || self.value >> bits == 0) {
                return Some(IntType::new(*kind, false));
            }
        }
        // A decimal constant beyond `long long`: GCC warns and takes the unsigned type.
        (!self.unsigned).then_some(IntType::new(IntKind::LongLong, false))
    }
}

/// Reads the text of a number token; the error says what is wrong with it.
pub fn decode_number(text: &str) -> Result<Number, String> {
    let cleaned;
    let text = if text.contains('\'') {
        cleaned = text.replace('\'', "");
        cleaned.as_str()
    } else {
        text
    };
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let binary = lower.starts_with("0b");
    let floating = if hex {
        lower.contains(['.', 'p'])
    } else {
        !binary && lower.contains(['.', 'e'])
    };
    if floating {
        return decode_float(&lower, hex).map(Number::Float);
    }
    let (digits, radix) = if hex {
        (&lower[2..], 16)
    } else if binary {
        (&lower[2..], 2)
    } else if lower.starts_with('0') {
        (&lower[..], 8)
    } else {
        (&lower[..], 10)
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if digits.is_empty() {
        return Err(format!("`{text}` is not a number"));
    }
    let value = u64::from_str_radix(digits, radix)
        .map_err(|_| format!("`{text}` does not fit into 64 bits"))?;
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return Err(bad_suffix(suffix, text)),
    };
    Ok(Number::Int(IntLit {
        value,
        decimal: radix == 10,
        unsigned,
        longs,
    }))
}

fn bad_suffix(suffix: &str, text: &str) -> String {
    if suffix.contains(['i', 'j']) {
        return format!("the imaginary constant `{text}`");
    }
    format!("`{suffix}` is no suffix of a number that we know")
}

fn decode_float(lower: &str, hex: bool) -> Result<FloatLit, String> {
    let body_end = lower
        .char_indices()
        .skip(if hex { 2 } else { 0 })
        .find(|&(at, c)| !is_float_part(lower, at, c, hex))
        .map_or(lower.len(), |(at, _)| at);
    let (body, suffix) = lower.split_at(body_end);
    let ty = match suffix {
        "" | "f64" | "d" | "f32x" => FloatType::Double,
        "f" | "f32" => FloatType::Float,
        "l" | "f64x" | "w" => FloatType::LongDouble,
        _ => return Err(bad_suffix(suffix, lower)),
    };
    let parsed = if hex {
        hex_float(body)
    } else {
        body.parse::<f64>().ok()
    };
    let value = parsed.ok_or_else(|| format!("`{lower}` is not a number"))?;
    let value = match ty {
        // Rounding to `double` first could round twice.
        FloatType::Float if !hex => body.parse::<f32>().map_or(value, f64::from),
        FloatType::Float => f64::from(value as f32),
        _ => value,
    };
    Ok(FloatLit { value, ty })
}

fn is_float_part(text: &str, at: usize, c: char, hex: bool) -> bool {
    let exponent = if hex { 'p' } else { 'e' };
    let after_exponent = text[..at].contains(exponent);
    match c {
        '0'..='9' | '.' => true,
        '+' | '-' => text[..at].ends_with(exponent),
        _ if c == exponent => !after_exponent,
        'a'..='f' => hex && !after_exponent,
        _ => false,
    }
}

/// Reads `0x1.8p3`; digits beyond 64 bits are kept only as a sticky bit, so rounding is right.
fn hex_float(body: &str) -> Option<f64> {
    let (digits, exponent) = body.strip_prefix("0x")?.split_once('p')?;
    let mut exponent: i64 = exponent.parse().ok()?;
    let mut mantissa: u128 = 0;
    let mut seen_point = false;
    let mut any = false;
    for c in digits.chars() {
        if c == '.' {
            if seen_point {
                return None;
            }
            seen_point = true;
            continue;
        }
        let digit = u128::from(c.to_digit(16)?);
        any = true;
        if mantissa >> 100 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent -= if seen_point { 4 } else { 0 };
        } else {
            mantissa |= u128::from(digit != 0);
            exponent += if seen_point { 0 } else { 4 };
        }
    }
    any.then(|| scale(mantissa, exponent))
}

/// `mantissa * 2^exponent`, rounded once to nearest, ties to even.
fn scale(mantissa: u128, exponent: i64) -> f64 {
    if mantissa == 0 {
        return 0.0;
    }
    let length = i64::from(128 - mantissa.leading_zeros());
    let top = length + exponent;
    // Subnormal results have fewer bits.
    let precision = 53.min(top + 1074);
    if precision < 0 {
        return 0.0;
    }
    let drop = length - precision;
    let (kept, exponent) = if drop > 0 {
        let kept = mantissa >> drop;
        let rest = mantissa & ((1u128 << drop) - 1);
        let half = 1u128 << (drop - 1);
        let up = rest > half || (rest == half && kept & 1 == 1);
        (kept + u128::from(up), exponent + drop)
    } else {
        (mantissa, exponent)
    };
    if top > 1024 {
        return f64::INFINITY;
    }
    let exponent = exponent as i32;
    // Two exact steps, because 2^exponent alone may be below the smallest number.
    let half = exponent / 2;
    kept as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(texts: &[&str], expect: Expect) {
        let mut out = String::new();
        for text in texts {
            let shown = match decode_number(text) {
                Ok(Number::Int(lit)) => {
                    let types =
                        [DataModel::Ilp32, DataModel::Lp64].map(|model| match lit.ty(model) {
                            Some(ty) => {
                                format!("{}{:?}", if ty.signed { "" } else { "U" }, ty.kind)
                            }
                            None => "none".into(),
                        });
                    format!("{} {} {}", lit.value, types[0], types[1])
                }
                Ok(Number::Float(lit)) => format!("{:?} {:?}", lit.value, lit.ty),
                Err(what) => what,
            };
            out.push_str(&format!("{text}: {shown}\n"));
        }
        expect.assert_eq(&out);
    }

    #[test]
    fn integers() {
        check(
            &[
                "0",
                "2147483648",
                "0x80000000",
                "4294967296",
                "017",
                "0b101u",
                "1'000",
                "5uLL",
                "0xffffffffffffffff",
                "18446744073709551615",
                "18446744073709551616",
                "09",
                "0x",
                "3q",
            ],
            expect![[r#"
                0: 0 Int Int
                2147483648: 2147483648 LongLong Long
                0x80000000: 2147483648 UInt UInt
                4294967296: 4294967296 LongLong Long
                017: 15 Int Int
                0b101u: 5 UInt UInt
                1'000: 1000 Int Int
                5uLL: 5 ULongLong ULongLong
                0xffffffffffffffff: 18446744073709551615 ULongLong ULong
                18446744073709551615: 18446744073709551615 ULongLong ULongLong
                18446744073709551616: `18446744073709551616` does not fit into 64 bits
                09: `9` is no suffix of a number that we know
                0x: `0x` is not a number
                3q: `q` is no suffix of a number that we know
            "#]],
        );
    }

    #[test]
    fn floats() {
        check(
            &[
                "1.5",
                ".5f",
                "1e3",
                "1e-3L",
                "0x1.8p3",
                "0x.1p0f",
                "0x1p-1074",
                "0x1p1024",
                "0.1f",
                "1.0i",
                "1.e",
                "0x1.0",
            ],
            expect![[r#"
                1.5: 1.5 Double
                .5f: 0.5 Float
                1e3: 1000.0 Double
                1e-3L: 0.001 LongDouble
                0x1.8p3: 12.0 Double
                0x.1p0f: 0.0625 Float
                0x1p-1074: 5e-324 Double
                0x1p1024: inf Double
                0.1f: 0.10000000149011612 Float
                1.0i: the imaginary constant `1.0i`
                1.e: `1.e` is not a number
                0x1.0: `0x1.0` is not a number
            "#]],
        );
    }
}
