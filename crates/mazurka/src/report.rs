//! Answers, for people and for programs.

mod github;
mod html;
mod junit;
mod lines;
mod sarif;

pub use html::write_replay;

use crate::explanation::Explanation;
use crate::output;
use crate::output::{BAD, DOUBT, FAINT, GOOD, HEADING, paint};
use crate::schedule::{Line, Page, rows, shorten_places};
use driver::line_or_read;
use semantics::Replay;
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;
use verdict::{Confirmed, Proof, Property, Stats, Task, Trace, Verdict, grouped};
use xcfa::{Sources, Span};

/// The answer as programs read it; the order of the fields is the order in the text.
#[derive(Serialize)]
struct Object<'a> {
    verdict: &'static str,
    property: Property,
    reason: Option<String>,
    engine: &'a str,
    wall_s: f64,
    proof: Option<Value>,
    trace: Option<Value>,
    stats: &'a Stats,
    assumptions: &'a [String],
    #[serde(flatten)]
    explanation: Option<&'a Explanation>,
}

/// An answer that has passed the last gate, with all that is known about it.
pub struct Report<'a> {
    task: &'a Task,
    engine: &'a str,
    wall: Duration,
    confirmed: Confirmed,
    /// How it was found, if several engines were asked.
    pub explanation: Option<Explanation>,
}

impl<'a> Report<'a> {
    /// About an answer that has passed the last gate.
    pub fn new(
        task: &'a Task,
        engine: &'a str,
        wall: Duration,
        confirmed: Confirmed,
    ) -> Report<'a> {
        Report {
            task,
            engine,
            wall,
            confirmed,
            explanation: None,
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        self.confirmed.verdict()
    }

    /// As text: the verdict first, then its explanation.
    pub fn text(&self, stats: bool, all_steps: bool) -> String {
        let mut out = self.headline();
        for assumption in &self.task.xcfa.assumptions {
            out += &format!("  assuming: {assumption}\n");
        }
        if let (Verdict::Unsafe(trace), Some(replay)) = (self.verdict(), self.confirmed.replay()) {
            out += "\n";
            out += &draw(&self.task.xcfa.sources, replay, trace, all_steps);
        }
        if stats {
            out += &self.figures();
        }
        out
    }

    fn headline(&self) -> String {
        let property = self.task.property;
        let seconds = paint(
            FAINT,
            &format!("({}, {:.2} s)", self.engine, self.wall.as_secs_f64()),
        );
        match self.verdict() {
            Verdict::Safe(proof) => {
                let word = paint(GOOD, "SAFE");
                let why = why_safe(proof);
                format!(
                    "{word}  {property}: {}  {seconds}\n  {why}\n",
                    property.holds()
                )
            }
            Verdict::Unsafe(trace) => unsafe_headline(property, &self.message(trace), &seconds),
            Verdict::Unknown(reason) => {
                format!(
                    "{}  {property}: {reason}  {seconds}\n",
                    paint(DOUBT, "UNKNOWN")
                )
            }
        }
    }

    fn figures(&self) -> String {
        let mut out = format!("\n{}\n", paint(HEADING, "statistics"));
        let stats = self.confirmed.stats();
        let longest = stats.iter().map(|(name, _)| name.len()).max();
        let width = longest.unwrap_or(0).max(24);
        for (name, value) in stats.iter() {
            out += &format!("  {name:<width$} {:>16}\n", grouped(value));
        }
        out
    }

    /// For programs: one object.
    pub fn json(&self) -> String {
        let mut object = Object {
            verdict: self.verdict().name(),
            property: self.task.property,
            reason: None,
            engine: self.engine,
            wall_s: self.wall.as_secs_f64(),
            proof: None,
            trace: None,
            stats: self.confirmed.stats(),
            assumptions: &self.task.xcfa.assumptions,
            explanation: self.explanation.as_ref(),
        };
        match self.verdict() {
            Verdict::Safe(proof) => object.proof = Some(summary(proof)),
            Verdict::Unsafe(trace) => {
                object.reason = Some(self.message(trace));
                object.trace = Some(self.trace_json(trace));
            }
            Verdict::Unknown(reason) => object.reason = Some(reason.to_string()),
        }
        // Numbers, names and lists: nothing of this can fail to become text.
        serde_json::to_string(&object).unwrap_or_default() + "\n"
    }

    /// What goes wrong, in the words of the replay.
    fn message(&self, trace: &Trace) -> String {
        let told = self.confirmed.replay().map(|replay| replay.message.clone());
        told.unwrap_or_else(|| trace.violation.to_string())
    }

    /// The trace with the source lines, so that a reader needs nothing else.
    fn trace_json(&self, trace: &Trace) -> Value {
        let mut value = json!(trace);
        let Some(replay) = self.confirmed.replay() else {
            return value;
        };
        value["threads"] = json!(replay.thread_names);
        let steps = value["steps"]
            .as_array_mut()
            .map_or(&mut [][..], Vec::as_mut_slice);
        for (step, shown) in steps.iter_mut().zip(&replay.steps) {
            let place = self.task.xcfa.sources.place(shown.span);
            step["file"] = json!(place.file);
            step["line"] = json!(place.line);
            let change = |change: &semantics::Change| json!({"name": change.name, "old": change.old, "new": change.new});
            step["changes"] = shown.changes.iter().map(change).collect();
            step["held"] = json!(shown.held);
        }
        value
    }
}

/// A proof without what only its checker needs.
fn summary(proof: &Proof) -> Value {
    let mut value = json!(proof);
    if let Some(fields) = value.as_object_mut() {
        fields.remove("certificate");
    }
    value
}

/// The first lines about a violation: the word, what goes wrong, and what more there is to say.
pub fn unsafe_headline(property: Property, message: &str, note: &str) -> String {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or("");
    // The message of a deadlock begins with the name of the property, too.
    let known = format!("{property}: ");
    let first = first.strip_prefix(&known).unwrap_or(first);
    let rest: String = lines.map(|line| format!("  {line}\n")).collect();
    format!(
        "{}  {property}: {first}  {note}\n{rest}",
        paint(BAD, "UNSAFE")
    )
}

/// The schedule of a replay, as wide as the terminal.
pub fn draw(sources: &Sources, replay: &Replay, trace: &Trace, all_rows: bool) -> String {
    let look_up = |span: Span| {
        let place = sources.place(span);
        Line {
            place: format!("{}:{}", place.file, place.line),
            text: line_or_read(sources, span),
        }
    };
    let mut rows = rows(replay, trace.loop_start, &look_up);
    shorten_places(&mut rows);
    let blame = replay.message.lines().next().unwrap_or("");
    let thread_names = &replay.thread_names;
    Page {
        rows: &rows,
        thread_names,
        blame,
        width: output::width(),
        all_rows,
    }
    .draw()
}

/// This many variables and predicates of a proof are shown.
const MOST_SHOWN: usize = 12;

fn why_safe(proof: &Proof) -> String {
    match proof {
        Proof::ClosedExploration { states, .. } => {
            let states = grouped(*states);
            format!("all {states} reachable states were visited")
        }
        Proof::AbstractGraph {
            nodes, precision, ..
        } => {
            let nodes = grouped(*nodes);
            let shown = precision.iter().take(MOST_SHOWN);
            let mut seen: Vec<&str> = shown.map(String::as_str).collect();
            if precision.len() > MOST_SHOWN {
                seen.push("...");
            }
            match seen.is_empty() {
                true => format!("{nodes} abstract states, tracking no data"),
                false => format!("{nodes} abstract states, tracking {}", seen.join(", ")),
            }
        }
        Proof::AllExecutions { executions, .. } => {
            let executions = grouped(*executions);
            format!("{executions} executions represent all others, and each was run to its end")
        }
        Proof::Invariants { index, clauses, .. } => {
            let (who, clauses) = (threads(*index), grouped(*clauses));
            format!("invariants about {who} each satisfy all {clauses} clauses")
        }
        Proof::ReducedProduct {
            states, clauses, ..
        } => {
            let (states, clauses) = (grouped(*states), grouped(*clauses));
            format!(
                "{states} states represent all interleavings; invariants satisfy all {clauses} clauses"
            )
        }
        Proof::KeptApart { pairs: 0, .. } => "no two threads access the same data".to_owned(),
        Proof::KeptApart { pairs, .. } => {
            let pairs = grouped(*pairs);
            format!("none of the {pairs} pairs of conflicting accesses can race")
        }
        Proof::AllSteps { steps, .. } => {
            let steps = grouped(*steps);
            format!("no execution has more than {steps} steps, and none of them shows an error")
        }
        Proof::CompleteUnrolling { rounds, .. } => {
            format!("no execution goes beyond the program with its loops unrolled {rounds} times")
        }
    }
}

fn threads(number: u64) -> String {
    match number {
        1 => "one thread".to_owned(),
        more => format!("{more} threads"),
    }
}
