//! What went wrong at the last step: which assertion or operation, where, and with which values.

use super::{ReplayStep, Run};
use crate::naming::Named;
use crate::{Tid, Violation};
use expr::VarId;
use xcfa::{Label, Span};

/// A longer text is cut.
const MOST_CHARACTERS: usize = 100;

impl Run<'_, '_> {
    /// The violation in a line: ``assertion `y != 7` fails at which.c:12 (y = 7)``.
    pub(super) fn failure(&self, violation: Violation, step: &ReplayStep) -> String {
        let span = step.last_span();
        let Some(text) = self.text(span) else {
            return violation.to_string();
        };
        let place = self.machine.xcfa.sources.place(span);
        let place = format!("{}:{}", place.file, place.line);
        match violation {
            Violation::ErrorReached => match asserted(text) {
                Some(expression) => {
                    let values = self.values(&expression, step);
                    format!("assertion `{expression}` fails at {place}{values}")
                }
                None => {
                    let call = shortened(text);
                    format!("`{call}` is reached at {place}{}", self.values(&call, step))
                }
            },
            Violation::Overflow => {
                let operation = shortened(text);
                let values = self.values(&operation, step);
                format!("{violation} in `{operation}` at {place}{values}")
            }
            _ => violation.to_string(),
        }
    }

    /// The text of a span, if the program has a text.
    fn text(&self, span: Span) -> Option<&str> {
        let file = self
            .machine
            .xcfa
            .sources
            .files()
            .get(span.file.0 as usize)?;
        let text = file.text.get(span.lo as usize..span.hi as usize)?;
        (!text.trim().is_empty()).then_some(text)
    }

    /// The values of the variables that an expression names, as far as the step knows them.
    fn values(&self, expression: &str, step: &ReplayStep) -> String {
        let mut values: Vec<String> = Vec::new();
        for name in identifiers(expression) {
            if let Some(value) = self.value_of(name, step) {
                let value = format!("{name} = {value}");
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        match values.is_empty() {
            true => String::new(),
            false => format!(" ({})", values.join(", ")),
        }
    }

    fn value_of(&self, name: &str, step: &ReplayStep) -> Option<String> {
        let reads = step
            .statements
            .iter()
            .flat_map(|statement| &statement.reads);
        let mut reads = reads.filter(|read| read.name == name);
        if let Some(read) = reads.next_back() {
            return Some(read.value.clone());
        }
        let machine = self.machine;
        let labels = machine.xcfa[step.edge].labels.iter();
        let used = |label: &Label| -> Vec<VarId> {
            let vars = label.terms().flat_map(|term| machine.xcfa.terms.vars(term));
            vars.chain(label.defines()).collect()
        };
        let is_meant = |&var: &VarId| {
            let var = &machine.xcfa[var];
            let shown = match var.temp {
                true => var.alias.as_ref(),
                false => Some(&var.name),
            };
            shown.is_some_and(|shown| shown.rsplit('.').next() == Some(name))
        };
        let var = labels.flat_map(used).find(is_meant)?;
        let bits = machine.value(&self.state, Tid(step.thread), var);
        Some(Named::var(machine, var).show(machine, &self.state, bits))
    }
}

/// The expression of an assertion that fails, from the call that its macro has become.
fn asserted(text: &str) -> Option<String> {
    let call = text.find("__assert_fail")?;
    // The preprocessor tells in lines of their own where a macro comes from.
    let lines = text[call..].lines();
    let quoted: String = lines
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    let mut expression = String::new();
    let mut rest = quoted[quoted.find('"')? + 1..].chars();
    // Neighbouring literals are one.
    loop {
        match rest.next()? {
            '\\' => expression.push(rest.next()?),
            '"' => match rest.as_str().trim_start().strip_prefix('"') {
                Some(more) => rest = more.chars(),
                None => return Some(shortened(&expression)),
            },
            character => expression.push(character),
        }
    }
}

/// On one line, and not too long.
fn shortened(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    let line = line.trim_end_matches(';');
    match line.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn identifiers(expression: &str) -> impl Iterator<Item = &str> {
    let words = expression.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_of_an_assertion_is_found() {
        let call = "__assert_fail (\"y != 7\", \"which.c\", 12, __extension__ __PRETTY_FUNCTION__)";
        assert_eq!(asserted(call).as_deref(), Some("y != 7"));
        let quoted = r#"__assert_fail ("x && \"message\"" " && y", "a.c", 1, f)"#;
        assert_eq!(asserted(quoted).as_deref(), Some("x && \"message\" && y"));
        let marked = "__assert_fail (\n# 12 \"which.c\" 3 4\n\"y\"\n# 12 \"which.c\"\n, 12, f)";
        assert_eq!(asserted(marked).as_deref(), Some("y"));
        assert_eq!(asserted("reach_error()"), None);
    }

    #[test]
    fn long_texts_are_cut_and_lines_joined() {
        assert_eq!(shortened("reach_error (\n   );"), "reach_error ( )");
        assert_eq!(
            shortened(&"x".repeat(200)).chars().count(),
            MOST_CHARACTERS + 1
        );
    }
}
