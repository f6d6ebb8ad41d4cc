//! A counterexample: which thread moves when, what changes, and what depends on what.

use crate::follow::{Followed, Link, follow};
use crate::source::{SourceText, place};
use crate::{Arrow, ArrowKind, Blocked, Row, Value, rows};
use semantics::{Machine, Replay, ReplayStep, Stuck, Trace, Wait};
use serde::Serialize;
use std::ops::Range;

/// A counterexample.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Schedule {
    /// By number of the thread: the function that it runs.
    pub threads: Vec<String>,
    /// In the order of time.
    pub rows: Vec<Row>,
    /// Between them.
    pub arrows: Vec<Arrow>,
    /// The threads that wait for ever at the end.
    pub blocked: Vec<Blocked>,
    /// From this row on everything repeats for ever.
    pub repeats_from: Option<usize>,
}

impl Schedule {
    /// The schedule of a trace that has been replayed; `files` is the text of the program.
    pub fn of(
        machine: &Machine<'_>,
        trace: &Trace,
        replay: &Replay,
        files: &[SourceText],
    ) -> Schedule {
        let sources = &machine.xcfa.sources;
        let mut seen = follow(machine, trace, replay.steps.len());
        seen.links.extend(replay.racing.map(|[from, to]| Link {
            from,
            to,
            kind: ArrowKind::Race,
            about: None,
        }));
        let ranges = rows::ranges(sources, &replay.steps, trace.loop_start);
        let row = |range: &Range<usize>| row(machine, replay, &seen, files, range);
        let mut rows: Vec<Row> = ranges.iter().map(row).collect();
        let arrows = arrows(&ranges, &seen.links);
        let racing = arrows.iter().filter(|arrow| arrow.kind == ArrowKind::Race);
        for arrow in racing {
            rows[arrow.from].fails = true;
            rows[arrow.to].fails = true;
        }
        if let (Some(last), true) = (rows.last_mut(), fails_at_its_end(replay, trace)) {
            last.fails = true;
        }
        let start = trace.loop_start;
        let blocked = replay.stuck.iter();
        Schedule {
            threads: replay.thread_names.clone(),
            rows,
            arrows,
            blocked: blocked
                .map(|stuck| blocked_at(machine, replay, files, stuck))
                .collect(),
            repeats_from: start
                .and_then(|start| ranges.iter().position(|range| range.start == start)),
        }
    }
}

/// Is the last step itself wrong, rather than where it leads or what it meets?
fn fails_at_its_end(replay: &Replay, trace: &Trace) -> bool {
    replay.racing.is_none() && replay.stuck.is_empty() && trace.loop_start.is_none()
}

fn row(
    machine: &Machine<'_>,
    replay: &Replay,
    seen: &Followed,
    files: &[SourceText],
    range: &Range<usize>,
) -> Row {
    let steps = &replay.steps[range.clone()];
    let last = &steps[steps.len() - 1];
    let (file, line, text) = place(&machine.xcfa.sources, files, last.span);
    let read = seen.reads[range.clone()].iter().flatten();
    let mut reads: Vec<Value> = Vec::new();
    for (name, value) in read {
        let value = Value {
            name: name.clone(),
            old: value.clone(),
            new: value.clone(),
            shared: true,
        };
        if !reads.contains(&value) {
            reads.push(value);
        }
    }
    Row {
        thread: last.thread,
        file,
        line,
        text: if last.ends { "(ends)".to_owned() } else { text },
        reads,
        writes: steps.iter().flat_map(writes).collect(),
        held: last.held.clone(),
        ends: last.ends,
        fails: false,
    }
}

fn writes(step: &ReplayStep) -> impl Iterator<Item = Value> + '_ {
    step.changes.iter().map(|change| Value {
        name: change.name.clone(),
        old: change.old.clone(),
        new: change.new.clone(),
        shared: change.shared,
    })
}

/// From steps to rows; what is said twice between two rows is one arrow.
fn arrows(ranges: &[Range<usize>], links: &[Link]) -> Vec<Arrow> {
    let row_of = |step: usize| ranges.partition_point(|range| range.end <= step);
    let mut arrows: Vec<Arrow> = Vec::new();
    for link in links {
        let (from, to, kind) = (row_of(link.from), row_of(link.to), link.kind);
        let about = link.about.clone();
        let alike = |arrow: &&mut Arrow| (arrow.from, arrow.to, arrow.kind) == (from, to, kind);
        match arrows.iter_mut().find(alike) {
            Some(arrow) => arrow
                .about
                .extend(about.filter(|name| !arrow.about.contains(name))),
            None => arrows.push(Arrow {
                from,
                to,
                kind,
                about: about.into_iter().collect(),
            }),
        }
    }
    arrows
}

fn blocked_at(
    machine: &Machine<'_>,
    replay: &Replay,
    files: &[SourceText],
    stuck: &Stuck,
) -> Blocked {
    let (file, line, text) = place(&machine.xcfa.sources, files, stuck.span);
    let on = match &stuck.waits {
        Some(Wait::Thread(thread)) => Some(*thread),
        Some(Wait::Lock(lock)) => {
            let mut others = replay.stuck.iter();
            let holder = others.find(|other| other.held.contains(lock));
            holder.map(|other| other.thread)
        }
        Some(Wait::Signal(_)) | None => None,
    };
    Blocked {
        thread: stuck.thread,
        file,
        line,
        text,
        waits: stuck
            .waits
            .as_ref()
            .map_or_else(String::new, Wait::to_string),
        held: stuck.held.clone(),
        on,
    }
}
