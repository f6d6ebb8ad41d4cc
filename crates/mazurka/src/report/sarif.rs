//! `--sarif`: an answer for code-scanning pages, as SARIF 2.1.0.
//!
//! A violation is one result at the place where it happens, with a flow for each thread whose steps
//! have their numbers in the common order. *Unknown* is no result: it is a notification of the run,
//! so that an empty list is not taken for a proof.

use super::Report;
use crate::failure::Failure;
use semantics::{Replay, ReplayStep};
use serde_json::{Value, json};
use std::path::Path;
use verdict::{Property, Verdict};
use xcfa::Span;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl Report<'_> {
    /// Writes the answer as SARIF.
    pub fn write_sarif(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&self.sarif()).unwrap_or_default() + "\n";
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
                results.extend(self.confirmed.replay().map(|replay| self.violation(replay)));
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
                "columnKind": "unicodeCodePoints",
                "invocations": [invocation],
                "results": results,
            }],
        })
    }

    fn violation(&self, replay: &Replay) -> Value {
        let mut result = json!({
            "ruleId": self.task.property,
            "ruleIndex": 0,
            "level": "error",
            "message": { "text": replay.failure.to_string() },
        });
        if let Some(span) = replay.failing {
            result["locations"] = json!([{ "physicalLocation": self.place(span) }]);
        }
        if let Some([first, second]) = replay.racing {
            let step = |at: usize| replay.steps.get(at).map(|step| self.location(step, replay));
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

    /// The steps of one thread, with their numbers in the common order.
    fn flow(&self, thread: u32, replay: &Replay) -> Value {
        let steps = replay.steps.iter().enumerate();
        let own = steps.filter(|(_, step)| step.thread == thread);
        let locations: Vec<Value> = own
            .map(|(number, step)| {
                json!({
                    "executionOrder": number + 1,
                    "location": self.location(step, replay),
                })
            })
            .collect();
        json!({ "id": thread_name(thread, replay), "locations": locations })
    }

    fn location(&self, step: &ReplayStep, replay: &Replay) -> Value {
        let mut text = thread_name(step.thread, replay);
        for change in step.changes() {
            text += &format!("; {change}");
        }
        json!({ "physicalLocation": self.place(step.last_span()), "message": { "text": text } })
    }

    fn place(&self, span: Span) -> Value {
        let place = self.task.xcfa.sources.place(span);
        json!({
            "artifactLocation": { "uri": uri(&place.file) },
            "region": { "startLine": place.line.max(1) },
        })
    }
}

fn notification(level: &str, text: &str) -> Value {
    json!({ "level": level, "message": { "text": text } })
}

fn rule(property: Property) -> Value {
    json!({
        "id": property,
        "shortDescription": { "text": property.holds() },
        "defaultConfiguration": { "level": "error" },
    })
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
