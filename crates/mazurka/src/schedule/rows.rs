//! From the steps of a replay to rows: one row for each source line that a thread passes through.

use semantics::{Change, Moment, Replay, Stuck};
use std::collections::{BTreeMap, BTreeSet};
use xcfa::Span;

/// A schedule with no more rows than this is short.
pub const FEW_ROWS: usize = 40;

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
    /// Is there something in it that other threads can see, or that it sees of them?
    pub matters: bool,
    /// Does another thread move before or after it, or none?
    pub switches: bool,
}

/// Consecutive statements of one thread that make one row.
struct Group<'a> {
    moments: Vec<Moment<'a>>,
    line: Line,
    repeats: bool,
}

/// The rows of a replay; `look_up` finds the text of a place. Steps from `loop_start` on repeat.
pub fn rows(
    replay: &Replay,
    loop_start: Option<usize>,
    look_up: &dyn Fn(Span) -> Line,
) -> Vec<Row> {
    let mut held: Vec<&[String]> = vec![&[]; replay.thread_names.len()];
    let mut rows = Vec::new();
    let groups = groups(replay, loop_start, look_up);
    let last = groups.len().saturating_sub(1);
    let last_fails = replay.racing.is_none() && replay.stuck.is_empty() && replay.failing.is_some();
    let touched = Touched::new(replay);
    let is_short = groups.len() <= FEW_ROWS;
    for (at, group) in groups.into_iter().enumerate() {
        let fails = last_fails && at == last;
        let before = held.get_mut(group.moments[0].thread as usize);
        rows.push(row(group, &touched, fails, is_short || fails, before));
    }
    rows.extend(replay.stuck.iter().map(|stuck| waiting(stuck, look_up)));
    for at in 0..rows.len() {
        let thread = |at: usize| rows.get(at).map(|row: &Row| row.thread);
        let before = at.checked_sub(1).and_then(thread);
        let switches = before != thread(at) || thread(at + 1) != thread(at);
        rows[at].switches = switches;
    }
    rows
}

/// Which threads read and write what, by name.
struct Touched<'a> {
    readers: BTreeMap<&'a str, BTreeSet<u32>>,
    writers: BTreeMap<&'a str, BTreeSet<u32>>,
    /// What the last statement reads.
    last: BTreeSet<&'a str>,
}

impl<'a> Touched<'a> {
    fn new(replay: &'a Replay) -> Touched<'a> {
        let mut touched = Touched {
            readers: BTreeMap::new(),
            writers: BTreeMap::new(),
            last: BTreeSet::new(),
        };
        for moment in replay.moments() {
            let statement = moment.statement;
            let about_to = statement.about_to.iter().map(|it| it.name.as_str());
            let reads = statement.reads.iter().map(|it| it.name.as_str());
            let reads: BTreeSet<&str> = reads.chain(about_to).collect();
            for &name in &reads {
                touched
                    .readers
                    .entry(name)
                    .or_default()
                    .insert(moment.thread);
            }
            for change in statement.changes.iter().filter(|it| it.shared) {
                let writers = touched.writers.entry(&change.name).or_default();
                writers.insert(moment.thread);
            }
            touched.last = reads;
        }
        touched
    }

    /// Does another thread write it?
    fn is_written_elsewhere(&self, name: &str, thread: u32) -> bool {
        let writers = self.writers.get(name);
        writers.is_some_and(|threads| threads.iter().any(|&it| it != thread))
    }

    /// Does another thread see it, or the last statement?
    fn is_seen(&self, name: &str, thread: u32) -> bool {
        let readers = self.readers.get(name);
        self.last.contains(name)
            || self.is_written_elsewhere(name, thread)
            || readers.is_some_and(|threads| threads.iter().any(|&it| it != thread))
    }
}

/// The row of some statements; `before` are the locks that the thread held before, and then those after.
/// With `all_reads`, reads of what no other thread writes are shown, too.
fn row<'a>(
    group: Group<'a>,
    touched: &Touched<'_>,
    fails: bool,
    all_reads: bool,
    before: Option<&mut &'a [String]>,
) -> Row {
    let thread = group.moments[0].thread;
    let mut notes: Vec<String> = group.moments.iter().filter_map(Moment::remark).collect();
    let (reads, read_elsewhere) = reads(&group.moments, touched, all_reads);
    let mut changed = group.moments.iter().flat_map(|it| &it.statement.changes);
    let is_seen = changed.any(|change| change.shared && touched.is_seen(&change.name, thread));
    let synchronises = group.moments.iter().any(|it| it.statement.synchronises);
    let mut matters = fails || synchronises || !notes.is_empty() || read_elsewhere || is_seen;
    notes.extend(reads);
    notes.extend(changes(&group.moments));
    notes.extend(group.moments.iter().filter_map(Moment::about_to));
    let now = group.moments.last().map_or(&[][..], |moment| moment.held);
    if let Some(before) = before
        && std::mem::replace(before, now) != now
    {
        notes.push(locks(now));
        matters = true;
    }
    let races = group.moments.iter().any(|moment| moment.statement.races);
    Row {
        thread: thread as usize,
        line: group.line,
        notes,
        mark: match fails {
            true => Mark::Failing,
            false if races => Mark::Racing,
            false => Mark::None,
        },
        repeats: group.repeats,
        matters: matters || races || group.repeats,
        switches: false,
    }
}

/// Where a thread waits for ever.
fn waiting(stuck: &Stuck, look_up: &dyn Fn(Span) -> Line) -> Row {
    let waits = stuck.waits.as_ref();
    let waits = waits.map_or_else(String::new, |waits| format!(" {waits}"));
    Row {
        thread: stuck.thread as usize,
        line: look_up(stuck.span),
        notes: vec![format!("waits{waits} for ever")],
        mark: Mark::Failing,
        repeats: false,
        matters: true,
        switches: true,
    }
}

fn groups<'a>(
    replay: &'a Replay,
    loop_start: Option<usize>,
    look_up: &dyn Fn(Span) -> Line,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut before = None;
    for moment in replay.moments() {
        let mut line = look_up(moment.statement.span);
        if moment.ends {
            line.text = "(ends)".into();
        }
        let repeats = loop_start == Some(moment.step) && before != Some(moment.step);
        before = Some(moment.step);
        match groups.last_mut() {
            Some(last)
                if last.moments[0].thread == moment.thread
                    && last.line == line
                    && !repeats
                    && moment.wakes.is_none() =>
            {
                last.moments.push(moment);
            }
            _ => groups.push(Group {
                moments: vec![moment],
                line,
                repeats,
            }),
        }
    }
    groups
}

/// What was read: `reads x = 1`; and does another thread write some of it?
fn reads(moments: &[Moment<'_>], touched: &Touched<'_>, all: bool) -> (Vec<String>, bool) {
    let mut notes: Vec<String> = Vec::new();
    let mut elsewhere = false;
    let reads = moments.iter().flat_map(|moment| &moment.statement.reads);
    for read in reads.filter(|read| !is_reserved(&read.name)) {
        let note = format!("reads {} = {}", read.name, read.value);
        let is_written = touched.is_written_elsewhere(&read.name, moments[0].thread);
        elsewhere |= is_written;
        if (all || is_written) && !notes.contains(&note) {
            notes.push(note);
        }
    }
    (notes, elsewhere)
}

/// All values that a name had during the statements, in order: `x: 0 → 1 → 0`.
fn changes(moments: &[Moment<'_>]) -> Vec<String> {
    let mut merged: Vec<Change> = Vec::new();
    let changes = moments.iter().flat_map(|moment| &moment.statement.changes);
    for change in changes.filter(|change| !is_reserved(&change.name)) {
        match merged.iter_mut().find(|known| known.name == change.name) {
            Some(known) => known.new += &format!(" → {}", change.new),
            None => merged.push(change.clone()),
        }
    }
    merged.iter().map(Change::to_string).collect()
}

/// Is this a name of the system's headers, such as the temporaries of their macros?
fn is_reserved(name: &str) -> bool {
    name.starts_with("__")
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
    use semantics::{Failure, HeapNames, ReplayStatement, ReplayStep, Violation, What};
    use xcfa::EdgeId;

    fn step(thread: u32, line: u32, changes: &[(&str, &str, &str)], held: &[&str]) -> ReplayStep {
        let change = |&(name, old, new): &(&str, &str, &str)| Change::shared(name, Some(old), new);
        let span = Span {
            lo: line,
            ..Span::default()
        };
        let changes = changes.iter().map(change).collect();
        ReplayStep {
            thread,
            edge: EdgeId(0),
            statements: vec![ReplayStatement::new(span, Vec::new(), changes)],
            held: held.iter().map(|&name| name.into()).collect(),
            ends: false,
            wakes: None,
        }
    }

    fn nothing() -> Failure {
        Failure {
            violation: Violation::ErrorReached,
            place: None,
            what: What::Plain,
            values: Vec::new(),
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
            failure: nothing(),
            failing: Some(Span::default()),
            racing: None,
            execution: None,
            stuck: Vec::new(),
            heap: HeapNames::default(),
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
        let mut steps: Vec<_> = (0..4).map(|at| step(at % 2, at, &[], &[])).collect();
        steps[0].statements[0].races = true;
        steps[3].statements[0].races = true;
        let replay = Replay {
            steps,
            thread_names: vec!["main".into(), "worker".into()],
            failure: nothing(),
            failing: Some(Span::default()),
            racing: Some([0, 3]),
            execution: None,
            stuck: Vec::new(),
            heap: HeapNames::default(),
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
                matters: false,
                switches: false,
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
            failure: nothing(),
            failing: None,
            racing: None,
            execution: None,
            stuck: Vec::new(),
            heap: HeapNames::default(),
        };
        let rows = rows(&replay, Some(1), &look_up);
        assert_eq!(
            rows.iter().map(|row| row.repeats).collect::<Vec<_>>(),
            [false, true]
        );
    }
}
