//! Character constants and string literals.
//!
//! A literal is decoded to numbers, one per element of the array that it is; the encoding of
//! plain strings is UTF-8, that of wide ones UTF-32 (`L`, `U`) or UTF-16 (`u`).

/// What the elements of a literal are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CharWidth {
    /// `char`.
    Plain,
    /// `u"..."`: `unsigned short`.
    Utf16,
    /// `L"..."`: `wchar_t`, which is `int`.
    Wide,
    /// `U"..."`: `unsigned int`.
    Utf32,
}

impl CharWidth {
    fn mask(self) -> u32 {
        match self {
            CharWidth::Plain => 0xff,
            CharWidth::Utf16 => 0xffff,
            CharWidth::Wide | CharWidth::Utf32 => u32::MAX,
        }
    }
}

fn split(text: &str) -> (CharWidth, &str) {
    let (width, quoted) = match text.as_bytes() {
        [b'u', b'8', ..] => (CharWidth::Plain, &text[2..]),
        [b'u', ..] => (CharWidth::Utf16, &text[1..]),
        [b'U', ..] => (CharWidth::Utf32, &text[1..]),
        [b'L', ..] => (CharWidth::Wide, &text[1..]),
        _ => (CharWidth::Plain, text),
    };
    (width, &quoted[1..quoted.len() - 1])
}

/// Reads a string token; elements without the final zero.
pub fn decode_string(text: &str) -> Result<(CharWidth, Vec<u32>), String> {
    let (width, inside) = split(text);
    let mut elements = Vec::with_capacity(inside.len());
    decode(inside, width, &mut elements)?;
    Ok((width, elements))
}

/// The width of a string token.
pub fn string_width(text: &str) -> CharWidth {
    split(text).0
}

/// Reads the elements of a string token as if it had the prefix of `width`.
pub fn decode_string_as(text: &str, width: CharWidth) -> Result<Vec<u32>, String> {
    let mut elements = Vec::new();
    decode(split(text).1, width, &mut elements)?;
    Ok(elements)
}

/// Reads a character token: its width and value; several characters in one plain constant make
/// one `int`, as in GCC.
pub fn decode_char(text: &str) -> Result<(CharWidth, i64), String> {
    let (width, elements) = decode_string(text)?;
    let value = match (width, elements.as_slice()) {
        (_, []) => return Err("an empty character constant".into()),
        (CharWidth::Plain, [one]) => i64::from(*one as u8 as i8),
        (CharWidth::Plain, many) => {
            let bits = many.iter().fold(0u32, |bits, one| bits << 8 | one);
            i64::from(bits as i32)
        }
        (CharWidth::Wide, [one]) => i64::from(*one as i32),
        (_, [one]) => i64::from(*one),
        _ => return Err("several characters in one wide constant".into()),
    };
    Ok((width, value))
}

fn decode(inside: &str, width: CharWidth, out: &mut Vec<u32>) -> Result<(), String> {
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            encode(c, width, out);
            continue;
        }
        let Some(escape) = chars.next() else {
            return Err("a backslash at the end".into());
        };
        let value = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\\' | '\'' | '"' | '?' => escape as u32,
            '\n' => continue,
            '\r' => {
                chars.next_if_eq(&'\n');
                continue;
            }
            '0'..='7' => octal(escape, &mut chars),
            'x' => {
                let mut value: u32 = 0;
                let mut any = false;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value << 4 | digit;
                    any = true;
                    chars.next();
                }
                if !any {
                    return Err("`\\x` without digits".into());
                }
                value
            }
            'u' | 'U' => {
                let length = if escape == 'u' { 4 } else { 8 };
                let digits: String = chars.by_ref().take(length).collect();
                let named = u32::from_str_radix(&digits, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .ok_or("a `\\u` that names no character")?;
                encode(named, width, out);
                continue;
            }
            other => return Err(format!("the unknown escape `\\{}`", other.escape_default())),
        };
        out.push(value & width.mask());
    }
    Ok(())
}

fn octal(first: char, chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> u32 {
    let mut value = first as u32 - '0' as u32;
    for _ in 0..2 {
        match chars.peek().and_then(|c| c.to_digit(8)) {
            Some(digit) => {
                value = value << 3 | digit;
                chars.next();
            }
            None => break,
        }
    }
    value
}

fn encode(c: char, width: CharWidth, out: &mut Vec<u32>) {
    match width {
        CharWidth::Plain => {
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        CharWidth::Utf16 => {
            let mut buffer = [0; 2];
            out.extend(c.encode_utf16(&mut buffer).iter().copied().map(u32::from));
        }
        CharWidth::Wide | CharWidth::Utf32 => out.push(c as u32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters() {
        let values = [
            r"'a'",
            r"'\n'",
            r"'\xff'",
            r"'\377'",
            r"'ab'",
            r"L'\xffff'",
            r"u'ä'",
        ]
        .map(|text| decode_char(text).map(|(_, value)| value));
        assert_eq!(
            values,
            [
                Ok(97),
                Ok(10),
                Ok(-1),
                Ok(-1),
                Ok(0x6162),
                Ok(0xffff),
                Ok(0xe4)
            ]
        );
        assert!(decode_char("''").is_err());
        assert!(decode_char(r"'\q'").is_err());
    }

    #[test]
    fn strings() {
        assert_eq!(decode_string(r#""a\0b""#).unwrap().1, [97, 0, 98]);
        assert_eq!(decode_string("\"ä\"").unwrap().1, [0xc3, 0xa4]);
        assert_eq!(decode_string("u\"😀\"").unwrap().1, [0xd83d, 0xde00]);
        assert_eq!(decode_string_as("\"ä\"", CharWidth::Wide).unwrap(), [0xe4]);
    }
}
