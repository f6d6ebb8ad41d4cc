//! From the steps of a replay to rows: one row for each source line that a thread passes through.

use semantics::{Change, Replay, ReplayStep};
use std::collections::BTreeSet;
use std::ops::Range;
use xcfa::Span;

/// A source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// `file.c:12`.
    pub place: String,
    /// Its text.
    pub text: String,
}

/// Why a row stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It does not.
    None,
    /// The violation happens here.
    Failing,
    /// One of the two accesses that race.
    Racing,
}

/// Some steps of one thread on one source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The thread that moved.
    pub thread: usize,
    /// The source line.
    pub line: Line,
    /// What changed: `x: 0 → 1`, and the locks held if they are others than before.
    pub notes: Vec<String>,
    /// Why it stands out.
    pub mark: Mark,
    /// Do the steps from here on repeat for ever?
    pub repeats: bool,
}

/// Consecutive steps that make one row.
struct Group<'a> {
    first: usize,
    steps: &'a [ReplayStep],
    line: Line,
}

/// The rows of a replay; `look_up` finds the text of a place. Steps from `loop_start` on repeat.
pub fn rows(
    replay: &Replay,
    loop_start: Option<usize>,
    look_up: &dyn Fn(Span) -> Line,
) -> Vec<Row> {
    let mut held: Vec<&[String]> = vec![&[]; replay.thread_names.len()];
    let mut rows = Vec::new();
    for group in groups(&replay.steps, loop_start, look_up) {
        let thread = group.steps[0].thread as usize;
        let mut notes = changes(group.steps);
        let now = group.steps.last().map_or(&[][..], |step| &step.held);
        if let Some(before) = held.get_mut(thread)
            && std::mem::replace(before, now) != now
        {
            notes.push(locks(now));
        }
        rows.push(Row {
            thread,
            line: group.line,
            notes,
            mark: mark(replay, group.first..group.first + group.steps.len()),
            repeats: loop_start == Some(group.first),
        });
    }
    rows
}

fn groups<'a>(
    steps: &'a [ReplayStep],
    loop_start: Option<usize>,
    look_up: &dyn Fn(Span) -> Line,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let mut line = look_up(step.span);
        if step.ends {
            line.text = "(ends)".into();
        }
        match groups.last_mut() {
            Some(last)
                if last.steps[0].thread == step.thread
                    && last.line == line
                    && loop_start != Some(at) =>
            {
                last.steps = &steps[last.first..=at];
            }
            _ => groups.push(Group {
                first: at,
                steps: &steps[at..=at],
                line,
            }),
        }
    }
    groups
}

/// The mark of a row with these steps. A violation is in the last step; a race is in two of them.
fn mark(replay: &Replay, steps: Range<usize>) -> Mark {
    match replay.racing {
        Some(pair) if pair.iter().any(|step| steps.contains(step)) => Mark::Racing,
        None if replay.failing.is_some() && steps.end == replay.steps.len() => Mark::Failing,
        _ => Mark::None,
    }
}

/// All values that a name had during the steps, in order: `x: 0 → 1 → 0`.
fn changes(steps: &[ReplayStep]) -> Vec<String> {
    let mut histories: Vec<(&str, Vec<&str>)> = Vec::new();
    for Change { name, old, new, .. } in steps.iter().flat_map(|step| &step.changes) {
        match histories.iter_mut().find(|(known, _)| known == name) {
            Some((_, values)) => values.push(new),
            None => histories.push((name, vec![old, new])),
        }
    }
    let show = |(name, values): (&str, Vec<&str>)| format!("{name}: {}", values.join(" → "));
    histories.into_iter().map(show).collect()
}

fn locks(held: &[String]) -> String {
    if held.is_empty() {
        "holds no lock".into()
    } else {
        format!("holds {}", held.join(", "))
    }
}

/// Drops the folder from every place if no two files of the schedule have the same name.
pub fn shorten_places(rows: &mut [Row]) {
    let short = |place: &str| place.rsplit('/').next().unwrap_or(place).to_owned();
    let file = |place: &str| {
        place
            .rsplit_once(':')
            .map_or("", |(file, _)| file)
            .to_owned()
    };
    let files: BTreeSet<String> = rows.iter().map(|row| file(&row.line.place)).collect();
    let names: BTreeSet<String> = files.iter().map(|file| short(file)).collect();
    if names.len() == files.len() {
        rows.iter_mut()
            .for_each(|row| row.line.place = short(&row.line.place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcfa::EdgeId;

    fn step(thread: u32, line: u32, changes: &[(&str, &str, &str)], held: &[&str]) -> ReplayStep {
        let change = |&(name, old, new): &(&str, &str, &str)| Change {
            name: name.into(),
            old: old.into(),
            new: new.into(),
            shared: true,
        };
        ReplayStep {
            thread,
            edge: EdgeId(0),
            span: Span {
                lo: line,
                ..Span::default()
            },
            changes: changes.iter().map(change).collect(),
            held: held.iter().map(|&name| name.into()).collect(),
            ends: false,
        }
    }

    fn look_up(span: Span) -> Line {
        Line {
            place: format!("a.c:{}", span.lo),
            text: format!("line {}", span.lo),
        }
    }

    #[test]
    fn steps_on_one_line_are_shown_once() {
        let replay = Replay {
            steps: vec![
                step(0, 3, &[("x", "0", "1")], &["m"]),
                step(0, 3, &[("x", "1", "0"), ("y", "2", "2")], &["m"]),
                step(1, 3, &[], &[]),
                step(0, 3, &[], &[]),
            ],
            thread_names: vec!["main".into(), "worker".into()],
            message: String::new(),
            failing: Some(Span::default()),
            racing: None,
            stuck: Vec::new(),
        };
        let rows = rows(&replay, None, &look_up);
        let notes: Vec<_> = rows
            .iter()
            .map(|row| (row.thread, row.notes.join("; ")))
            .collect();
        assert_eq!(
            notes,
            [
                (0, "x: 0 → 1 → 0; y: 2 → 2; holds m".to_owned()),
                (1, String::new()),
                (0, "holds no lock".to_owned())
            ]
        );
        assert_eq!(rows[2].mark, Mark::Failing);
    }

    #[test]
    fn both_ends_of_a_race_are_marked_however_far_apart() {
        let replay = Replay {
            steps: (0..4).map(|at| step(at % 2, at, &[], &[])).collect(),
            thread_names: vec!["main".into(), "worker".into()],
            message: String::new(),
            failing: Some(Span::default()),
            racing: Some([0, 3]),
            stuck: Vec::new(),
        };
        let rows = rows(&replay, None, &look_up);
        let marks: Vec<Mark> = rows.iter().map(|row| row.mark).collect();
        let (none, racing) = (Mark::None, Mark::Racing);
        assert_eq!(marks, [racing, none, none, racing]);
    }

    #[test]
    fn places_are_as_short_as_they_can_be() {
        let shortened = |places: [&str; 2]| {
            let row = |place: &str| Row {
                thread: 0,
                line: Line {
                    place: place.into(),
                    text: String::new(),
                },
                notes: Vec::new(),
                mark: Mark::None,
                repeats: false,
            };
            let mut rows = places.map(row);
            shorten_places(&mut rows);
            rows.map(|row| row.line.place)
        };
        assert_eq!(shortened(["x/a.c:1", "x/b.c:2"]), ["a.c:1", "b.c:2"]);
        assert_eq!(shortened(["x/a.c:1", "y/a.c:2"]), ["x/a.c:1", "y/a.c:2"]);
    }

    #[test]
    fn a_loop_starts_a_row() {
        let replay = Replay {
            steps: vec![step(0, 3, &[], &[]), step(0, 3, &[], &[])],
            thread_names: vec!["main".into()],
            message: String::new(),
            failing: None,
            racing: None,
            stuck: Vec::new(),
        };
        let rows = rows(&replay, Some(1), &look_up);
        assert_eq!(
            rows.iter().map(|row| row.repeats).collect::<Vec<_>>(),
            [false, true]
        );
    }
}
