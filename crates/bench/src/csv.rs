//! Comma-separated values, as much of them as one table of records needs.
//!
//! Fields with a comma, a quote or a line break are quoted; line breaks are turned into spaces
//! when writing, so that a record is always one line and a cut last line is noticed.

/// One line, with its end.
pub fn line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let fields: Vec<_> = fields.into_iter().map(quote).collect();
    fields.join(",") + "\n"
}

fn quote(field: &str) -> String {
    let field = field.replace(['\n', '\r'], " ");
    if field.contains([',', '"']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

/// The fields of one line, or `None` if a quote is left open.
pub fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.trim_end_matches(['\n', '\r']).chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                fields.last_mut()?.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut()?.push(c),
        }
    }
    (!quoted).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = line(["a", "", "b,c", "say \"hi\"", "two\nlines"]);
        assert_eq!(text, "a,,\"b,c\",\"say \"\"hi\"\"\",two lines\n");
        assert_eq!(
            fields(&text).unwrap(),
            ["a", "", "b,c", "say \"hi\"", "two lines"]
        );
        assert_eq!(fields("a,\"b"), None);
    }
}
