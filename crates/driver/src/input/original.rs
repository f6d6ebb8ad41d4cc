//! Source lines as the user wrote them, before the preprocessor.
//!
//! Law: a line that is shown comes from a file that was given, or that the preprocessor read for it.
//! What a line marker names is searched for among these and never opened: markers can be written by
//! hand, and those of a `.i` file name files of another machine.

use super::region::written;
use std::collections::BTreeMap;
use std::path::Path;
use xcfa::{Sources, Span};

/// A header with more bytes than this is quoted as the preprocessor left it.
const MOST_BYTES: usize = 4 << 20;

/// The line in which a span starts, as it was written, if that is known.
fn original_line(sources: &Sources, span: Span) -> Option<String> {
    written(sources, span).map(|(_, line)| line.to_owned())
}

/// The line in which a span starts: the original, or else what was read.
pub fn line_or_read(sources: &Sources, span: Span) -> String {
    original_line(sources, span).unwrap_or_else(|| sources.line_text(span).to_owned())
}

/// The text of a file that was given, under the name that the preprocessor gives it, and those of the
/// headers that a list of dependencies names.
pub fn originals(
    name: &str,
    bytes: &[u8],
    headers: &[String],
    folder: Option<&Path>,
) -> BTreeMap<String, String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut all = BTreeMap::from([(name.to_owned(), text(bytes))]);
    for header in headers {
        let path = folder.map_or(header.into(), |folder| folder.join(header));
        let small = std::fs::metadata(&path)
            .is_ok_and(|file| file.is_file() && file.len() as usize <= MOST_BYTES);
        if let (true, Ok(bytes)) = (small, std::fs::read(&path)) {
            all.entry(header.clone()).or_insert_with(|| text(&bytes));
        }
    }
    all
}

/// The files of a rule for `make`, without the first one, which is the program itself.
pub fn dependencies(rule: &str) -> Vec<String> {
    let rule = rule.replace("\\\n", " ");
    let list = rule.split_once(": ").map_or("", |(_, list)| list);
    let mut names = vec![String::new()];
    let mut letters = list.lines().next().unwrap_or("").chars().peekable();
    while let Some(letter) = letters.next() {
        let last = names.last_mut().expect("there is always one");
        match (letter, letters.peek()) {
            ('\\', Some(&next @ (' ' | '#' | '\\'))) => {
                last.push(next);
                letters.next();
            }
            ('$', Some('$')) => {
                last.push('$');
                letters.next();
            }
            (' ', _) => names.push(String::new()),
            _ => last.push(letter),
        }
    }
    names.retain(|name| !name.is_empty());
    names.into_iter().skip(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcfa::SourceFile;

    #[test]
    fn names_of_dependencies() {
        let rule = "a.o: dir/a.c x.h \\\n  with\\ blank.h a$$b.h\n\nx.h:\n";
        assert_eq!(dependencies(rule), ["x.h", "with blank.h", "a$b.h"]);
        assert_eq!(dependencies("a.o: a.c\n"), Vec::<String>::new());
        assert_eq!(dependencies(""), Vec::<String>::new());
    }

    /// However the preprocessed text names a file, it is not opened.
    #[test]
    fn a_marker_opens_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "the secret\n").unwrap();
        let text = format!("# 1 \"{}\"\nint x;\n", secret.display());
        let known = originals("a.c", b"int y;\n", &[], None);
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a.c", text.clone()).with_originals(known));
        let lo = text.find("int").unwrap() as u32;
        let span = Span { file, lo, hi: lo };
        assert_eq!(sources.place(span).file, secret.display().to_string());
        assert_eq!(line_or_read(&sources, span), "int x;");
    }
}
