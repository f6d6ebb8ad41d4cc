//! The text of a program, by the user's files and lines.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use xcfa::{FileId, Sources, Span, Xcfa};

/// The lines of a file; of a preprocessed one those that came from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// As in the places of a trace.
    pub name: String,
    /// Numbers, from 1, and texts.
    pub lines: Vec<(u32, String)>,
}

/// All files of a program's steps, as they were before the preprocessor if that is known.
pub fn program_text(xcfa: &Xcfa) -> Vec<SourceText> {
    let mut names: BTreeMap<FileId, BTreeSet<String>> = BTreeMap::new();
    let spans: BTreeSet<Span> = xcfa.edges.iter().map(|edge| edge.span).collect();
    for span in spans {
        // The models of the C library are not what the user wrote.
        if !xcfa.sources.file(span.file).is_library {
            let file = xcfa.sources.place(span).file;
            names.entry(span.file).or_default().insert(file);
        }
    }
    let mut texts: Vec<SourceText> = Vec::new();
    for (file, names) in names {
        for name in names {
            if texts.iter().all(|known| known.name != name) {
                let lines = lines_of(&xcfa.sources, file, &name);
                texts.push(SourceText { name, lines });
            }
        }
    }
    texts
}

fn lines_of(sources: &Sources, file: FileId, name: &str) -> Vec<(u32, String)> {
    let read = sources.file(file);
    if let Some(text) = read.original(name) {
        let lines = text.lines().map(str::to_owned);
        return (1..).zip(lines).collect();
    }
    let mut lines = BTreeMap::new();
    let mut start = 0;
    for line in read.text.split_inclusive('\n') {
        let place = read.place(start);
        start += line.len() as u32;
        if place.file == name && !line.starts_with('#') {
            lines.insert(place.line, line.trim_end().to_owned());
        }
    }
    lines.into_iter().collect()
}

/// Where a span is: the number of its file and its line, and the text of the line.
pub fn place(sources: &Sources, files: &[SourceText], span: Span) -> (Option<usize>, u32, String) {
    let place = sources.place(span);
    let file = files.iter().position(|file| file.name == place.file);
    let known = file.and_then(|file| {
        let lines = &files[file].lines;
        let at = lines.binary_search_by_key(&place.line, |(line, _)| *line);
        at.ok().map(|at| lines[at].1.clone())
    });
    let text = known.unwrap_or_else(|| sources.line_text(span).to_owned());
    (file, place.line, text.trim().to_owned())
}
