//! `--html`: an answer as a page.

use super::{Report, why_safe};
use crate::failure::Failure;
use ::report::{Graph, GraphNode, Invariant, Lines, Schedule, SourceText, program_text};
use cegar::{NodeView, Snapshot};
use driver::FileCoverage;
use semantics::{Machine, Replay, Trace, What};
use std::path::{Path, PathBuf};
use std::time::Duration;
use verdict::{Budget, Proof, Property, Task, Verdict, grouped};

/// Larger graphs are unreadable; the first nodes still help.
const MOST_NODES: usize = 400;
/// To show a proof, it is checked once more; no longer than this.
const MOST_TIME: Duration = Duration::from_secs(20);

impl Report<'_> {
    /// The answer as a page; to show a proof, it is checked once more, within the budget.
    pub fn html(&self, program: &[PathBuf], budget: &Budget) -> String {
        let mut page = opening(self.task, program);
        page.verdict = self.verdict().name().to_owned();
        page.engine = self.engine.to_owned();
        page.wall_s = self.wall.as_secs_f64();
        let figures = self.confirmed.stats().iter();
        page.stats = figures
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let explanation = self.explanation.as_ref();
        page.explanation =
            explanation.and_then(|explanation| serde_json::to_value(explanation).ok());
        match self.verdict() {
            Verdict::Safe(proof) => {
                page.headline = capital(self.task.property.holds());
                page.proof = Some(self.proof(proof, budget));
            }
            Verdict::Unsafe(trace) => {
                if let Some(replay) = self.confirmed.replay() {
                    tell(&mut page, self.task.property, &replay.failure);
                    match &replay.execution {
                        Some(execution) => page.execution = Some(self.picture(execution, replay)),
                        None => {
                            page.schedule = Some(schedule(self.task, trace, replay, &page.files));
                        }
                    }
                }
            }
            Verdict::Unknown(reason) => {
                let told = super::unknown_story(&self.task.xcfa, reason, self.covered.as_ref());
                page.headline = capital(&told.first);
                page.details = told.more;
                page.lines = self.lines_reached(&page.files);
            }
        }
        ::report::page(&page)
    }

    /// Which lines of the files on the page were reached.
    fn lines_reached(&self, files: &[SourceText]) -> Vec<Lines> {
        let covered = self.covered.as_ref().and_then(|it| it.lines.as_ref());
        let known = covered.iter().flat_map(|lines| &lines.files);
        let of_file = |lines: &FileCoverage| {
            let file = files.iter().position(|file| file.name == lines.file)?;
            let (reached, missed) = (lines.reached.clone(), lines.missed.clone());
            Some(Lines {
                file,
                reached,
                missed,
            })
        };
        known.filter_map(of_file).collect()
    }

    fn proof(&self, proof: &Proof, budget: &Budget) -> ::report::Proof {
        let mut shown = ::report::Proof {
            sentence: capital(&why_safe(proof)),
            ..::report::Proof::default()
        };
        let budget = budget.at_most(MOST_TIME);
        let result = match proof {
            Proof::Invariants { certificate, .. } if !certificate.is_null() => {
                let proved = horn::recheck_with_invariants(self.task, certificate, &budget);
                proved.map(|proved| shown.invariants = proved.into_iter().map(invariant).collect())
            }
            Proof::AbstractGraph {
                nodes,
                certificate,
                precision,
            } => {
                let nodes = grouped(*nodes);
                shown.sentence =
                    format!("No step leads out of {nodes} abstract states, and none is an error");
                shown.precision = precision.clone();
                let graph = cegar::recheck_with_invariants(self.task, certificate, &budget);
                graph.map(|snapshot| shown.graph = Some(graph_of(&snapshot)))
            }
            _ => Ok(()),
        };
        if let Err(why) = result {
            shown.missing = Some(format!("It is not drawn here: {why}."));
        }
        shown
    }
}

/// A counterexample that was run again, as a page.
pub fn write_replay(
    path: &Path,
    program: &[PathBuf],
    task: &Task,
    trace: &Trace,
    replay: &Replay,
) -> Result<(), Failure> {
    let mut page = opening(task, program);
    page.verdict = "unsafe".into();
    page.engine = "replay".into();
    tell(&mut page, task.property, &replay.failure);
    page.schedule = Some(schedule(task, trace, replay, &page.files));
    write(path, &page)
}

/// What every page begins with.
fn opening(task: &Task, program: &[PathBuf]) -> ::report::PageContent {
    let names = program
        .iter()
        .map(|path| path.file_name().unwrap_or_default());
    let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
    ::report::PageContent {
        title: names.join(", "),
        property: task.property.to_string(),
        assumptions: task.xcfa.assumptions.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        files: program_text(&task.xcfa),
        ..::report::PageContent::default()
    }
}

/// The name of the property is said elsewhere. So are the steps that repeat, and the page counts rows,
/// not steps.
fn tell(page: &mut ::report::PageContent, property: Property, failure: &semantics::Failure) {
    let first = match failure.what {
        What::Endless { .. } => failure.violation.to_string(),
        _ => super::without_property(property, failure),
    };
    page.headline = capital(&first);
    page.blame = capital(&failure.blame());
    page.details = failure.details();
}

fn schedule(task: &Task, trace: &Trace, replay: &Replay, files: &[SourceText]) -> Schedule {
    let machine = Machine::new(&task.xcfa, task.property);
    Schedule::of(&machine, trace, replay, files)
}

fn write(path: &Path, page: &::report::PageContent) -> Result<(), Failure> {
    std::fs::write(path, ::report::page(page))
        .map_err(|error| Failure::refused(format!("cannot write {}: {error}", path.display())))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn invariant(shown: horn::Invariant) -> Invariant {
    let words: Vec<&str> = shown.place.split([' ', ',']).collect();
    let lines = words.windows(2).filter(|pair| pair[0] == "line");
    let lines = lines.filter_map(|pair| pair[1].parse().ok()).collect();
    Invariant {
        place: shown.place,
        lines,
        formula: shown.formula,
    }
}

fn graph_of(snapshot: &Snapshot) -> Graph {
    let nodes = snapshot.nodes.iter().take(MOST_NODES);
    Graph {
        nodes: nodes.map(node).collect(),
        all: snapshot.nodes.len(),
    }
}

fn node(view: &NodeView) -> GraphNode {
    let by = view.parent.as_ref();
    let threads = view.threads.iter();
    GraphNode {
        id: view.id,
        parent: by.map(|(parent, _)| *parent),
        by: by.map_or(String::new(), |(_, by)| {
            format!("{}: {}", by.thread, by.text)
        }),
        threads: threads
            .map(|(name, place)| format!("{name}: {place}"))
            .collect(),
        known: view.known.clone(),
        covered_by: view.covered_by,
    }
}
