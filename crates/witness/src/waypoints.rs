//! Executions as sequences of waypoints, for the formats in YAML.
//!
//! Without threads (2.0) only inputs and the target can be written. With them (2.2) every thread that
//! starts is one waypoint, and so is every statement at which one thread stops and another goes on.
//! What happens in the middle of a statement cannot be written: a reader has to try.

use crate::annotated_trace::{AnnotatedStep, Event};
use crate::yaml::{Constraint, Content, Entry, Item, Location, Metadata, Version, Way, Waypoint};
use crate::{AnnotatedProgram, AnnotatedTrace, Meta};
use semantics::Violation;
use xcfa::EdgeId;

/// The witness of an execution; `None` if its end is nowhere in the user's files.
pub fn violation_sequence(
    program: &AnnotatedProgram<'_>,
    meta: &Meta,
    version: Version,
    trace: &AnnotatedTrace,
) -> Option<Entry> {
    let mut list = List {
        program,
        threads: version >= Version::V2_2,
        segments: Vec::new(),
    };
    list.way(trace);
    let targets = list.targets(trace)?;
    let mut items: Vec<Item> = list.segments.into_iter().map(single).collect();
    items.push(Item::Segment(targets));
    Some(Entry {
        entry_type: "violation_sequence".into(),
        metadata: Metadata::new(meta, version, "violation"),
        content: Content::Items(items),
    })
}

fn single(waypoint: Waypoint) -> Item {
    Item::Segment(vec![Way { waypoint }])
}

/// Waypoints under way.
struct List<'a, 's> {
    program: &'a AnnotatedProgram<'s>,
    threads: bool,
    segments: Vec<Waypoint>,
}

impl List<'_, '_> {
    fn way(&mut self, trace: &AnnotatedTrace) {
        let way = trace.way();
        for (at, step) in way.iter().enumerate() {
            let next = way.get(at + 1).or(trace.end().first());
            for event in &step.events {
                self.event(step, event);
            }
            let switches = next.is_some_and(|next| next.thread != step.thread);
            if switches && self.threads {
                self.pause(trace, at);
            }
        }
    }

    fn event(&mut self, step: &AnnotatedStep, event: &Event) {
        let (kind, constraint, location) = match event {
            Event::Starts { .. } if !self.threads => return,
            Event::Starts { .. } => {
                let location = self.program.call_location(step.edge);
                ("function_enter", None, location)
            }
            Event::Input { value, call, .. } => {
                let value = format!("\\result == {value}");
                let format = Some("acsl_expression".to_owned());
                let constraint = Constraint { format, value };
                let location = self.program.end_of_call(*call);
                ("function_return", Some(constraint), location)
            }
        };
        if let Some(location) = location {
            self.push(kind, step.thread, constraint, location);
        }
    }

    /// Where a thread stops: the statement that it goes on with later, if that is another one.
    fn pause(&mut self, trace: &AnnotatedTrace, at: usize) {
        let thread = trace.steps[at].thread;
        let mut later = trace.steps[at + 1..].iter();
        let Some(next) = later.find(|step| step.thread == thread) else {
            return;
        };
        let statement = |edge: EdgeId| self.program.statement(edge);
        if statement(next.edge) == statement(trace.steps[at].edge) {
            return;
        }
        if let Some(location) = self.program.statement_location(next.edge) {
            let constraint = Constraint {
                format: Some("c_expression".into()),
                value: "1".into(),
            };
            self.push("assumption", thread, Some(constraint), location);
        }
    }

    fn push(
        &mut self,
        kind: &str,
        thread: u32,
        constraint: Option<Constraint>,
        location: Location,
    ) {
        self.segments
            .push(self.waypoint(kind, thread, constraint, location));
    }

    fn waypoint(
        &self,
        kind: &str,
        thread: u32,
        constraint: Option<Constraint>,
        location: Location,
    ) -> Waypoint {
        Waypoint {
            kind: kind.into(),
            action: "follow".into(),
            thread_id: self.threads.then_some(u64::from(thread)),
            constraint,
            location,
        }
    }

    fn targets(&self, trace: &AnnotatedTrace) -> Option<Vec<Way>> {
        let end = match trace.end() {
            [] => return None,
            // Two targets need names for the threads that they belong to.
            [_, second] if !self.threads => std::slice::from_ref(second),
            end => end,
        };
        let target = |step: &AnnotatedStep| {
            let location = self.program.statement_location(step.edge)?;
            let waypoint = self.waypoint("target", step.thread, None, location);
            Some(Way { waypoint })
        };
        let targets: Option<Vec<Way>> = end.iter().map(target).collect();
        targets.filter(|_| trace.violation != Violation::NonTermination)
    }
}
