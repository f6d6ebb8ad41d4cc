//! The text of a program as characters and words: just enough to find a place in it.

use xcfa::SourceFile;

/// The last character of a text that is neither white space nor in a comment or a line marker; nothing
/// where that is hard to tell.
pub(super) fn last_significant(text: &str) -> Option<char> {
    let mut last = None;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if let Some(comment) = rest.strip_prefix("/*") {
            2 + comment.find("*/")? + 2
        } else if rest.starts_with("//") || first == '#' {
            let line = rest.lines().next().unwrap_or_default();
            (!line.ends_with('\\')).then_some(line.len())?
        } else if first == '"' || first == '\'' {
            // The end of a raw string is not looked for.
            (last != Some('R')).then_some(())?;
            last = Some(first);
            quoted(rest, first)?
        } else {
            last = Some(first).filter(|it| !it.is_whitespace()).or(last);
            first.len_utf8()
        };
        rest = &rest[skipped..];
    }
    last
}

/// How long the string or character is that a text begins with.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map(|(at, _)| at + 1)
}

/// The text of a file with lines that end in a backslash joined: a name may be on two of them.
pub(super) fn joined(file: &SourceFile) -> String {
    file.text.replace("\\\r\n", "").replace("\\\n", "")
}

pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before() {
        let last = last_significant;
        assert_eq!(last("int x;\n  "), Some(';'));
        assert_eq!(last("int a, // ;\n"), Some(','));
        assert_eq!(last("int a, /* ; */\n# 3 \"x.c\" 2 ;\n"), Some(','));
        assert_eq!(last("s = \"// \\\";\" , '\\'', \n"), Some(','));
        assert_eq!(last("int a, // \\\n;\n"), None);
        assert_eq!(last("s = R\"x(\")x\";"), None);
        assert_eq!(last("\u{13b}\n"), Some('\u{13b}'));
        assert_eq!(last(""), None);
    }
}
