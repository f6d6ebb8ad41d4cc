//! Several violations of one property, as `--all-findings` finds them.

use super::{Report, draw, unsafe_headline};
use crate::args::Steps;
use crate::findings::{Finding, Findings};
use crate::output::{BAD, FAINT, HEADING, paint};
use serde_json::{Value, json};
use verdict::Verdict;

impl Finding {
    /// It as an answer of its own.
    pub fn report(&self) -> Report<'_> {
        let confirmed = self.confirmed.clone();
        let mut report = Report::new(&self.task, &self.engine, self.wall, confirmed);
        report.known = self.known;
        report
    }

    /// What goes wrong, in a line.
    pub fn headline(&self) -> String {
        let replay = self.confirmed.replay();
        replay.map_or_else(String::new, |replay| {
            super::without_property(self.task.property, &replay.failure)
        })
    }
}

impl Findings {
    /// For programs: a list, and what is known beyond it.
    pub(super) fn json(&self) -> Value {
        let numbers = self.numbers();
        let each = self.found.iter().zip(&numbers);
        let list = each.map(|(finding, number)| {
            let report = finding.report();
            let Verdict::Unsafe(trace) = report.verdict() else {
                return Value::Null;
            };
            json!({
                "number": number,
                "cause": finding.cause(),
                "fingerprint": finding.fingerprint(),
                "known": finding.known,
                "reason": report.failure().map(ToString::to_string),
                "failure": report.failure_json(),
                "engine": finding.engine,
                "wall_s": finding.wall.as_secs_f64(),
                "trace": report.trace_json(trace),
            })
        });
        json!({ "list": list.collect::<Vec<_>>(), "rest": self.rest })
    }
}

impl Report<'_> {
    /// The first lines: how many there are, each in a line, and what is known beyond them.
    pub(super) fn findings_headline(&self, findings: &Findings) -> String {
        let property = self.task.property;
        let note = paint(FAINT, &format!("({:.2} s)", self.wall.as_secs_f64()));
        let rest = format!("  {}\n", findings.rest());
        if let [one] = &findings.found[..]
            && !one.is_known()
        {
            let replay = one.confirmed.replay();
            let line = replay.map(|it| unsafe_headline(property, &it.failure, &note));
            return line.unwrap_or_default() + &rest;
        }
        let count = match (findings.found.len(), findings.new_ones().count()) {
            (1, 0) => "1 finding, which is known".to_owned(),
            (all, new) if all == new => format!("{all} findings"),
            (all, 0) => format!("{all} findings, all of them known"),
            (all, new) => format!("{all} findings, {new} of them new"),
        };
        let word = paint(BAD, "UNSAFE");
        let mut out = format!("{word}  {property}: {count}  {note}\n");
        for (finding, number) in findings.found.iter().zip(findings.numbers()) {
            let known = if finding.is_known() { " (known)" } else { "" };
            out += &format!("  {number}  {}{known}\n", finding.headline());
        }
        out + &rest
    }

    /// Each finding with its schedule.
    pub(super) fn findings_story(&self, findings: &Findings, steps: Steps) -> String {
        let several = findings.found.len() > 1;
        let mut out = String::new();
        let found = findings.found.iter().zip(findings.numbers());
        for (finding, number) in found.filter(|(finding, _)| !finding.is_known()) {
            let (Verdict::Unsafe(trace), Some(replay)) =
                (finding.confirmed.verdict(), finding.confirmed.replay())
            else {
                continue;
            };
            if several {
                let first = format!("{number}  {}", finding.headline());
                out += &format!("\n{}\n", paint(HEADING, &first));
                for line in replay.failure.details() {
                    out += &format!("  {line}\n");
                }
            }
            out += "\n";
            out += &match &replay.execution {
                Some(execution) => self.execution_text(execution, replay),
                None => draw(&finding.task.xcfa.sources, replay, trace, steps),
            };
        }
        out
    }
}
