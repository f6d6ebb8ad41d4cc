//! Error messages, with the source line that they are about.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use xcfa::{Sources, Span};

/// A message without a place.
pub fn title(what: &str) -> String {
    let group = Group::with_title(Level::ERROR.primary_title(what));
    Renderer::styled().render(&[group]) + "\n"
}

/// A message about a place in the program: the line as the user wrote it, and a caret.
pub fn at(sources: &Sources, span: Span, what: &str) -> String {
    let place = sources.place(span);
    let (line, range) = driver::shown(sources, span);
    let snippet = Snippet::source(&line)
        .line_start(place.line as usize)
        .path(&place.file)
        .annotation(AnnotationKind::Primary.span(range));
    let group = Level::ERROR.primary_title(what).element(snippet);
    Renderer::styled().render(&[group]) + "\n"
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
    }
}
