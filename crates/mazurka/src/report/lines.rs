//! `--format gcc`: an answer in lines as compilers print them, which every editor understands.

use super::Report;
use semantics::Replay;
use verdict::Verdict;
use xcfa::Span;

impl Report<'_> {
    /// One line for what goes wrong, one for each step that leads there, and one for each assumption.
    pub fn lines(&self) -> String {
        let assumptions = self.task.xcfa.assumptions.iter();
        let notes: String = assumptions
            .map(|line| format!("mazurka: note: assuming: {line}\n"))
            .collect();
        let Some(findings) = &self.findings else {
            return self.story_lines() + &notes;
        };
        let each = findings.new_ones();
        let each: String = each.map(|one| one.report().story_lines()).collect();
        format!("{each}mazurka: note: {}\n{notes}", findings.rest())
    }

    fn story_lines(&self) -> String {
        let property = self.task.property;
        let replay = match (self.verdict(), self.confirmed.replay()) {
            (Verdict::Unsafe(_), Some(replay)) => replay,
            (Verdict::Unknown(reason), _) => {
                return format!("mazurka: warning: {property} is unknown: {reason} [{property}]\n");
            }
            _ => return String::new(),
        };
        let first = replay.failure.headline();
        let last = replay.steps.last().map(semantics::ReplayStep::last_span);
        let place = replay
            .failing
            .or(last)
            .map_or_else(|| "mazurka".to_owned(), |span| self.at(span));
        let mut out = format!("{place}: error: {first} [{property}]\n");
        for line in replay.failure.details() {
            out += &format!("{place}: note: {line}\n");
        }
        for (span, step) in steps(replay) {
            out += &format!("{}: note: {step}\n", self.at(span));
        }
        out
    }

    pub(super) fn at(&self, span: Span) -> String {
        let sources = &self.task.xcfa.sources;
        let place = sources.place(span);
        let column = driver::region(sources, span).map_or(place.column, |region| region.column);
        format!("{}:{}:{column}", place.file, place.line)
    }
}

/// The steps of a schedule with their places: number, thread, and what changes.
pub(super) fn steps(replay: &Replay) -> impl Iterator<Item = (Span, String)> {
    replay.steps.iter().enumerate().map(|(number, step)| {
        let thread = super::sarif::thread_name(step.thread, replay);
        let mut text = format!("step {}, {thread}", number + 1);
        for change in step.changes() {
            text += &format!("; {change}");
        }
        (step.first_span(), text)
    })
}
