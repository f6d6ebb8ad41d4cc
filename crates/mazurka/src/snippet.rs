//! Error messages, with the source line that they are about.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use driver::original_line;
use std::ops::Range;
use xcfa::{Sources, Span};

/// A message without a place.
pub fn title(what: &str) -> String {
    let group = Group::with_title(Level::ERROR.primary_title(what));
    Renderer::styled().render(&[group]) + "\n"
}

/// A message about a place in the program: the line as the user wrote it, and a caret.
pub fn at(sources: &Sources, span: Span, what: &str) -> String {
    let place = sources.place(span);
    let read = sources.line_text(span);
    let from = (place.column - 1) as usize;
    let range = from..from + (span.hi.saturating_sub(span.lo)).max(1) as usize;
    let (line, range) = match original_line(sources, span) {
        Some(original) if original != read => {
            let range = find_again(read, range, &original);
            (original, range)
        }
        _ => (read.to_owned(), on_boundaries(read, range)),
    };
    let snippet = Snippet::source(&line)
        .line_start(place.line as usize)
        .path(&place.file)
        .annotation(AnnotationKind::Primary.span(range));
    let group = Level::ERROR.primary_title(what).element(snippet);
    Renderer::styled().render(&[group]) + "\n"
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
    use expect_test::expect;
    use xcfa::SourceFile;

    fn plain(text: &str, words: &str, what: &str) -> String {
        let mut sources = Sources::default();
        let lo = text.find(words).unwrap() as u32;
        let file = sources.add(SourceFile::new("given.i", text));
        let message = at(
            &sources,
            Span {
                file,
                lo,
                hi: lo + words.len() as u32,
            },
            what,
        );
        anstream::adapter::strip_str(&message).to_string()
    }

    #[test]
    fn line_markers_are_followed() {
        let text = "# 7 \"prog.c\"\nint x;\nint a[n];\n";
        expect![[r#"
            error: array of variable length
             --> prog.c:8:5
              |
            8 | int a[n];
              |     ^^^^
        "#]]
        .assert_eq(&plain(text, "a[n]", "array of variable length"));
    }

    #[test]
    fn spans_over_lines_and_odd_characters() {
        let text = "/* é */ f(1,\n 2);\n";
        expect![[r#"
            error: no such function
             --> given.i:1:9
              |
            1 | /* é */ f(1,
              |         ^^^^
        "#]]
        .assert_eq(&plain(text, "f(1,\n 2)", "no such function"));
        assert_eq!(on_boundaries("é", 1..9), 0..2);
    }

    #[test]
    fn words_are_found_again_before_macros() {
        assert_eq!(find_again("x = (1 + y);", 9..10, "x = ONE + y;"), 10..11);
        assert_eq!(find_again("x = (1);", 5..6, "  x = ONE;"), 2..10);
    }
}
