//! Text that is put into a program, which knows where the expressions of the witness are in it.

use std::ops::Range;

/// Statements with expressions of a witness among them.
#[derive(Clone, Default)]
pub(super) struct Text {
    pub(super) text: String,
    /// Where the expressions are.
    pub(super) strict: Vec<Range<usize>>,
}

impl Text {
    pub(super) fn add(mut self, text: &str) -> Text {
        self.text += text;
        self
    }

    /// The parentheses are part of what the front end takes for the expression.
    pub(super) fn add_strict(mut self, expression: &str) -> Text {
        let start = self.text.len();
        self.text += &format!("({expression})");
        self.strict.push(start..self.text.len());
        self
    }

    pub(super) fn add_all(mut self, other: &Text) -> Text {
        let start = self.text.len();
        self.text += &other.text;
        let moved = other.strict.iter();
        self.strict
            .extend(moved.map(|range| start + range.start..start + range.end));
        self
    }
}
