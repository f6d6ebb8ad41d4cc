//! A counterexample: which thread moves when, what changes, and what depends on what.

use crate::follow::{Link, follow};
use crate::source::{SourceText, place};
use crate::{Arrow, ArrowKind, Blocked, Row, Value, rows};
use semantics::{Machine, Moment, Replay, Stuck, Trace, Wait};
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
        let mut links = follow(machine, trace, replay.steps.len());
        links.extend(replay.racing.map(|[from, to]| Link {
            from,
            to,
            kind: ArrowKind::Race,
            about: None,
        }));
        let moments: Vec<Moment<'_>> = replay.moments().collect();
        let ranges = rows::ranges(sources, &moments, trace.loop_start);
        let row = |range: &Range<usize>| row(machine, &moments[range.clone()], files);
        let mut rows: Vec<Row> = ranges.iter().map(row).collect();
        let thread_of = |step: usize| replay.steps.get(step).map(|step| step.thread);
        let arrows = arrows(&moments, &ranges, &links, &thread_of);
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
            repeats_from: start.and_then(|start| {
                ranges
                    .iter()
                    .position(|range| moments[range.start].step == start)
            }),
        }
    }
}

/// Is the last step itself wrong, rather than where it leads or what it meets?
fn fails_at_its_end(replay: &Replay, trace: &Trace) -> bool {
    replay.racing.is_none() && replay.stuck.is_empty() && trace.loop_start.is_none()
}

fn row(machine: &Machine<'_>, moments: &[Moment<'_>], files: &[SourceText]) -> Row {
    let last = &moments[moments.len() - 1];
    let (file, line, text) = place(&machine.xcfa.sources, files, last.statement.span);
    let read = moments.iter().flat_map(|moment| &moment.statement.reads);
    let mut reads: Vec<Value> = Vec::new();
    for read in read {
        let value = Value {
            name: read.name.clone(),
            old: Some(read.value.clone()),
            new: read.value.clone(),
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
        remarks: {
            let remarks = moments.iter().filter_map(Moment::remark);
            let about_to = moments.iter().filter_map(Moment::about_to);
            remarks.chain(about_to).collect()
        },
        reads,
        writes: moments.iter().flat_map(writes).collect(),
        held: last.held.to_vec(),
        ends: last.ends,
        fails: moments.iter().any(|moment| moment.statement.races),
    }
}

fn writes(moment: &Moment<'_>) -> impl Iterator<Item = Value> {
    moment.statement.changes.iter().map(|change| Value {
        name: change.name.clone(),
        old: change.old.clone(),
        new: change.new.clone(),
        shared: change.shared,
    })
}

/// From steps to rows; what is said twice between two rows is one arrow. A race is between the
/// statements that race, anything else starts or ends at the first statement of its step, or at the next one of the thread if
/// its step is not shown.
fn arrows(
    moments: &[Moment<'_>],
    ranges: &[Range<usize>],
    links: &[Link],
    thread_of: &dyn Fn(usize) -> Option<u32>,
) -> Vec<Arrow> {
    let row_of = |step: usize, kind: ArrowKind| {
        let thread = thread_of(step);
        let from = moments.partition_point(|moment| moment.step < step);
        let mut next = moments[from..].iter();
        let first = next.position(|moment| Some(moment.thread) == thread)?;
        let first = from + first;
        let mut own = moments[first..]
            .iter()
            .take_while(|moment| moment.step == step);
        let races = |moment: &Moment<'_>| kind == ArrowKind::Race && moment.statement.races;
        let at = first + own.position(races).unwrap_or(0);
        Some(ranges.partition_point(|range| range.end <= at))
    };
    let mut arrows: Vec<Arrow> = Vec::new();
    for link in links {
        let kind = link.kind;
        let (Some(from), Some(to)) = (row_of(link.from, kind), row_of(link.to, kind)) else {
            continue;
        };
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
        on: stuck.on(&replay.stuck),
    }
}
