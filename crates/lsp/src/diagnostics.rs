//! Answers of `mazurka check --format json` as diagnostics.

use crate::check::Outcome;
use crate::document::{Document, uri_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// More steps than these are no help in a list; the page has all of them.
const MOST_STEPS: usize = 200;

/// The severities of the protocol.
const ERROR: u32 = 1;
const INFORMATION: u32 = 3;

/// The diagnostics of one check.
pub struct Told<'a> {
    /// The file that was checked.
    pub document: &'a Document,
    /// Where the check started.
    pub entry: &'a str,
    /// The place of that function, for what has no place of its own.
    pub entry_range: Value,
    /// What came of it.
    pub outcome: &'a Outcome,
}

impl Told<'_> {
    /// The diagnostics by file.
    pub fn diagnostics(&self) -> BTreeMap<String, Vec<Value>> {
        let mut by_file = BTreeMap::from([(self.document.uri.clone(), Vec::new())]);
        let mut add =
            |uri: String, diagnostic: Value| by_file.entry(uri).or_default().push(diagnostic);
        if let Some(what) = &self.outcome.failed {
            add(
                self.document.uri.clone(),
                self.about_entry(INFORMATION, "mazurka", what),
            );
        }
        for answer in &self.outcome.answers {
            for (uri, diagnostic) in self.of_answer(answer) {
                add(uri, diagnostic);
            }
        }
        by_file
    }

    /// A line for people: what was found out.
    pub fn summary(&self) -> String {
        let answers = self.outcome.answers.iter();
        let words = answers.filter_map(|answer| {
            let (property, verdict) = (answer["property"].as_str()?, answer["verdict"].as_str()?);
            Some(format!("{property} is {verdict}"))
        });
        let words: Vec<String> = words.collect();
        match words.is_empty() {
            true => format!("`{}` was not checked", self.entry),
            false => format!("`{}`: {}", self.entry, words.join(", ")),
        }
    }

    fn of_answer(&self, answer: &Value) -> Vec<(String, Value)> {
        let property = answer["property"].as_str().unwrap_or("mazurka");
        match answer["verdict"].as_str() {
            Some("refused") => {
                let others = answer["others"].as_array().into_iter().flatten();
                let errors = std::iter::once(answer).chain(others).map(|error| {
                    let (uri, range) = self.place(&error["place"]);
                    let what = self.with_its_name(error["reason"].as_str().unwrap_or_default());
                    (uri, diagnostic(&range, ERROR, "mazurka", &what))
                });
                errors.collect()
            }
            Some("unsafe") => {
                let list = answer["findings"]["list"].as_array();
                let list = list.map_or(&[][..], Vec::as_slice);
                let numbered = list.iter().enumerate();
                numbered
                    .map(|(at, finding)| self.of_finding(property, at + 1, finding))
                    .collect()
            }
            Some("unknown") => {
                let reason = answer["reason"].as_str().unwrap_or_default();
                let first = reason.lines().next().unwrap_or_default();
                let what = self.with_its_name(&format!("{property} is unknown: {first}"));
                let diagnostic = self.about_entry(INFORMATION, property, &what);
                vec![(self.document.uri.clone(), diagnostic)]
            }
            _ => Vec::new(),
        }
    }

    fn of_finding(&self, property: &str, number: usize, finding: &Value) -> (String, Value) {
        let failure = &finding["failure"];
        let what = self.with_its_name(finding["reason"].as_str().unwrap_or_default());
        let (uri, range) = match &failure["place"] {
            Value::Null => self.place(&last_step(finding)),
            place => self.place(place),
        };
        let mut found = diagnostic(&range, ERROR, property, &what);
        found["data"] = json!({ "property": property, "entry": self.entry, "number": number });
        let accesses = failure["accesses"].as_array().into_iter().flatten();
        let waiting = failure["threads"].as_array().into_iter().flatten();
        let concerned = accesses.chain(waiting).filter(|it| it["place"].is_object());
        let concerned = concerned.map(|it| self.related(&it["place"], &concern(it)));
        let steps = self.schedule(&finding["trace"]);
        found["relatedInformation"] = concerned.chain(steps).collect();
        (uri, found)
    }

    /// A message with the name of the file in the editor, not of the one that was checked.
    fn with_its_name(&self, message: &str) -> String {
        let name = self.document.path();
        let name = name.file_name().unwrap_or_default().to_string_lossy();
        message.replace(&*self.outcome.checked.to_string_lossy(), &name)
    }

    /// The statements of a schedule, in order.
    fn schedule(&self, trace: &Value) -> Vec<Value> {
        let steps = trace["steps"].as_array().into_iter().flatten();
        let statements = steps.flat_map(|step| {
            let all = step["statements"].as_array().into_iter().flatten();
            all.map(move |statement| (step, statement))
        });
        let mut shown: Vec<Value> = statements
            .enumerate()
            .map(|(at, (step, statement))| {
                let thread = thread(step["thread"].as_u64().unwrap_or(0), &trace["threads"]);
                let text = format!("step {}, {thread}{}", at + 1, effects(statement));
                self.related(statement, &text)
            })
            .collect();
        // The end is what matters most.
        let extra = shown.len().saturating_sub(MOST_STEPS);
        shown.drain(..extra);
        shown
    }

    fn related(&self, place: &Value, text: &str) -> Value {
        let (uri, range) = self.place(place);
        json!({ "location": { "uri": uri, "range": range }, "message": text })
    }

    fn about_entry(&self, severity: u32, code: &str, what: &str) -> Value {
        diagnostic(&self.entry_range, severity, code, what)
    }

    /// Where a place of an answer is, in the protocol's words.
    fn place(&self, place: &Value) -> (String, Value) {
        let Some(file) = place["file"].as_str() else {
            return (self.document.uri.clone(), self.entry_range.clone());
        };
        let line = place["line"].as_u64().unwrap_or(1);
        let columns = place["column"].as_u64().zip(place["end_column"].as_u64());
        if Path::new(file) == self.outcome.checked {
            return (
                self.document.uri.clone(),
                self.document.range(line, columns),
            );
        }
        let beside = self.document.path();
        let path = beside.parent().unwrap_or(Path::new(".")).join(file);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let other = Document {
            uri: uri_of(&path),
            text,
        };
        let range = other.range(line, columns);
        (other.uri, range)
    }
}

/// The last step of a finding.
fn last_step(finding: &Value) -> Value {
    let steps = finding["trace"]["steps"].as_array();
    steps
        .and_then(|steps| steps.last())
        .cloned()
        .unwrap_or_default()
}

fn diagnostic(range: &Value, severity: u32, code: &str, what: &str) -> Value {
    json!({
        "range": range, "severity": severity, "source": "mazurka", "code": code, "message": what,
    })
}

fn thread(number: u64, names: &Value) -> String {
    match names[number as usize].as_str() {
        Some(name) if number > 0 => format!("thread {number} ({name})"),
        _ => "main".to_owned(),
    }
}

/// A thread that takes part in a race or a deadlock.
fn concern(it: &Value) -> String {
    let number = it["thread"].as_u64().unwrap_or(0);
    let name = it["function"].as_str().unwrap_or_default();
    let who = match number {
        0 => "main".to_owned(),
        _ => format!("thread {number} ({name})"),
    };
    match it["write"].as_bool() {
        Some(true) => format!("{who} writes here"),
        Some(false) => format!("{who} reads here"),
        None => format!("{who} waits here"),
    }
}

/// What a statement reads and changes.
fn effects(statement: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut out = String::new();
    for read in statement["reads"].as_array().into_iter().flatten() {
        out += &format!("; reads {} = {}", text(&read["name"]), text(&read["value"]));
    }
    for change in statement["changes"].as_array().into_iter().flatten() {
        let (name, new) = (text(&change["name"]), text(&change["new"]));
        out += &match change["old"].as_str() {
            Some(old) => format!("; {name}: {old} → {new}"),
            None => format!("; {name} = {new}"),
        };
    }
    let pending = &statement["about_to"];
    if pending.is_object() {
        out += &format!(
            "; is about to {} {}",
            text(&pending["access"]),
            text(&pending["name"])
        );
    }
    out
}
