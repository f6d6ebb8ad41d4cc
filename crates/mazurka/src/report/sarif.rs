//! `--sarif`: an answer for code-scanning pages, as SARIF 2.1.0.
//!
//! A violation is one result at the place where it happens, with a flow for each thread whose steps
//! have their numbers in the common order. *Unknown* is no result: it is a notification of the run,
//! so that an empty list is not taken for a proof.

use super::Report;
use crate::failure::Failure;
use crate::fingerprint::NAME;
use semantics::{Moment, Replay, ReplayStep};
use serde_json::{Value, json};
use std::path::Path;
use verdict::{Property, Verdict};
use xcfa::Span;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl Report<'_> {
    /// Writes the answer as SARIF: a run of its own, after those that are there.
    pub fn write_sarif(&self, path: &Path, append: bool) -> Result<(), Failure> {
        let mut log = self.sarif();
        if append && let Some(before) = runs_in(path) {
            let runs = before
                .into_iter()
                .chain(log["runs"].as_array().cloned().unwrap_or_default());
            log["runs"] = runs.collect();
        }
        let text = serde_json::to_string_pretty(&log).unwrap_or_default() + "\n";
        std::fs::write(path, text)
            .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
    }

    fn sarif(&self) -> Value {
        let mut successful = true;
        let mut notifications = Vec::new();
        let mut results = Vec::new();
        for assumption in &self.task.xcfa.assumptions {
            notifications.push(notification("note", &format!("assuming: {assumption}")));
        }
        match self.verdict() {
            Verdict::Safe(proof) => results.push(json!({
                "ruleId": self.task.property,
                "kind": "pass",
                "level": "none",
                "message": { "text": format!("{}: {}", self.task.property.holds(), super::why_safe(proof)) },
            })),
            Verdict::Unsafe(_) => {
                match &self.findings {
                    Some(findings) => {
                        let each = findings.found.iter().map(|one| one.report().violations());
                        results.extend(each.flatten());
                        notifications.push(notification("note", &findings.rest()));
                    }
                    None => results.extend(self.violations()),
                }
            }
            Verdict::Unknown(reason) => {
                successful = false;
                notifications.push(notification("warning", &format!("unknown: {reason}")));
            }
        }
        let mut invocation = json!({ "executionSuccessful": successful });
        if !notifications.is_empty() {
            invocation["toolExecutionNotifications"] = json!(notifications);
        }
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Mazurka",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": [rule(self.task.property)],
                } },
                "automationDetails": { "id": self.run_id() },
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": results,
            }],
        })
    }

    /// What the run is called, among those of one log.
    fn run_id(&self) -> String {
        match &self.check {
            Some(check) => format!("mazurka/{check}/{}/", self.task.property),
            None => format!("mazurka/{}/", self.task.property),
        }
    }

    /// The violation, if there is one.
    fn violations(&self) -> Option<Value> {
        self.confirmed.replay().map(|replay| self.violation(replay))
    }

    fn violation(&self, replay: &Replay) -> Value {
        let mut result = json!({
            "ruleId": self.task.property,
            "ruleIndex": 0,
            "level": "error",
            "message": { "text": replay.failure.to_string() },
            "partialFingerprints": { NAME: self.fingerprint() },
        });
        if let Some(known) = self.known {
            result["baselineState"] = json!(if known { "unchanged" } else { "new" });
        }
        if let Some(span) = replay.failing {
            result["locations"] = json!([{ "physicalLocation": self.place(span) }]);
        }
        if let Some([first, second]) = replay.racing {
            let step = |at: usize| replay.steps.get(at).map(|step| self.access(step, replay));
            result["relatedLocations"] = json!([step(first), step(second)]);
        }
        let threads = 0..replay.thread_names.len() as u32;
        let flows: Vec<Value> = threads.map(|thread| self.flow(thread, replay)).collect();
        let moved = flows
            .into_iter()
            .filter(|flow| !flow["locations"].as_array().is_none_or(Vec::is_empty));
        result["codeFlows"] = json!([{ "threadFlows": moved.collect::<Vec<_>>() }]);
        result
    }

    /// The statements of one thread, with their numbers in the common order.
    fn flow(&self, thread: u32, replay: &Replay) -> Value {
        let last = replay.moments().count();
        let own = replay.moments().enumerate();
        let own = own.filter(|(_, moment)| moment.thread == thread);
        let locations: Vec<Value> = own
            .map(|(number, moment)| {
                let is_decisive = number + 1 == last || moment.statement.races;
                json!({
                    "executionOrder": number + 1,
                    "importance": if is_decisive { "essential" } else { "important" },
                    "location": self.location(&moment, replay),
                })
            })
            .collect();
        json!({ "id": thread_name(thread, replay), "locations": locations })
    }

    /// A statement: where, who, and what it reads and changes.
    fn location(&self, moment: &Moment<'_>, replay: &Replay) -> Value {
        let mut text = thread_name(moment.thread, replay);
        let reads = moment.statement.reads.iter();
        for what in reads.map(|read| format!("reads {read}")) {
            text += &format!("; {what}");
        }
        for change in &moment.statement.changes {
            text += &format!("; {change}");
        }
        for what in moment.remark().into_iter().chain(moment.about_to()) {
            text += &format!("; {what}");
        }
        let place = self.place(moment.statement.span);
        json!({ "physicalLocation": place, "message": { "text": text } })
    }

    /// An access of a race.
    fn access(&self, step: &ReplayStep, replay: &Replay) -> Value {
        let racing = step.statements.iter().find(|statement| statement.races);
        let span = racing.map_or(step.last_span(), |statement| statement.span);
        let text = thread_name(step.thread, replay);
        json!({ "physicalLocation": self.place(span), "message": { "text": text } })
    }

    fn place(&self, span: Span) -> Value {
        let sources = &self.task.xcfa.sources;
        let place = sources.place(span);
        let mut region = json!({ "startLine": place.line.max(1) });
        if let Some(known) = driver::region(sources, span) {
            // Columns count characters here.
            let (line, range) = driver::shown(sources, span);
            let column = |byte: usize| line[..byte].chars().count() + 1;
            region["startColumn"] = json!(column(range.start));
            region["endColumn"] = json!(column(range.end));
            region["byteOffset"] = json!(known.start_byte);
            region["byteLength"] = json!(known.end_byte - known.start_byte);
            region["snippet"] = json!({ "text": line[range].to_owned() });
        }
        json!({ "artifactLocation": { "uri": uri(&place.file) }, "region": region })
    }
}

/// The runs of a log that was written before.
fn runs_in(path: &Path) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(path).ok()?;
    let log: Value = serde_json::from_str(&text).ok()?;
    log["runs"].as_array().cloned()
}

fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": { "text": text } })
}

fn rule(property: Property) -> Value {
    json!({
        "id": property,
        "name": property,
        "shortDescription": { "text": property.holds() },
        "fullDescription": { "text": format!("In every execution: {}.", property.demands()) },
        "help": { "text": help(property) },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high" },
    })
}

/// What one does about a violation.
fn help(property: Property) -> &'static str {
    match property {
        Property::Reach => {
            "An assertion fails, or an error function is called. Follow the steps in their common order: the values that they \
             read show which assumption about other threads is wrong."
        }
        Property::Race => {
            "Two threads access the same memory, one of them writes, and nothing orders the two. Protect both accesses with \
             the same lock, make both atomic, or let one thread wait for the other."
        }
        Property::Deadlock => {
            "Threads wait for each other for ever. Take locks in the same order everywhere, and signal a condition variable \
             after every change of what is waited for."
        }
        Property::Overflow => {
            "Signed arithmetic leaves the range of its type, which is undefined behaviour. Test the operands before, or compute in \
             a wider or an unsigned type."
        }
        Property::Usage => {
            "A function for threads, locks or the like is called where it must not be, which is undefined even if it seems to \
             work. The message says which object it is about, and who holds it."
        }
        Property::MemSafety(_) => {
            "An access or a free does not hit an object that is alive, or memory is lost. The message says which object it is, \
             and who has freed it where."
        }
        Property::Termination => {
            "An execution never ends: the last steps repeat for ever, or a thread waits for what never comes."
        }
        Property::Robust => {
            "The memory model allows an execution that no interleaving of the threads explains. Strengthen the memory orders on \
             the cycle; `mazurka fence` finds which."
        }
    }
}

pub(super) fn thread_name(thread: u32, replay: &Replay) -> String {
    match replay.thread_names.get(thread as usize) {
        Some(name) if thread > 0 => format!("thread {thread} ({name})"),
        _ => "main".to_owned(),
    }
}

/// A path as a reference: whatever is not plain is escaped.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let mut text = String::new();
    for byte in path.trim_start_matches("./").bytes() {
        match plain(byte) {
            true => text.push(char::from(byte)),
            false => text += &format!("%{byte:02X}"),
        }
    }
    match path.starts_with('/') {
        true => format!("file://{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_become_references() {
        assert_eq!(super::uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(super::uri("./x.c"), "x.c");
        assert_eq!(super::uri("/tmp/ü.c"), "file:///tmp/%C3%BC.c");
    }
}
