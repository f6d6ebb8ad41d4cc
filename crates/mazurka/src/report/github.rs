//! `--format github`: an answer as an annotation of a pull request, in the commands that GitHub's runners read.
//!
//! A page shows few annotations of one step, so there is one for the verdict, with the schedule as its
//! text. *Safe* is a notice; *unknown* is a warning, because a run without annotations looks like success.

use super::Report;
use super::lines::steps;
use semantics::Failure;
use verdict::Verdict;
use xcfa::Span;

impl Report<'_> {
    /// One line for the verdict, and one for each assumption.
    pub fn annotations(&self) -> String {
        let title = format!("mazurka: {}", self.task.property);
        let mut out = match &self.findings {
            Some(findings) => {
                let each = findings.new_ones();
                let each: String = each.map(|one| one.report().annotation(&title)).collect();
                each + &command("notice", &title, None, &findings.rest())
            }
            None => self.annotation(&title),
        };
        for assumption in &self.task.xcfa.assumptions {
            out += &command("notice", &title, None, &format!("assuming: {assumption}"));
        }
        out
    }

    /// The line for the verdict.
    fn annotation(&self, title: &str) -> String {
        match (self.verdict(), self.confirmed.replay()) {
            (Verdict::Safe(proof), _) => {
                let why = super::why_safe(proof);
                let text = format!("{}: {why}", self.task.property.holds());
                command("notice", title, None, &text)
            }
            (Verdict::Unsafe(_), replay) => {
                let failure = self.failure();
                let mut text = failure.map_or_else(String::new, Failure::headline);
                for detail in failure.iter().flat_map(|failure| failure.details()) {
                    text += &format!("\n{detail}");
                }
                let steps: Vec<_> = replay.into_iter().flat_map(steps).collect();
                for (span, step) in &steps {
                    text += &format!("\n{}: {step}", self.at(*span));
                }
                let last = steps.last().map(|(span, _)| *span);
                let failing = replay.and_then(|replay| replay.failing).or(last);
                command("error", title, failing.map(|span| self.line(span)), &text)
            }
            (Verdict::Unknown(reason), _) => {
                command("warning", title, None, &format!("unknown: {reason}"))
            }
        }
    }

    fn line(&self, span: Span) -> (String, u32) {
        let place = self.task.xcfa.sources.place(span);
        (place.file, place.line.max(1))
    }
}

/// A command of a workflow.
pub(super) fn command(
    level: &str,
    title: &str,
    place: Option<(String, u32)>,
    text: &str,
) -> String {
    let place = place.map_or_else(String::new, |(file, line)| {
        let file = property(file.trim_start_matches("./"));
        format!("file={file},line={line},")
    });
    format!(
        "::{level} {place}title={}::{}\n",
        property(title),
        data(text)
    )
}

/// Text behind the second pair of colons: one line.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
