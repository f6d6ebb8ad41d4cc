//! What the expressions, names and types of a witness may be, judged by their text alone.

/// Nothing that could end the expression, hide what follows, or be read in two ways. Whether it has
/// effects is for the front end to say.
pub(super) fn is_plain(value: &str) -> bool {
    let hidden = ["//", "/*", "<%", "%>", "<:", ":>", "%:", "??"];
    let odd = |c: char| c.is_control() || ";{}#\\\"'`".contains(c);
    if value.trim().is_empty() || value.contains(odd) || hidden.iter().any(|it| value.contains(it))
    {
        return false;
    }
    let mut open = Vec::new();
    for c in value.chars() {
        match c {
            '(' | '[' => open.push(c),
            ')' if open.pop() != Some('(') => return false,
            ']' if open.pop() != Some('[') => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// Is there an element, a member behind a pointer, or a star that may be more than a product?
pub(super) fn may_read_memory(value: &str) -> bool {
    let is_product = |(at, _): (usize, &str)| {
        let before = value[..at].trim_end();
        before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
    };
    value.contains('[') || value.contains("->") || !value.match_indices('*').all(is_product)
}

/// A name that neither the language nor the library has.
pub(super) fn is_name(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first && text.chars().all(letters) && !text.starts_with("__")
}

pub(super) fn is_integer_type(text: &str) -> bool {
    const WORDS: [&str; 7] = [
        "signed", "unsigned", "char", "short", "int", "long", "_Bool",
    ];
    let mut words = text.split(' ').peekable();
    words.peek().is_some() && words.all(|word| WORDS.contains(&word))
}

/// A number, perhaps a negative one.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.trim().trim_start_matches('-');
    !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_one_expression() {
        let plain = [
            "x == 1",
            "a <= b && !(c != d)",
            "(x + 1) >> 2",
            "1",
            "s.a[2] < -1",
            "f(x)",
        ];
        for plain in plain {
            assert!(is_plain(plain), "{plain}");
        }
        for other in [
            "x; y",
            "",
            " ",
            "\"a\"",
            "(",
            "0) || (1",
            "1 //",
            "1 /*",
            "(<%%>)",
            "x\n",
            "x\r",
            "(]",
            "[)(]",
            "a <: 1 :>",
            "1 ??/",
            "#x",
            "({ 1 })",
            "'a'",
        ] {
            assert!(!is_plain(other), "{other}");
        }
    }

    #[test]
    fn what_may_read_memory() {
        for value in [
            "a[1]",
            "p->x",
            "*p == 1",
            "2 * *p",
            "(int)*p",
            "x == 1 && *p",
        ] {
            assert!(may_read_memory(value), "{value}");
        }
        for value in ["x * 2", "2*x == y * z", "s.a == 1", "1"] {
            assert!(!may_read_memory(value), "{value}");
        }
    }

    #[test]
    fn ghosts_are_new_integers() {
        assert!(is_name("held_m") && !is_name("1x") && !is_name("__x") && !is_name("a b"));
        assert!(is_integer_type("unsigned int") && is_integer_type("_Bool"));
        for ty in [
            "typedef int",
            "static int",
            "int *",
            "struct s",
            "",
            "int  x",
        ] {
            assert!(!is_integer_type(ty), "{ty}");
        }
        assert!(is_number("-3") && is_number("0") && !is_number("1/0") && !is_number("f()"));
    }
}
