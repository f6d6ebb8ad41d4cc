//! Answers, for people and for programs.

mod covered;
mod findings;
mod github;
mod graph_picture;
mod html;
mod junit;
mod lines;
mod refusal;
mod sarif;
mod weak;

pub use html::write_replay;
pub use refusal::refusal;

use crate::args::{ShowArgs, Steps};
use crate::explanation::Explanation;
use crate::failure::Exit;
use crate::findings::{Finding, Findings};
use crate::output;
use crate::output::{BAD, DOUBT, FAINT, GOOD, HEADING, paint};
use crate::schedule::{Line, Page, rows, shorten_places};
use driver::{Covered, line_or_read};
use semantics::{Change, Replay, ReplayStatement};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use verdict::{Advice, Confirmed, Proof, Property, Reason, Stats, Task, Trace, Verdict, grouped};
use xcfa::{Sources, Span, Xcfa};

/// The version of `docs/answer.schema.json`, which says what objects hold. A new version may take something away; within
/// one, things are only added.
pub const SCHEMA_VERSION: u32 = 1;

/// The answer as programs read it; the order of the fields is the order in the text.
#[derive(Serialize)]
struct Object<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a str>,
    verdict: &'static str,
    property: Property,
    reason: Option<String>,
    failure: Option<Value>,
    fingerprint: Option<String>,
    advice: Vec<Advice>,
    engine: &'a str,
    cached: bool,
    wall_s: f64,
    proof: Option<Value>,
    trace: Option<Value>,
    stats: &'a Stats,
    covered: Option<&'a Covered>,
    assumptions: &'a [String],
    schema_version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Value>,
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
    /// What was looked at on the way to it, unless it is an answer that was kept.
    pub covered: Option<Covered>,
    /// The name of the check, if it comes from a file of checks.
    pub check: Option<String>,
    /// All violations, if all were asked for and there are some.
    pub findings: Option<Findings>,
    /// Is it an answer to an earlier question, which was kept?
    pub cached: bool,
    /// Is the violation in the baseline, if there is one?
    known: Option<bool>,
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
            covered: None,
            check: None,
            findings: None,
            cached: false,
            known: None,
        }
    }

    /// The first line of the text.
    pub fn first_line(&self) -> String {
        let text = self.headline();
        let first = text.lines().next().unwrap_or_default();
        match &self.check {
            Some(check) => format!("{check}: {first}\n"),
            None => format!("{first}\n"),
        }
    }

    /// The exit code.
    pub fn exit(&self) -> Exit {
        match (self.verdict(), &self.findings) {
            (Verdict::Unsafe(_), Some(findings)) => findings.exit(),
            (Verdict::Unsafe(_), None) => Exit::Unsafe,
            (Verdict::Safe(_), _) => Exit::Safe,
            (Verdict::Unknown(_), _) => Exit::Unknown,
        }
    }

    /// Its violation, alone.
    pub fn finding(&self) -> Finding {
        Finding {
            task: Arc::new(self.task.clone()),
            engine: self.engine.to_owned(),
            wall: self.wall,
            confirmed: self.confirmed.clone(),
            known: None,
        }
    }

    /// Tells how long it took in the end.
    pub fn set_wall(&mut self, wall: Duration) {
        self.wall = wall;
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        self.confirmed.verdict()
    }

    /// As text: the verdict first, then its explanation.
    pub fn text(&self, how: &ShowArgs) -> String {
        self.story(how.schedule)
            + &if how.stats {
                self.figures()
            } else {
                String::new()
            }
    }

    /// The verdict and its explanation.
    fn story(&self, steps: Steps) -> String {
        let mut out = self.headline();
        for assumption in &self.task.xcfa.assumptions {
            out += &format!("  assuming: {assumption}\n");
        }
        if let Some(findings) = &self.findings {
            return out + &self.findings_story(findings, steps);
        }
        if let (Verdict::Unsafe(trace), Some(replay)) = (self.verdict(), self.confirmed.replay()) {
            out += "\n";
            out += &match &replay.execution {
                Some(execution) => self.execution_text(execution, replay),
                None => draw(&self.task.xcfa.sources, replay, trace, steps),
            };
        }
        out
    }

    fn headline(&self) -> String {
        let property = self.task.property;
        let kept = if self.cached { ", from the cache" } else { "" };
        let seconds = paint(
            FAINT,
            &format!("({}{kept}, {:.2} s)", self.engine, self.wall.as_secs_f64()),
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
            Verdict::Unsafe(_) => {
                if let Some(findings) = &self.findings {
                    return self.findings_headline(findings);
                }
                let failure = self.failure();
                failure.map_or_else(String::new, |it| unsafe_headline(property, it, &seconds))
            }
            Verdict::Unknown(reason) => {
                let told = unknown_story(&self.task.xcfa, reason, self.covered.as_ref());
                let more = told.more.iter();
                let more: String = more.map(|line| format!("  {line}\n")).collect();
                let word = paint(DOUBT, "UNKNOWN");
                format!("{word}  {property}: {}  {seconds}\n{more}", told.first)
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
            check: self.check.as_deref(),
            verdict: self.verdict().name(),
            property: self.task.property,
            reason: None,
            failure: None,
            fingerprint: None,
            advice: Vec::new(),
            engine: self.engine,
            cached: self.cached,
            wall_s: self.wall.as_secs_f64(),
            proof: None,
            trace: None,
            stats: self.confirmed.stats(),
            covered: self.covered.as_ref(),
            assumptions: &self.task.xcfa.assumptions,
            schema_version: SCHEMA_VERSION,
            findings: self.findings.as_ref().map(Findings::json),
            explanation: self.explanation.as_ref(),
        };
        match self.verdict() {
            Verdict::Safe(proof) => object.proof = Some(summary(proof)),
            Verdict::Unsafe(trace) => {
                object.reason = self.failure().map(ToString::to_string);
                object.failure = self.failure_json();
                object.fingerprint = self.fingerprint();
                object.trace = Some(self.trace_json(trace));
            }
            Verdict::Unknown(reason) => {
                object.reason = Some(reason.to_string());
                object.advice = reason.advice_about(&self.task.xcfa);
            }
        }
        // Numbers, names and lists: nothing of this can fail to become text.
        serde_json::to_string(&object).unwrap_or_default() + "\n"
    }

    /// What the violation is called, also when the program changes elsewhere.
    fn fingerprint(&self) -> Option<String> {
        let failure = self.failure()?;
        Some(crate::fingerprint::fingerprint(self.task, failure))
    }

    /// What goes wrong. Whatever is *unsafe* was replayed.
    fn failure(&self) -> Option<&semantics::Failure> {
        self.confirmed.replay().map(|replay| &replay.failure)
    }

    /// What goes wrong, with the columns of its places.
    fn failure_json(&self) -> Option<Value> {
        let replay = self.confirmed.replay()?;
        let sources = &self.task.xcfa.sources;
        let mut value = json!(replay.failure);
        let add = |place: &mut Value, span: Option<Span>| {
            if let (Some(span), true) = (span, place.is_object()) {
                add_region(place, sources, span);
            }
        };
        add(&mut value["place"], replay.failing);
        for (at, step) in replay.racing.iter().flatten().enumerate() {
            let statements = replay.steps.get(*step).map(|step| &step.statements);
            let racing = statements.and_then(|all| all.iter().find(|statement| statement.races));
            add(
                &mut value["accesses"][at]["place"],
                racing.map(|it| it.span),
            );
        }
        for (at, waiting) in value["threads"]
            .as_array_mut()
            .into_iter()
            .flatten()
            .enumerate()
        {
            let stuck = replay
                .stuck
                .get(at)
                .filter(|it| waiting["thread"] == it.thread);
            add(&mut waiting["place"], stuck.map(|it| it.span));
        }
        Some(value)
    }

    /// The trace with the source lines, so that a reader needs nothing else.
    fn trace_json(&self, trace: &Trace) -> Value {
        let mut value = json!(trace);
        let Some(replay) = self.confirmed.replay() else {
            return value;
        };
        value["threads"] = json!(replay.thread_names);
        if let Some(execution) = &replay.execution {
            value["execution"] = self.execution_json(execution, replay);
        }
        let steps = value["steps"]
            .as_array_mut()
            .map_or(&mut [][..], Vec::as_mut_slice);
        for (step, shown) in steps.iter_mut().zip(&replay.steps) {
            self.add_place(step, shown.first_span());
            step["changes"] = shown.changes().map(change_json).collect();
            let statements = shown.statements.iter();
            step["statements"] = statements.map(|one| self.statement_json(one)).collect();
            step["held"] = json!(shown.held);
            step["wakes"] = json!(shown.wakes);
        }
        value
    }

    /// One statement of a step: where, what it read and what it changed.
    fn statement_json(&self, statement: &ReplayStatement) -> Value {
        let reads = statement.reads.iter();
        let changes = statement.changes.iter();
        let mut value = json!({
            "about_to": statement.about_to.as_ref().map(
                |it| json!({"name": it.name, "access": if it.write { "write" } else { "read" }}),
            ),
            "reads": reads
                .map(|read| json!({"name": read.name, "value": read.value}))
                .collect::<Value>(),
            "changes": changes.map(change_json).collect::<Value>(),
        });
        self.add_place(&mut value, statement.span);
        value
    }

    /// Says where something is: the file, the line, and where in it if that is known.
    fn add_place(&self, value: &mut Value, span: Span) {
        let sources = &self.task.xcfa.sources;
        let place = sources.place(span);
        (value["file"], value["line"]) = (json!(place.file), json!(place.line));
        add_region(value, sources, span);
    }
}

/// Says where in its line something is, if that is known.
fn add_region(value: &mut Value, sources: &Sources, span: Span) {
    let region = driver::region(sources, span).map_or(Value::Null, |region| json!(region));
    for (name, of_region) in region.as_object().into_iter().flatten() {
        value[name] = of_region.clone();
    }
}

fn change_json(change: &Change) -> Value {
    json!({"name": change.name, "old": change.old, "new": change.new})
}

/// A proof without what only its checker needs.
fn summary(proof: &Proof) -> Value {
    let mut value = json!(proof);
    if let Some(fields) = value.as_object_mut() {
        fields.remove("certificate");
    }
    value
}

/// What there is to say where there is no answer.
struct UnknownStory {
    /// The reason to do something about.
    first: String,
    /// The other reasons, what was looked at, and what to do; a line each.
    more: Vec<String>,
}

fn unknown_story(xcfa: &Xcfa, reason: &Reason, covered: Option<&Covered>) -> UnknownStory {
    let merged = reason.merged();
    let with_engines = |(reason, engines): &(&Reason, Vec<&str>)| match engines.is_empty() {
        true => reason.to_string(),
        false => format!("{reason} ({})", engines.join(", ")),
    };
    let others = merged[1..].iter();
    let others = others.map(|other| format!("also: {}", with_engines(other)));
    let covered = covered.map_or_else(Vec::new, covered::lines);
    let advice = reason.advice_about(xcfa).into_iter();
    let advice = advice.map(|advice| format!("to go on: {advice}"));
    UnknownStory {
        first: with_engines(&merged[0]),
        more: others.chain(covered).chain(advice).collect(),
    }
}

/// The first lines about a violation: the word, what goes wrong, and what more there is to say.
pub fn unsafe_headline(property: Property, failure: &semantics::Failure, note: &str) -> String {
    let first = without_property(property, failure);
    let rest = failure.details();
    let rest: String = rest.iter().map(|line| format!("  {line}\n")).collect();
    format!(
        "{}  {property}: {first}  {note}\n{rest}",
        paint(BAD, "UNSAFE")
    )
}

/// The headline of a failure where the property has been named: that of a deadlock begins with it, too.
pub(crate) fn without_property(property: Property, failure: &semantics::Failure) -> String {
    let first = failure.headline();
    let known = format!("{property}: ");
    first.strip_prefix(&known).unwrap_or(&first).to_owned()
}

/// The schedule of a replay, as wide as the terminal.
pub fn draw(sources: &Sources, replay: &Replay, trace: &Trace, steps: Steps) -> String {
    let look_up = |span: Span| {
        let place = sources.place(span);
        Line {
            place: format!("{}:{}", place.file, place.line),
            text: line_or_read(sources, span),
        }
    };
    let mut rows = rows(replay, trace.loop_start, &look_up);
    shorten_places(&mut rows);
    let thread_names = &replay.thread_names;
    Page {
        rows: &rows,
        thread_names,
        blame: &replay.failure.blame(),
        summary: &replay.failure.headline(),
        width: output::width(),
        steps,
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
        Proof::AllGraphs {
            model,
            executions,
            blocked,
            ..
        } => {
            let (executions, waits) = (grouped(*executions), grouped(*blocked));
            format!(
                "all {executions} executions that {model} allows were made, and {waits} in which a thread waits"
            )
        }
        Proof::Interleavings {
            model,
            races,
            errors,
        } => {
            let parts = [Some(races), errors.as_ref()].into_iter().flatten();
            let parts: Vec<String> = parts.map(|proof| why_safe(proof)).collect();
            format!(
                "all executions that {model} allows are interleavings, because no data race is possible and all atomic accesses are seq_cst; {}",
                parts.join("; ")
            )
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
        Proof::WeakUnrolling { model, rounds, .. } => {
            format!(
                "no execution that {model} allows goes beyond the program with its loops unrolled {rounds} times"
            )
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
