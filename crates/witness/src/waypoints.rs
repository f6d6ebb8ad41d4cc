//! Executions as sequences of waypoints, for the formats in YAML.
//!
//! Without threads (2.0) only inputs and the target can be told. With them (2.2) every thread that
//! starts is one waypoint, and so is every statement at which one thread stops and another goes on.
//! What happens in the middle of a statement cannot be told: a reader has to try.

use crate::story::{Event, Moment};
use crate::yaml::{Constraint, Content, Entry, Item, Location, Metadata, Version, Way, Waypoint};
use crate::{Meta, Scene, Story};
use semantics::Violation;
use xcfa::EdgeId;

/// The witness of an execution; `None` if its end is nowhere in the user's files.
pub fn violation_sequence(
    scene: &Scene<'_>,
    meta: &Meta,
    version: Version,
    story: &Story,
) -> Option<Entry> {
    let mut list = List {
        scene,
        threads: version >= Version::V2_2,
        segments: Vec::new(),
    };
    list.way(story);
    let targets = list.targets(story)?;
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
    scene: &'a Scene<'s>,
    threads: bool,
    segments: Vec<Waypoint>,
}

impl List<'_, '_> {
    fn way(&mut self, story: &Story) {
        let way = story.way();
        for (at, moment) in way.iter().enumerate() {
            let next = way.get(at + 1).or(story.end().first());
            for event in &moment.events {
                self.event(moment, event);
            }
            let switches = next.is_some_and(|next| next.thread != moment.thread);
            if switches && self.threads {
                self.pause(story, at);
            }
        }
    }

    fn event(&mut self, moment: &Moment, event: &Event) {
        let (kind, constraint, location) = match event {
            Event::Starts { .. } if !self.threads => return,
            Event::Starts { .. } => {
                let location = self.scene.call_location(moment.edge);
                ("function_enter", None, location)
            }
            Event::Input { value, call, .. } => {
                let value = format!("\\result == {value}");
                let format = Some("acsl_expression".to_owned());
                let constraint = Constraint { format, value };
                let location = self.scene.end_of_call(*call);
                ("function_return", Some(constraint), location)
            }
        };
        if let Some(location) = location {
            self.push(kind, moment.thread, constraint, location);
        }
    }

    /// Where a thread stops: the statement that it goes on with later, if that is another one.
    fn pause(&mut self, story: &Story, at: usize) {
        let thread = story.moments[at].thread;
        let mut later = story.moments[at + 1..].iter();
        let Some(next) = later.find(|moment| moment.thread == thread) else {
            return;
        };
        let statement = |edge: EdgeId| self.scene.statement(edge);
        if statement(next.edge) == statement(story.moments[at].edge) {
            return;
        }
        if let Some(location) = self.scene.statement_location(next.edge) {
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

    fn targets(&self, story: &Story) -> Option<Vec<Way>> {
        let end = match story.end() {
            [] => return None,
            // Two targets need names for the threads that they belong to.
            [_, second] if !self.threads => std::slice::from_ref(second),
            end => end,
        };
        let target = |moment: &Moment| {
            let location = self.scene.statement_location(moment.edge)?;
            let waypoint = self.waypoint("target", moment.thread, None, location);
            Some(Way { waypoint })
        };
        let targets: Option<Vec<Way>> = end.iter().map(target).collect();
        targets.filter(|_| story.violation != Violation::NonTermination)
    }
}
