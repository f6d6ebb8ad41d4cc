//! What engines looked at, whether they found an answer or not.
//!
//! Coverage proves nothing. A line that was reached may still go wrong in another schedule or with another input, and one
//! that was not may be one that no execution reaches. Engines that run the program (`explore`, `fusion`, `matching`) note the
//! lines; those that reason about all executions at once reach none.

use semantics::Reached;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use verdict::Task;
use xcfa::{Sources, Span};

/// What an answer, or the lack of one, has looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    /// How far each engine came, in its own words.
    pub engines: Vec<EngineProgress>,
    /// Which lines were executed; nothing if no engine ran that executes the program.
    pub lines: Option<Coverage>,
}

/// How far an engine came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EngineProgress {
    /// The engine.
    pub engine: String,
    /// What it said last.
    pub progress: String,
}

/// The lines of a program that were executed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// Lines that were reached.
    pub reached: usize,
    /// Lines that have something to execute, without those that play no part.
    pub lines: usize,
    /// By name of the file.
    pub files: Vec<FileCoverage>,
}

/// The lines of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileCoverage {
    /// Its name, as in the places of a trace.
    pub file: String,
    /// Lines that were executed, at least once and at least in part.
    pub reached: Vec<u32>,
    /// Lines that were not.
    pub missed: Vec<u32>,
    /// Lines that the preparation has removed: nothing that is checked depends on them, or they are shown to be dead.
    pub left_out: Vec<u32>,
}

/// What is known about a line; of two statements on it, the greater counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Line {
    LeftOut,
    Missed,
    Reached,
}

impl EngineProgress {
    /// From a line of progress, whose parts are two blanks apart: the first says what was done, the others how fast. Nothing
    /// if the engine was silent.
    pub(crate) fn new(engine: &str, progress: &str) -> Option<EngineProgress> {
        let done = progress.split("  ").next()?.trim();
        (!done.is_empty()).then(|| EngineProgress {
            engine: engine.to_owned(),
            progress: done.to_owned(),
        })
    }
}

impl Covered {
    /// Of runs that no engine made.
    pub fn by_runs(task: &Task, reached: &Reached) -> Covered {
        Covered::new(Vec::new(), task, reached)
    }

    /// Of what engines said and did.
    pub(crate) fn new(engines: Vec<EngineProgress>, task: &Task, reached: &Reached) -> Covered {
        let lines = Coverage::of(task, reached);
        Covered {
            engines,
            lines: Some(lines).filter(|lines| lines.reached > 0),
        }
    }
}

impl Coverage {
    /// The lines of the program that `reached` notes.
    pub fn of(task: &Task, reached: &Reached) -> Coverage {
        let sources = &task.xcfa.sources;
        let mut files: BTreeMap<String, BTreeMap<u32, Line>> = BTreeMap::new();
        // The end of a thread has the place of its function: that is no statement.
        let heads: BTreeSet<Span> = task.xcfa.procs.iter().map(|it| it.span).collect();
        let mut note = |span: Span, line: Line| {
            if is_written(sources, span) && !heads.contains(&span) {
                let place = sources.place(span);
                let lines = files.entry(place.file).or_default();
                let known = lines.entry(place.line).or_insert(line);
                *known = line.max(*known);
            }
        };
        for &span in task.statements.iter() {
            note(span, Line::LeftOut);
        }
        for id in task.xcfa.edge_ids() {
            for (labels, span) in task.xcfa[id].statements() {
                let line = match reached.has_begun(id, labels.start) {
                    true => Line::Reached,
                    false => Line::Missed,
                };
                note(span, line);
            }
        }
        let files = files.into_iter();
        let files: Vec<FileCoverage> = files
            .map(|(file, lines)| FileCoverage::of(file, &lines))
            .collect();
        let reached: usize = files.iter().map(|file| file.reached.len()).sum();
        let missed: usize = files.iter().map(|file| file.missed.len()).sum();
        Coverage {
            reached,
            lines: reached + missed,
            files,
        }
    }

    /// In the format of lcov's tracefiles, as the result of a test. A line was executed once or not at all: how often is no
    /// property of a search. Lines that play no part are left out.
    pub fn lcov(&self, test: &str) -> String {
        let test = test.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let files = self.files.iter();
        files.map(|file| file.lcov(&test)).collect()
    }
}

/// Is it text of the user's, rather than of a header of the system or of our model of the library?
fn is_written(sources: &Sources, span: Span) -> bool {
    let file = sources.files().get(span.file.0 as usize);
    file.is_some_and(|file| !file.is_library && span.lo < span.hi && !file.is_system(span.lo))
}

impl FileCoverage {
    fn of(file: String, lines: &BTreeMap<u32, Line>) -> FileCoverage {
        let of_kind = |kind: Line| {
            let those = lines.iter().filter(|(_, line)| **line == kind);
            those.map(|(&number, _)| number).collect()
        };
        FileCoverage {
            reached: of_kind(Line::Reached),
            missed: of_kind(Line::Missed),
            left_out: of_kind(Line::LeftOut),
            file,
        }
    }

    /// The lines that were never reached, from and to, where none between them was.
    pub fn gaps(&self) -> Vec<(u32, u32)> {
        let mut gaps: Vec<(u32, u32)> = Vec::new();
        for &line in &self.missed {
            let is_apart = |from: u32| {
                let between = self.reached.partition_point(|&it| it < from);
                self.reached.get(between).is_some_and(|&it| it < line)
            };
            match gaps.last_mut() {
                Some((_, end)) if !is_apart(*end) => *end = line,
                _ => gaps.push((line, line)),
            }
        }
        gaps
    }

    fn lcov(&self, test: &str) -> String {
        let reached = self.reached.iter().map(|&line| (line, 1));
        let missed = self.missed.iter().map(|&line| (line, 0));
        let mut counts: Vec<(u32, u32)> = reached.chain(missed).collect();
        counts.sort_unstable();
        let lines: String = counts
            .iter()
            .map(|(line, count)| format!("DA:{line},{count}\n"))
            .collect();
        let (found, hit) = (counts.len(), self.reached.len());
        let file = &self.file;
        format!("TN:{test}\nSF:{file}\n{lines}LF:{found}\nLH:{hit}\nend_of_record\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_end_where_a_line_was_reached() {
        let file = FileCoverage {
            file: "f.c".into(),
            reached: vec![1, 5, 20],
            missed: vec![3, 4, 7, 9, 12, 30],
            left_out: vec![8],
        };
        assert_eq!(file.gaps(), [(3, 4), (7, 12), (30, 30)]);
        let text = "TN:valid_deref\nSF:f.c\nDA:1,1\nDA:3,0\nDA:4,0\nDA:5,1\nDA:7,0\nDA:9,0\n\
                    DA:12,0\nDA:20,1\nDA:30,0\nLF:9\nLH:3\nend_of_record\n";
        let all = Coverage {
            reached: 3,
            lines: 9,
            files: vec![file],
        };
        assert_eq!(all.lcov("valid-deref"), text);
    }
}
