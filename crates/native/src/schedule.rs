//! The order of the accesses, as the runtime gets it.

use crate::events::{Event, Waiting};
use crate::site::{Kind, Sites, Through};
use semantics::{Trace, Violation};
use std::collections::BTreeMap;
use xcfa::{EdgeId, Span};

/// Which part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// All of it.
    Whole,
    /// The reading, where there is writing too.
    Reads,
    /// The write behind it.
    Writes,
    /// A wait ends because of a signal.
    Woken,
    /// A wait ends because its time is over.
    TimedOut,
    /// A barrier releases its threads.
    Goes,
}

/// One step of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub thread: u32,
    pub point: u32,
    /// The thread that it starts, or -1.
    pub starts: i64,
    /// Where it is in the program.
    pub place: Span,
}

/// A value from outside.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub thread: u32,
    pub point: u32,
    pub value: u64,
}

/// The schedule for the runtime.
#[derive(Debug, Default)]
pub struct Plan {
    points: BTreeMap<(Span, Role), u32>,
    pub turns: Vec<Turn>,
    pub inputs: Vec<Input>,
    /// By thread: does it end within the schedule?
    pub ends: Vec<bool>,
    /// Which thread fails at the end, if one does.
    pub fails: Option<u32>,
    /// The turn with which an endless execution begins again.
    pub again: Option<usize>,
}

impl Plan {
    /// Puts the events in order. Events without an expression of their own have no place in it.
    pub fn new(events: &[Event], sites: &Sites, trace: &Trace) -> Plan {
        let mut plan = Plan {
            fails: failing(events, trace),
            ..Plan::default()
        };
        let mut calls: BTreeMap<u32, Call> = BTreeMap::new();
        for (index, event) in events.iter().enumerate() {
            if trace.loop_start == Some(index) {
                plan.again = Some(plan.turns.len());
            }
            plan.note_thread(event);
            plan.note_inputs(event);
            if !event.visible {
                continue;
            }
            let before = calls.get(&event.thread).copied();
            let Some((role, call)) = role(event, sites, before) else {
                continue;
            };
            calls.insert(event.thread, call);
            if let Some(role) = role {
                plan.add(event, role);
            }
        }
        plan
    }

    /// The number of a point in the text; 0 for one that is not in the schedule.
    pub fn point(&self, span: Span, role: Role) -> u32 {
        self.points.get(&(span, role)).copied().unwrap_or(0)
    }

    fn make_point(&mut self, span: Span, role: Role) -> u32 {
        let next = self.points.len() as u32 + 1;
        *self.points.entry((span, role)).or_insert(next)
    }

    fn add(&mut self, event: &Event, role: Role) {
        let point = self.make_point(event.span, role);
        self.turns.push(Turn {
            thread: event.thread,
            point,
            starts: event.starts.map_or(-1, i64::from),
            place: event.span,
        });
    }

    fn note_thread(&mut self, event: &Event) {
        let threads = event.thread.max(event.starts.unwrap_or(0)) as usize + 1;
        if self.ends.len() < threads {
            self.ends.resize(threads, false);
        }
        self.ends[event.thread as usize] |= event.ends;
    }

    fn note_inputs(&mut self, event: &Event) {
        for &(span, value) in &event.inputs {
            let point = self.make_point(span, Role::Whole);
            self.inputs.push(Input {
                thread: event.thread,
                point,
                value,
            });
        }
    }
}

fn failing(events: &[Event], trace: &Trace) -> Option<u32> {
    match trace.violation {
        Violation::DataRace | Violation::Deadlock | Violation::NonTermination => None,
        _ => events.last().map(|event| event.thread),
    }
}

/// The call that a thread is in, or was in last: several steps of the automaton, one of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Call {
    span: Span,
    first: EdgeId,
}

/// What part of its expression an event is: nothing if it has no expression, and no role if the
/// call that it belongs to is in the schedule already.
fn role(event: &Event, sites: &Sites, before: Option<Call>) -> Option<(Option<Role>, Call)> {
    let kind = sites.by_span.get(&event.span)?;
    let here = Call {
        span: event.span,
        first: event.edge,
    };
    let goes_on = before.filter(|call| call.span == event.span && call.first != event.edge);
    let role = match kind {
        Kind::Change { once: false, .. } if event.writes => Some(Role::Writes),
        Kind::Change { once: false, .. } => Some(Role::Reads),
        Kind::Through { what, .. } => match (what, event.waiting) {
            (Through::Wait | Through::TimedWait(_), Waiting::Woken) => Some(Role::Woken),
            (Through::Wait | Through::TimedWait(_), Waiting::TimedOut) => Some(Role::TimedOut),
            // How many threads it waits for is read first, which changes nothing.
            (Through::Barrier, Waiting::Awaits) => Some(Role::Goes),
            (Through::Barrier, _) if !event.writes => None,
            (Through::SectionBegin | Through::SectionEnd | Through::Exit, _) => None,
            _ => Some(Role::Whole),
        },
        Kind::Call { .. } if goes_on.is_some() => None,
        Kind::Read { record: true, .. }
        | Kind::Write { record: true, .. }
        | Kind::Write { bits: true, .. }
            if goes_on.is_some() =>
        {
            None
        }
        Kind::Input | Kind::Ordered { .. } => None,
        _ => Some(Role::Whole),
    };
    Some((role, goes_on.unwrap_or(here)))
}
