//! `--format gcc`: an answer in lines as compilers print them, which every editor understands.

use super::Report;
use verdict::Verdict;
use xcfa::Span;

impl Report<'_> {
    /// One line for what goes wrong, one for each step that leads there, and one for each assumption.
    pub fn lines(&self) -> String {
        let assumptions = self.task.xcfa.assumptions.iter();
        let notes: String = assumptions
            .map(|line| format!("mazurka: note: assuming: {line}\n"))
            .collect();
        self.story_lines() + &notes
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
        for (number, step) in replay.steps.iter().enumerate() {
            let thread = super::sarif::thread_name(step.thread, replay);
            let changes = step.changes();
            let changes: String = changes
                .map(|change| format!("; {}: {} → {}", change.name, change.old, change.new))
                .collect();
            let step_number = number + 1;
            out += &format!(
                "{}: note: step {step_number}, {thread}{changes}\n",
                self.at(step.first_span())
            );
        }
        out
    }

    fn at(&self, span: Span) -> String {
        self.task.xcfa.sources.place(span).to_string()
    }
}
