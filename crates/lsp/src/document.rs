//! A file that is open in the editor.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// An open file.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its name in the protocol.
    pub uri: String,
    /// Its text, which need not be on the disk yet.
    pub text: String,
}

impl Document {
    /// Where it is, or would be.
    pub fn path(&self) -> PathBuf {
        path_of(&self.uri)
    }

    /// A range of a line. Lines count from 1 and columns from 1 in bytes, as in answers; the protocol counts from 0, in
    /// units of UTF-16. Without columns it is the whole line.
    pub fn range(&self, line: u64, columns: Option<(u64, u64)>) -> Value {
        let index = (line as usize).saturating_sub(1);
        let text = self.text.lines().nth(index).unwrap_or_default();
        let (from, to) = match columns {
            Some((from, to)) => (from as usize - 1, to as usize - 1),
            None => (text.len() - text.trim_start().len(), text.trim_end().len()),
        };
        let units = |byte: usize| {
            let byte = text.floor_char_boundary(byte.min(text.len()));
            text[..byte].encode_utf16().count()
        };
        json!({
            "start": { "line": index, "character": units(from) },
            "end": { "line": index, "character": units(to) },
        })
    }

    /// The text from a byte up to another, as a range.
    pub fn range_of(&self, from: usize, to: usize) -> Value {
        let line = self.text[..from].matches('\n').count() as u64 + 1;
        let start = self.text[..from].rfind('\n').map_or(0, |at| at + 1);
        let columns = ((from - start) as u64 + 1, (to - start) as u64 + 1);
        self.range(line, Some(columns))
    }
}

/// The path in `file:///a%20b.c`.
pub fn path_of(uri: &str) -> PathBuf {
    let text = uri.strip_prefix("file://").unwrap_or(uri).as_bytes();
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let escaped = text.get(at + 1..at + 3).filter(|_| text[at] == b'%');
        let digits = escaped.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(text[at]);
                at += 1;
            }
        }
    }
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name of a file in the protocol.
pub fn uri_of(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut uri = "file://".to_owned();
    for byte in path.to_string_lossy().bytes() {
        match plain(byte) {
            true => uri.push(char::from(byte)),
            false => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let path = Path::new("/tmp/a b/ü.c");
        assert_eq!(uri_of(path), "file:///tmp/a%20b/%C3%BC.c");
        assert_eq!(path_of(&uri_of(path)), path);
        assert_eq!(path_of("file:///100%"), Path::new("/100%"));
    }

    #[test]
    fn columns_count_units_of_utf16() {
        let document = Document {
            uri: "file:///a.c".into(),
            text: "int a;\n\t/* 😀 */ x = 1;\n".into(),
        };
        let at = document.text.find("x =").expect("it is there");
        let range = document.range_of(at, at + 1);
        assert_eq!(range["start"], json!({"line": 1, "character": 10}));
        assert_eq!(range["end"]["character"], 11);
        assert_eq!(document.range(2, None)["start"]["character"], 1);
        assert_eq!(document.range(99, None)["end"]["character"], 0);
    }
}
