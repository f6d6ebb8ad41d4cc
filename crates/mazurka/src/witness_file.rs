//! The files that `check --witness` writes.

use crate::args::{CheckArgs, Switch};
use crate::failure::Failure;
use crate::stage::Stage;
use crate::{output, pipeline};
use semantics::{Machine, replay};
use std::path::Path;
use std::time::{Duration, SystemTime};
use verdict::{Budget, Property, Task, Trace, Verdict, confirm};
use witness::yaml::Version;
use witness::{
    Meta, Scene, Story, graphml, instrument, lift, lock_ghosts, loop_invariants,
    violation_sequence, yaml,
};
use xcfa::SourceFile;

/// So long an execution may be looked for that has every step of the text.
const LIFTING: Duration = Duration::from_secs(10);

/// So long invariants are looked for, and so long each set of them is proved.
const PROVING: Duration = Duration::from_secs(3);

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

/// Every file with its format.
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
    files: &[SourceFile],
    task: &Task,
    verdict: &Verdict,
) -> Result<(), Failure> {
    if args.witness.witness.is_empty() || matches!(verdict, Verdict::Unknown(_)) {
        return Ok(());
    }
    let stage = Stage::new(&args.program, files, task.property)?;
    let meta = meta(args, &stage);
    match verdict {
        Verdict::Unsafe(trace) => violations(args, &stage, &meta, task, trace),
        _ => correctness(args, &stage, &meta, files),
    }
}

fn meta(args: &CheckArgs, stage: &Stage) -> Meta {
    let property = stage.task.property;
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Meta {
        producer: "Mazurka".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        specification: pipeline::specification(&args.property, property),
        files: stage.inputs.clone(),
        model: args.program.reading.data_model.into(),
        created: witness::utc(now.map_or(0, |now| now.as_secs())),
    }
}

fn violations(
    args: &CheckArgs,
    stage: &Stage,
    meta: &Meta,
    task: &Task,
    trace: &Trace,
) -> Result<(), Failure> {
    let full = Machine::new(&stage.task.xcfa, task.property);
    let coarse = Machine::new(&task.xcfa, task.property);
    let scene = Scene::new(&full, &stage.places, &stage.outline);
    let budget = Budget::unlimited().with_timeout(LIFTING);
    let lifted = lift(&coarse, trace, &scene, &budget);
    let lifted = lifted.filter(|lifted| replay(&full, lifted).is_ok());
    // Without the full execution, the one that is known has the lines of its steps at least.
    let (scene, trace) = match &lifted {
        Some(lifted) => (scene, lifted),
        None => (Scene::new(&coarse, &stage.places, &stage.outline), trace),
    };
    let story = Story::tell(&scene, trace);
    for (path, format) in wanted(args) {
        let text = match format {
            Format::Graphml => Some(graphml::violation(&scene, meta, &story)),
            Format::Yaml(version) => {
                let version = version.unwrap_or(Version::V2_2);
                let entry = violation_sequence(&scene, meta, version, &story);
                entry.map(|entry| in_yaml(&[entry])).transpose()?
            }
        };
        match text {
            Some(text) => save(path, &text)?,
            None => output::complain(&format!(
                "note: this violation has no witness in YAML, {} is not written\n",
                path.display()
            )),
        }
    }
    Ok(())
}

/// Witnesses of a proof, with those invariants that another proof confirms.
fn correctness(
    args: &CheckArgs,
    stage: &Stage,
    meta: &Meta,
    files: &[SourceFile],
) -> Result<(), Failure> {
    // What nobody uses is dropped, or it would count as an input; steps are not merged.
    let mut program = args.program.clone();
    program.reading.lbe = Switch::Off;
    let task = pipeline::task(files.to_vec(), &program, stage.task.property)?;
    let machine = Machine::new(&task.xcfa, task.property);
    let scene = Scene::new(&machine, &stage.places, &stage.outline);
    let budget = Budget::unlimited().with_timeout(PROVING);
    let ranges = loop_invariants(&scene, &budget);
    for (path, format) in wanted(args) {
        let text = match format {
            Format::Graphml => graphml::correctness(meta),
            Format::Yaml(version) => {
                let version = version.unwrap_or(Version::V2_0);
                let set = |invariants| yaml::invariant_set(meta, version, invariants);
                let mut entries = vec![set(ranges.clone())];
                let sources = &stage.task.xcfa.sources;
                let ghosts = lock_ghosts(sources, &stage.places, &stage.outline);
                if let Some((ghosts, more)) = ghosts.filter(|_| version >= Version::V2_1) {
                    let invariants = ranges.iter().cloned().chain(more).collect();
                    let ghosts = yaml::ghost_instrumentation(meta, version, ghosts);
                    let with = vec![ghosts, set(invariants)];
                    if holds(args, stage, files, &with) {
                        entries = with;
                    }
                }
                if !holds(args, stage, files, &entries) {
                    entries = vec![set(Vec::new())];
                }
                in_yaml(&entries)?
            }
        };
        save(path, &text)?;
    }
    Ok(())
}

/// Does the program with the invariants as checks have no reachable error?
fn holds(args: &CheckArgs, stage: &Stage, files: &[SourceFile], entries: &[yaml::Entry]) -> bool {
    let Ok((files, checks)) = instrument(entries, files, &stage.places, &stage.outline) else {
        return false;
    };
    if checks == 0 {
        return true;
    }
    let Ok(task) = pipeline::task(files, &args.program, Property::Reach) else {
        return false;
    };
    let budget = Budget::unlimited()
        .with_timeout(PROVING)
        .with_memory(1 << 30);
    let config = explore::Config::default();
    let answer = explore::check(&task, &config, &budget, &mut |_| {});
    matches!(confirm(&task, answer.verdict), Verdict::Safe(_))
}

fn in_yaml(entries: &[yaml::Entry]) -> Result<String, Failure> {
    yaml::write(entries).map_err(|error| Failure::refused(format!("cannot write YAML: {error}")))
}

fn save(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::refused(format!("cannot write {}: {error}", path.display()));
    std::fs::write(path, text).map_err(failed)
}
