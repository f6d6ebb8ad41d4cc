//! Source lines as the user wrote them, before the preprocessor.
//!
//! Only files that we have preprocessed ourselves are looked up: the line markers of a `.i` file
//! name files of another machine, or older ones.

use std::cell::RefCell;
use std::collections::HashMap;
use xcfa::{Sources, Span};

/// Looks lines up in the files that were preprocessed; reads each of them once.
pub struct Originals<'a> {
    sources: &'a Sources,
    lines: RefCell<HashMap<String, Vec<String>>>,
}

impl<'a> Originals<'a> {
    /// The originals of these sources.
    pub fn new(sources: &'a Sources) -> Originals<'a> {
        Originals {
            sources,
            lines: RefCell::default(),
        }
    }

    /// The line in which a span starts, if the original file is there.
    pub fn line(&self, span: Span) -> Option<String> {
        let file = self.sources.file(span.file);
        if file.is_library || !file.name.ends_with(".c") {
            return None;
        }
        let place = self.sources.place(span);
        let mut known = self.lines.borrow_mut();
        let lines = known
            .entry(place.file)
            .or_insert_with_key(|path| read_lines(path));
        lines.get(place.line.checked_sub(1)? as usize).cloned()
    }

    /// The line in which a span starts: the original, or else what was read.
    pub fn line_or_read(&self, span: Span) -> String {
        self.line(span)
            .unwrap_or_else(|| self.sources.line_text(span).to_owned())
    }
}

/// No lines if the file cannot be read: a marker may name something that is no file at all.
fn read_lines(path: &str) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes)
        .lines()
        .map(str::to_owned)
        .collect()
}
