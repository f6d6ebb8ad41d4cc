//! Where a text is in the file that the user wrote.

use serde::Serialize;
use std::ops::Range;
use xcfa::{Sources, Span};

/// A part of a line of a file as it was written. A text that goes on in the next line is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Region {
    /// Column of the first byte, from 1.
    pub column: u32,
    /// Column behind the last byte.
    pub end_column: u32,
    /// The first byte of the file, from 0.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
}

/// The line in which a span starts, as it was written if that is known, else as it was read; and where the span is
/// in it.
pub fn shown(sources: &Sources, span: Span) -> (String, Range<usize>) {
    let read = sources.line_text(span);
    let from = (sources.place(span).column - 1) as usize;
    let range = from..from + (span.hi.saturating_sub(span.lo)).max(1) as usize;
    match written(sources, span) {
        Some((_, line)) if line != read => (line.to_owned(), find_again(read, range, line)),
        _ => (read.to_owned(), on_boundaries(read, range)),
    }
}

/// Where a text is in the file that the user wrote; nothing if that file is not known. Where the text itself
/// comes from a macro, it is the whole line.
pub fn region(sources: &Sources, span: Span) -> Option<Region> {
    sources.files().get(span.file.0 as usize)?;
    let (start, _) = written(sources, span)?;
    let (_, range) = shown(sources, span);
    Some(Region {
        column: range.start as u32 + 1,
        end_column: range.end as u32 + 1,
        start_byte: start + range.start as u32,
        end_byte: start + range.end as u32,
    })
}

/// The line in which a span starts, as it was written, with its first byte in the file.
pub(super) fn written(sources: &Sources, span: Span) -> Option<(u32, &str)> {
    let place = sources.place(span);
    let text = sources.file(span.file).original(&place.file)?;
    let mut lines = text.split_inclusive('\n');
    let index = place.line.checked_sub(1)? as usize;
    let start: usize = lines.by_ref().take(index).map(str::len).sum();
    let line = lines.next()?;
    Some((start as u32, line.trim_end_matches(['\n', '\r'])))
}

/// Where the text that was meant is in the line before macros were expanded: the same words if
/// they are there once, else the whole line.
fn find_again(read: &str, range: Range<usize>, original: &str) -> Range<usize> {
    let words = &read[on_boundaries(read, range)];
    let mut found = original.match_indices(words);
    match (found.next(), found.next()) {
        (Some((at, _)), None) if !words.is_empty() => at..at + words.len(),
        _ => {
            let start = original.len() - original.trim_start().len();
            start..original.trim_end().len().max(start)
        }
    }
}

/// The range cut to the line and to whole characters.
fn on_boundaries(line: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(line.len());
    let mut end = range.end.clamp(start, line.len());
    while !line.is_char_boundary(start) {
        start -= 1;
    }
    while !line.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use xcfa::SourceFile;

    #[test]
    fn words_are_found_again_before_macros() {
        assert_eq!(find_again("x = (1 + y);", 9..10, "x = ONE + y;"), 10..11);
        assert_eq!(find_again("x = (1);", 5..6, "  x = ONE;"), 2..10);
        assert_eq!(on_boundaries("é", 1..9), 0..2);
    }

    #[test]
    fn regions_are_of_the_file_that_was_written() {
        let written = "#define ONE 1\r\n  x = ONE + y;\n";
        let read = "# 2 \"a.c\"\n  x = 1 + y;\n";
        let originals = BTreeMap::from([("a.c".to_owned(), written.to_owned())]);
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a.c", read).with_originals(originals));
        let check = |words: &str, expected: &str| {
            let lo = read.find(words).expect("it is there") as u32;
            let span = Span::new(file, lo, lo + words.len() as u32);
            let region = region(&sources, span).expect("a region");
            let bytes = region.start_byte as usize..region.end_byte as usize;
            assert_eq!(&written[bytes], expected);
            let line = "  x = ONE + y;";
            let columns = region.column as usize - 1..region.end_column as usize - 1;
            assert_eq!(&line[columns], expected);
        };
        check("y", "y");
        check("x = ", "x = ");
        check("1 + y", "x = ONE + y;");
    }

    #[test]
    fn a_file_that_is_not_known_has_no_regions() {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new("a.i", "# 2 \"a.c\"\nint x;\n"));
        assert_eq!(region(&sources, Span::new(file, 10, 13)), None);
    }
}
