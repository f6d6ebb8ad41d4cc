//! The files that `check --witness` writes.

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::watchdog::Watchdog;
use crate::written_program::WrittenProgram;
use crate::{output, pipeline};
use driver::Plan;
use semantics::{Machine, replay};
use std::path::Path;
use std::time::{Duration, SystemTime};
use verdict::{Budget, Preparation, Program, Property, Task, Trace, Verdict};
use witness::yaml::Version;
use witness::{
    AnnotatedProgram, AnnotatedTrace, Meta, graphml, instrument, lift, lock_ghosts,
    loop_invariants, violation_sequence, yaml,
};

/// How long to search for an execution that has every step of the text.
const LIFTING: Duration = Duration::from_secs(10);

/// How long to search for invariants, and how long to prove each set of them.
const PROVING: Duration = Duration::from_secs(3);

/// What is written, and where.
type Texts<'a> = Vec<(&'a Path, String)>;

/// In which format a witness is written.
#[derive(Clone, Copy)]
enum Format {
    Graphml,
    Yaml(Option<Version>),
}

/// Are all names such that the formats are known?
pub fn refused(args: &CheckArgs) -> Option<String> {
    let unknown = |path: &&std::path::PathBuf| kind(path).is_none();
    let path = args.witness.witness.iter().find(unknown)?;
    let name = path.display();
    Some(format!(
        "{name}: a witness is written to a file .graphml, .yml or .yaml"
    ))
}

/// Is the name that of a file in YAML (or in GraphML)?
fn kind(path: &Path) -> Option<bool> {
    match path.extension()?.to_str()? {
        "graphml" => Some(false),
        "yml" | "yaml" => Some(true),
        _ => None,
    }
}

fn wanted(args: &CheckArgs) -> Vec<(&Path, Format)> {
    let versions = &args.witness.witness_format;
    let mut seen = 0;
    let files = args.witness.witness.iter();
    let format = |path: &Path| match kind(path) {
        Some(true) => {
            let version = versions.get(seen).or(versions.last());
            seen += 1;
            Format::Yaml(version.map(|version| (*version).into()))
        }
        _ => Format::Graphml,
    };
    let formats: Vec<Format> = files
        .clone()
        .map(|path| path.as_path())
        .map(format)
        .collect();
    files.map(|path| path.as_path()).zip(formats).collect()
}

/// Writes the witnesses of a verdict; none of *unknown*.
pub fn write(
    args: &CheckArgs,
    program: &Program,
    task: &Task,
    verdict: &Verdict,
    budget: &Budget,
    watchdog: &Watchdog,
) -> Result<(), Failure> {
    if args.witness.witness.is_empty() || matches!(verdict, Verdict::Unknown(_)) {
        return Ok(());
    }
    let written = WrittenProgram::new(program, task.property)?;
    let meta = meta(args, &written);
    let texts = match verdict {
        Verdict::Unsafe(trace) => violations(args, &written, &meta, task, trace, budget)?,
        _ => correctness(args, &written, &meta, program, budget)?,
    };
    let _pen = watchdog.pen();
    texts.iter().try_for_each(|(path, text)| save(path, text))
}

fn meta(args: &CheckArgs, written: &WrittenProgram) -> Meta {
    let property = written.task.property;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Meta {
        producer: "Mazurka".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        specification: pipeline::specification(args.asked(), property),
        files: written.inputs.clone(),
        model: args.program.reading.data_model.into(),
        created: witness::utc(now.map_or(0, |now| now.as_secs())),
    }
}

fn violations<'a>(
    args: &'a CheckArgs,
    written: &WrittenProgram,
    meta: &Meta,
    task: &Task,
    trace: &Trace,
    budget: &Budget,
) -> Result<Texts<'a>, Failure> {
    let full = Machine::new(&written.task.xcfa, task.property);
    let coarse = Machine::new(&task.xcfa, task.property);
    let annotated = AnnotatedProgram::new(&full, &written.places, &written.outline);
    let budget = budget.at_most(LIFTING);
    let lifted = lift(&coarse, trace, &annotated, &budget);
    let lifted = lifted.filter(|lifted| replay(&full, lifted).is_ok());
    // Without the full execution, the one that is known has the lines of its steps at least.
    let (annotated, trace) = match &lifted {
        Some(lifted) => (annotated, lifted),
        None => (
            AnnotatedProgram::new(&coarse, &written.places, &written.outline),
            trace,
        ),
    };
    let trace = AnnotatedTrace::of(&annotated, trace);
    let mut texts = Texts::new();
    for (path, format) in wanted(args) {
        let text = match format {
            Format::Graphml => Some(graphml::violation(&annotated, meta, &trace)),
            Format::Yaml(version) => {
                let version = version.unwrap_or(Version::V2_2);
                let entry = violation_sequence(&annotated, meta, version, &trace);
                entry.map(|entry| in_yaml(&[entry])).transpose()?
            }
        };
        match text {
            Some(text) => texts.push((path, text)),
            None => output::complain(&format!(
                "note: this violation has no witness in YAML, {} is not written\n",
                path.display()
            )),
        }
    }
    Ok(texts)
}

/// Witnesses of a proof, with those invariants that another proof confirms.
fn correctness<'a>(
    args: &'a CheckArgs,
    written: &WrittenProgram,
    meta: &Meta,
    program: &Program,
    budget: &Budget,
) -> Result<Texts<'a>, Failure> {
    // What is not used is dropped, or it would count as an input; steps are not merged.
    let unmerged = program.clone().with_preparation(Preparation::Passes);
    let task = Task::prepare(&unmerged, written.task.property)?;
    let machine = Machine::new(&task.xcfa, task.property);
    let annotated = AnnotatedProgram::new(&machine, &written.places, &written.outline);
    let ranges = loop_invariants(&annotated, &budget.at_most(PROVING));
    let mut texts = Texts::new();
    for (path, format) in wanted(args) {
        let text = match format {
            Format::Graphml => graphml::correctness(meta),
            Format::Yaml(version) => {
                let version = version.unwrap_or(Version::V2_0);
                let set = |invariants| yaml::invariant_set(meta, version, invariants);
                let mut entries = vec![set(ranges.clone())];
                let sources = &written.task.xcfa.sources;
                let ghosts = lock_ghosts(sources, &written.places, &written.outline);
                if let Some((ghosts, more)) = ghosts.filter(|_| version >= Version::V2_1) {
                    let invariants = ranges.iter().cloned().chain(more).collect();
                    let ghosts = yaml::ghost_instrumentation(meta, version, ghosts);
                    let with = vec![ghosts, set(invariants)];
                    if holds(written, program, &with, budget) {
                        entries = with;
                    }
                }
                if !holds(written, program, &entries, budget) {
                    entries = vec![set(Vec::new())];
                }
                in_yaml(&entries)?
            }
        };
        texts.push((path, text));
    }
    Ok(texts)
}

/// Does the program with the invariants as checks have no reachable error?
fn holds(
    written: &WrittenProgram,
    program: &Program,
    entries: &[yaml::Entry],
    budget: &Budget,
) -> bool {
    let Ok(with) = instrument(entries, program.files(), &written.places, &written.outline) else {
        return false;
    };
    if with.checks == 0 {
        return true;
    }
    // What we write ourselves is about plain variables.
    let program = program.clone().with_files(with.files, with.strict);
    let Ok(task) = Task::prepare(&program, Property::Reach) else {
        return false;
    };
    if with.reads_memory {
        return false;
    }
    let budget = budget.at_most(PROVING).with_memory(1 << 30);
    let plan = Plan::default().with_engine("explore").with_budget(budget);
    driver::check(&task, &plan).is_ok_and(|found| matches!(found.verdict(), Verdict::Safe(_)))
}

fn in_yaml(entries: &[yaml::Entry]) -> Result<String, Failure> {
    yaml::write(entries).map_err(|error| Failure::refused(format!("cannot write YAML: {error}")))
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::refused(format!("cannot write {}: {error}", path.display()));
    std::fs::write(path, text).map_err(failed)
}
