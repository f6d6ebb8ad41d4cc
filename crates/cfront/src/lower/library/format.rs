//! Formats of `printf`, taken apart.

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text that is printed as it is.
    Plain(Vec<u8>),
    /// Something that an argument is printed by.
    Conversion(Conversion),
}

/// `%` and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// Flags, such as `-` or `0`, as `lib/format.c` has them.
    pub flags: i64,
    /// The least number of characters.
    pub width: Option<Amount>,
    /// The number after the point.
    pub precision: Option<Amount>,
    /// `h`, `l` and the like.
    pub length: Vec<u8>,
    /// The letter at the end.
    pub kind: u8,
}

/// A number in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// A number that is given directly.
    Number(u64),
    /// `*`: an argument of its own.
    Argument,
}

/// Flags, each with its bit; what groups digits does nothing in the locale that a program starts with.
const FLAGS: [(u8, i64); 6] = [
    (b'-', 1),
    (b'+', 2),
    (b' ', 4),
    (b'#', 8),
    (b'0', 16),
    (b'\'', 0),
];

/// What a capital letter at the end asks for.
const UPPER: i64 = 32;

/// The parts of a format up to its end; `None` if one of them is not known.
pub(super) fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let end = format.iter().position(|&byte| byte == 0);
    let mut rest = &format[..end.unwrap_or(format.len())];
    let mut pieces = Vec::new();
    while let Some(&byte) = rest.first() {
        if byte != b'%' {
            let length = rest.iter().position(|&byte| byte == b'%');
            let (plain, after) = rest.split_at(length.unwrap_or(rest.len()));
            pieces.push(Piece::Plain(plain.to_vec()));
            rest = after;
        } else if rest.get(1) == Some(&b'%') {
            pieces.push(Piece::Plain(vec![b'%']));
            rest = &rest[2..];
        } else {
            rest = &rest[1..];
            pieces.push(Piece::Conversion(conversion(&mut rest)?));
        }
    }
    Some(pieces)
}

/// Would a text, as a format, ask for wide text or name its arguments by number (`%1$d`)?
pub(super) fn is_odd(text: &[u8]) -> bool {
    let starts = (0..text.len()).filter(|&at| text[at] == b'%');
    starts.into_iter().any(|at| {
        let mut rest = &text[at + 1..];
        let is_amount = |byte: u8| b"-+ #0'*.".contains(&byte) || byte.is_ascii_digit();
        let amounts = take(&mut rest, is_amount);
        let numbered = !amounts.is_empty() && rest.first() == Some(&b'$');
        let wide = take(&mut rest, |byte| b"hlLqjzt".contains(&byte)).contains(&b'l');
        let kind = rest.first().copied().unwrap_or(0);
        numbered || b"SC".contains(&kind) || (wide && b"sc".contains(&kind))
    })
}

fn conversion(rest: &mut &[u8]) -> Option<Conversion> {
    let bit = |byte: u8| FLAGS.iter().find(|(flag, _)| *flag == byte);
    let flags = take(rest, |byte| bit(byte).is_some()).to_vec();
    let flags = flags.into_iter().filter_map(bit);
    let flags = flags.fold(0, |all, (_, bit)| all | bit);
    let width = amount(rest);
    let precision = match rest.first() {
        Some(b'.') => {
            *rest = &rest[1..];
            Some(amount(rest).unwrap_or(Amount::Number(0)))
        }
        _ => None,
    };
    let length = take(rest, |byte| b"hlLqjzt".contains(&byte)).to_vec();
    let (&kind, after) = rest.split_first()?;
    *rest = after;
    // `%1$d` is not known, nor is wide text.
    let is_known = match kind {
        b's' | b'c' => length.is_empty(),
        _ => b"diouxXeEfFgGaApnm".contains(&kind),
    };
    is_known.then_some(Conversion {
        flags: if kind == b'X' { flags | UPPER } else { flags },
        width,
        precision,
        length,
        kind,
    })
}

fn amount(rest: &mut &[u8]) -> Option<Amount> {
    if rest.first() == Some(&b'*') {
        *rest = &rest[1..];
        return Some(Amount::Argument);
    }
    let digits = take(rest, |byte| byte.is_ascii_digit());
    let text = std::str::from_utf8(digits).ok()?;
    text.parse().ok().map(Amount::Number)
}

fn take<'t>(rest: &mut &'t [u8], wanted: impl Fn(u8) -> bool) -> &'t [u8] {
    let length = rest.iter().position(|&byte| !wanted(byte));
    let (taken, after) = rest.split_at(length.unwrap_or(rest.len()));
    *rest = after;
    taken
}

#[cfg(test)]
mod tests {
    use super::{Amount, Piece, pieces};

    fn kinds(format: &str) -> Option<String> {
        let one = |piece: Piece| match piece {
            Piece::Plain(text) => format!("[{}]", String::from_utf8_lossy(&text)),
            Piece::Conversion(conversion) => (conversion.kind as char).to_string(),
        };
        Some(pieces(format.as_bytes())?.into_iter().map(one).collect())
    }

    #[test]
    fn formats() {
        assert_eq!(kinds("a%d, %-5.3lld%%%s").as_deref(), Some("[a]d[, ]d[%]s"));
        assert_eq!(kinds("x\0%d").as_deref(), Some("[x]"));
        for unknown in ["%", "%1$d", "%ls", "%lc", "%y", "%C"] {
            assert_eq!(kinds(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn flags() {
        let pieces = pieces(b"%-#05X").expect("known");
        let [Piece::Conversion(number)] = pieces.as_slice() else {
            panic!("one conversion");
        };
        assert_eq!(number.flags, 1 + 8 + 16 + 32);
        assert_eq!(number.width, Some(Amount::Number(5)));
    }

    #[test]
    fn odd_formats() {
        for odd in ["%1$d", "x %-3ls", "%*2$d", "%lc", "%S"] {
            assert!(super::is_odd(odd.as_bytes()), "{odd}");
        }
        for usual in ["", "%d", "100%", "%%1", "%-*.3ld %s", "%5"] {
            assert!(!super::is_odd(usual.as_bytes()), "{usual}");
        }
    }

    #[test]
    fn amounts() {
        let pieces = pieces(b"%*.*s").expect("known");
        let [Piece::Conversion(text)] = pieces.as_slice() else {
            panic!("one conversion");
        };
        assert_eq!(text.width, Some(Amount::Argument));
        assert_eq!(text.precision, Some(Amount::Argument));
        assert_eq!(text.flags, 0);
    }
}
