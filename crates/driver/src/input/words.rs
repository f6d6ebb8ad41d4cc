//! A line of text as the words that a shell makes of it.

/// Splits a line as a shell would: blanks, both kinds of quotes, and backslashes. There are no variables and no
/// patterns of files.
pub fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = None::<String>;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('\''), _) => word.get_or_insert_default().push(letter),
            (Some(_), '\\') => {
                let next = letters.next().ok_or("it ends in a backslash")?;
                let word = word.get_or_insert_default();
                // Between double quotes, a backslash is itself unless what follows has a meaning there.
                if !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            (None, '\\') => {
                let next = letters.next().ok_or("it ends in a backslash")?;
                word.get_or_insert_default().push(next);
            }
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("a quote {open} is not closed")),
        None => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_as_a_shell_would() {
        let line = r#"cc  -DNAME=\"x\" '-DTWO=a b' "-I dir" -c a.c"#;
        let words = split(line).expect("words");
        let expected = ["cc", "-DNAME=\"x\"", "-DTWO=a b", "-I dir", "-c", "a.c"];
        assert_eq!(words, expected);
        assert_eq!(split(""), Ok(Vec::new()));
        assert_eq!(split("''"), Ok(vec![String::new()]));
        assert_eq!(split(r#""a\n\"b""#), Ok(vec![r#"a\n"b"#.to_owned()]));
        for bad in ["'a", "\"a", "a\\", "\"a\\"] {
            assert!(split(bad).is_err(), "{bad}");
        }
    }
}
