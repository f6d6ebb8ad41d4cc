//! An execution that is no interleaving: which read finds which write, thread by thread, and why no interleaving
//! does this.

use super::Report;
use crate::output::{FAINT, HEADING, paint};
use models::{Action, EventId, Graph};
use semantics::{Execution, Replay};
use serde_json::{Value, json};

/// What a relation says of two events.
fn in_words(relation: &str) -> &str {
    match relation {
        "po" => "comes, in its thread, before",
        "rf" => "is what is found by",
        "co" => "is overwritten by",
        "fr" => "does not see",
        "spawn" => "starts or ends before",
        other => other,
    }
}

impl Report<'_> {
    /// The events of each thread, and the cycle that interleavings do not have.
    pub(super) fn execution_text(&self, execution: &Execution, replay: &Replay) -> String {
        let graph = &execution.graph;
        let mut out = format!("  memory model: {}\n", execution.model);
        for thread in threads(graph) {
            let events: Vec<EventId> = graph
                .thread(thread)
                .filter(|&id| tells(graph, id))
                .collect();
            if events.is_empty() {
                continue;
            }
            let name = super::sarif::thread_name(thread, replay);
            out += &format!("\n  {}\n", paint(HEADING, &name));
            for id in events {
                let text = event_text(graph, id);
                let place = self.event_place(execution, replay, id);
                let place = place.map_or(String::new(), |(file, line)| format!("{file}:{line}"));
                out += &format!("    e{:<4} {text:<58} {}\n", id.0, paint(FAINT, &place));
            }
        }
        out + &coherence_text(graph) + &cycle_text(execution)
    }

    /// Where the text of an event is.
    fn event_place(
        &self,
        execution: &Execution,
        replay: &Replay,
        id: EventId,
    ) -> Option<(String, u32)> {
        let step = replay.steps.get(execution.steps[id.index()]?)?;
        let place = self.task.xcfa.sources.place(step.first_span());
        Some((place.file, place.line))
    }

    /// The same for programs: the text and the place of every event, and the cycle.
    pub(super) fn execution_json(&self, execution: &Execution, replay: &Replay) -> Value {
        let graph = &execution.graph;
        let event = |id: EventId| {
            let place = self.event_place(execution, replay, id);
            let (file, line) = place.map_or((None, None), |(file, line)| (Some(file), Some(line)));
            json!({
                "event": id, "thread": graph.event(id).thread, "text": graph.show(id),
                "file": file, "line": line, "reads_from": graph.reads_from[id.index()],
            })
        };
        json!({
            "memory_model": execution.model,
            "events": graph.ids().map(event).collect::<Value>(),
            "not_sc": execution.not_sc.as_ref().map(|finding| &finding.steps),
        })
    }
}

/// The threads of a graph, in order.
pub(super) fn threads(graph: &Graph) -> Vec<u32> {
    let mut all: Vec<u32> = graph.events.iter().filter_map(|it| it.thread).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Is the event worth a line? What one thread alone accesses is not.
pub(super) fn tells(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    match event.action {
        Action::Read(access) | Action::Write(access) => graph.events.iter().any(|other| {
            let same = other.action.access().map(|it| it.location) == Some(access.location);
            same && other.thread.is_some() && other.thread != event.thread
        }),
        Action::Begin | Action::End => false,
        Action::Fence(_) | Action::Input(_) | Action::Start(_) | Action::Join(_) => true,
    }
}

/// An event without its thread, and what a read finds.
pub(super) fn event_text(graph: &Graph, id: EventId) -> String {
    let shown = graph.show(id);
    let text = shown.split_once(": ").map_or(shown.as_str(), |(_, it)| it);
    match graph.reads_from[id.index()] {
        None => text.to_owned(),
        Some(write) if graph.event(write).thread.is_none() => {
            format!("{text}, the initial value")
        }
        Some(write) => format!("{text}, from e{}", write.0),
    }
}

/// The order of the writes to each location that has several.
fn coherence_text(graph: &Graph) -> String {
    let mut out = String::new();
    for (writes, name) in graph.coherence.iter().zip(&graph.locations) {
        let own: Vec<String> = writes
            .iter()
            .skip(1)
            .map(|id| format!("e{}", id.0))
            .collect();
        let told = writes.iter().skip(1).any(|&id| tells(graph, id));
        if own.len() > 1 && told {
            out += &format!("\n  writes to {name}, in this order: {}", own.join(", "));
        }
    }
    match out.is_empty() {
        true => out,
        false => out + "\n",
    }
}

fn cycle_text(execution: &Execution) -> String {
    let lines = cycle_lines(execution);
    if lines.is_empty() {
        return "\n  an interleaving does this, too\n".to_owned();
    }
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("\n  no interleaving does this:\n{lines}")
}

/// Why no interleaving does this, a line for each step of the cycle.
pub(super) fn cycle_lines(execution: &Execution) -> Vec<String> {
    let steps = execution.not_sc.iter().flat_map(|cycle| &cycle.steps);
    let line = |step: &models::Step| {
        let (from, to) = (
            execution.graph.show(step.from),
            execution.graph.show(step.to),
        );
        let words = in_words(&step.relation);
        format!("e{} {from} {words} e{} {to}", step.from.0, step.to.0)
    };
    steps.map(line).collect()
}
