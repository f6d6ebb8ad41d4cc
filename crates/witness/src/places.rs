//! Places as witnesses name them: lines and columns of the files that the user gave.
//!
//! A `.i` file is the program itself, whatever its line markers say. A `.c` file has gone through
//! the preprocessor, so its markers lead back to it; a column is known only where the preprocessor
//! has left the line alone up to there.

use xcfa::{FileId, SourceFile, Sources, Span};

/// A place in one of the user's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePosition {
    /// Which file, by its number among those given.
    pub file: usize,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, where it is known.
    pub column: Option<u32>,
}

/// One of the user's files.
#[derive(Clone, Debug)]
struct Given {
    name: String,
    /// The lines before preprocessing; `None` if the text was read as it is.
    original: Option<Vec<String>>,
}

/// The user's files.
#[derive(Clone, Debug)]
pub struct Places {
    given: Vec<Given>,
}

impl Places {
    /// The files in the order in which the program was read, each with its text before
    /// preprocessing if it was preprocessed.
    pub fn new(files: impl IntoIterator<Item = (String, Option<String>)>) -> Places {
        let given = files.into_iter().map(|(name, text)| Given {
            name,
            original: text.map(|text| text.lines().map(str::to_owned).collect()),
        });
        Places {
            given: given.collect(),
        }
    }

    /// Where a span starts; `None` for text that the user did not give, such as headers.
    pub fn start(&self, sources: &Sources, span: Span) -> Option<SourcePosition> {
        self.at(sources, span.file, span.lo)
    }

    /// Where the last character of a span is.
    pub fn end(&self, sources: &Sources, span: Span) -> Option<SourcePosition> {
        self.at(sources, span.file, span.hi.max(span.lo + 1) - 1)
    }

    fn at(&self, sources: &Sources, file: FileId, byte: u32) -> Option<SourcePosition> {
        let number = file.0 as usize;
        let given = self.given.get(number)?;
        let source = sources.file(file);
        let told = source.place(byte);
        let Some(original) = &given.original else {
            return Some(SourcePosition {
                file: number,
                line: source.line_index(byte) as u32 + 1,
                column: Some(told.column),
            });
        };
        // A file that was preprocessed from another folder is named by its whole path.
        let plain = given.name.trim_start_matches("./");
        if told.file != given.name && !told.file.ends_with(&format!("/{plain}")) {
            return None;
        }
        let line = original.get(told.line.checked_sub(1)? as usize)?;
        Some(SourcePosition {
            file: number,
            line: told.line,
            column: kept_column(source, byte, told.column, line),
        })
    }

    /// The file that a witness means by a name: the one with that name, or with the same last part
    /// of it, or the only one.
    pub fn file(&self, name: &str) -> Option<usize> {
        let same = |given: &Given| given.name == name;
        let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        let alike = |given: &Given| last(&given.name) == last(name);
        let mut found = self.given.iter().position(same);
        found = found.or_else(|| self.given.iter().position(alike));
        found.or((self.given.len() == 1).then_some(0))
    }

    /// The name of a file.
    pub fn name(&self, file: usize) -> &str {
        &self.given[file].name
    }
}

/// The column, if what precedes it is as the user wrote it.
fn kept_column(source: &SourceFile, byte: u32, column: u32, original: &str) -> Option<u32> {
    let line = source.line_text(source.line_index(byte));
    let upto = column as usize;
    let (now, before) = (line.get(..upto)?, original.get(..upto)?);
    (now == before).then_some(column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(
        name: &str,
        text: &str,
        original: Option<&str>,
        byte: usize,
    ) -> Option<SourcePosition> {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new(name, text));
        let places = Places::new([(name.to_owned(), original.map(str::to_owned))]);
        let (lo, hi) = (byte as u32, byte as u32 + 1);
        places.start(&sources, Span { file, lo, hi })
    }

    #[test]
    fn markers_count_only_for_what_we_have_preprocessed() {
        let text = "# 1 \"a.c\"\nint x;\n# 9 \"a.c\"\nx = ABC;\n";
        let at = text.find("x =").unwrap();
        let line = |place: Option<SourcePosition>| place.map(|place| (place.line, place.column));
        assert_eq!(line(place("a.i", text, None, at)), Some((4, Some(1))));
        let original = "\n\n\n\n\n\n\n\nx = A;\n";
        assert_eq!(
            line(place("a.c", text, Some(original), at)),
            Some((9, Some(1)))
        );
        let value = text.find("ABC").unwrap();
        let column = |byte| place("a.c", text, Some(original), byte).unwrap().column;
        assert_eq!(column(value), Some(5));
        assert_eq!(column(value + 1), None);
    }

    #[test]
    fn headers_are_nobodys() {
        let text = "# 1 \"h.h\"\nint x;\n";
        assert_eq!(place("a.c", text, Some("int x;\n"), 10), None);
    }

    #[test]
    fn files_by_name() {
        let two = ["d/a.i", "d/b.i"].map(|name| (name.to_owned(), None));
        let places = Places::new(two);
        assert_eq!(places.file("x/b.i"), Some(1));
        assert_eq!(places.file("c.i"), None);
    }
}
