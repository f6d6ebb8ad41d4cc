//! Which configurations are compared, and the rows of earlier comparisons.

use super::Runner;
use crate::args::{AUTO, BenchArgs, Cli, Command};
use crate::commands::check;
use crate::failure::Failure;
use crate::output::complain;
use crate::pipeline;
use bench::{Config, Peer, Peers, Record, Tool};
use clap::{CommandFactory, FromArgMatches};
use process::Limits;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use verdict::Budget;

/// The configurations that were asked for. Errors in one are reported before anything runs.
pub fn wanted(args: &BenchArgs, runner: &Runner) -> Result<Vec<Config>, Failure> {
    let mut configs: Vec<Config> = args.engine.iter().map(|engine| plain(engine)).collect();
    for text in &args.config {
        let config = Config::parse(text);
        configs.push(config.map_err(|why| Failure::usage(format!("--config: {why}")))?);
    }
    configs.extend(peers(args)?);
    if configs.is_empty() {
        configs.push(plain(AUTO));
    }
    let mut names = HashSet::new();
    for config in &configs {
        let name = &config.name;
        if !names.insert(name) {
            return Err(Failure::usage(format!(
                "two configurations are called {name}"
            )));
        }
        if let Tool::Own(options) = &config.tool {
            proper(name, runner.sample(options))?;
        }
    }
    if args.evidence.is_some() && (configs.len() > 1 || args.repeat > 1) {
        let what = "--evidence needs a single configuration and no --repeat";
        return Err(Failure::usage(what));
    }
    Ok(configs)
}

fn plain(engine: &str) -> Config {
    Config::own(engine, &["--engine", engine])
}

/// Is this a call of `mazurka check` that would run?
fn proper(name: &str, words: Vec<OsString>) -> Result<(), Failure> {
    let wrong = |what: &str| {
        let what = anstream::adapter::strip_str(what).to_string();
        // The first line says what is wrong; the help below it is that of another command.
        let what = what.lines().next().unwrap_or("");
        let what = what.strip_prefix("error: ").unwrap_or(what);
        Failure::usage(format!("configuration {name}: {what}"))
    };
    let words = std::iter::once(OsString::from("mazurka")).chain(words);
    // What the suite decides is not for a configuration to say as well.
    let once = Cli::command().mut_subcommand("check", |check| check.args_override_self(false));
    let matches = once.try_get_matches_from(words);
    let cli = matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    let cli = cli.map_err(|error| wrong(&error.to_string()))?;
    let Command::Check(check) = cli.command else {
        return Err(wrong("these are no options of `mazurka check`"));
    };
    if check.program.files.len() != 1 {
        return Err(wrong("options only: the files come from the tasks"));
    }
    let ready = pipeline::property(check.asked(), &check.program.reading.entry)
        .and_then(|property| check::plan(&check, &[property], &Budget::unlimited()));
    ready.map(drop).map_err(|failure| wrong(&failure.message))
}

/// The other verifiers, each of which must be there.
fn peers(args: &BenchArgs) -> Result<Vec<Config>, Failure> {
    let mut known = Peers::built_in();
    if let Some(path) = &args.peers {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Failure::refused(format!("cannot read {}: {error}", path.display()))
        })?;
        known
            .add(&text)
            .map_err(|why| Failure::refused(format!("{}: {why}", path.display())))?;
    }
    let config = |name: &String| {
        let peer = known.get(name).map_err(Failure::usage)?;
        let program = peer.find().map_err(Failure::refused)?;
        if let Some(version) = version(&peer, &program) {
            complain(&format!(
                "note: {name} is {} ({version})\n",
                program.display()
            ));
        }
        Ok(Config {
            name: name.clone(),
            tool: Tool::Peer(peer),
        })
    };
    args.with.iter().map(config).collect()
}

/// What a tool says about its version, in one line.
fn version(peer: &Peer, program: &Path) -> Option<String> {
    if peer.version.is_empty() {
        return None;
    }
    let limits = Limits {
        wall: Duration::from_secs(20),
        cpu: None,
        memory: 2 << 30,
    };
    let mut command = std::process::Command::new(program);
    command.args(&peer.version);
    let finished = process::run(&mut command, &limits, &AtomicBool::new(false)).ok()?;
    let output = finished.stdout + &finished.stderr;
    let mut lines = output.lines().map(str::trim);
    lines.find(|line| !line.is_empty()).map(str::to_owned)
}

/// The rows of several files. Configurations with the same name in two files are distinguished by the
/// name of the file.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Record>, Failure> {
    let mut all: Vec<Record> = Vec::new();
    for path in paths {
        let read = bench::read(path);
        let mut rows = read.map_err(|error| Failure::refused(error.to_string()))?;
        let taken: HashSet<String> = all.iter().map(|row| row.config.clone()).collect();
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        for row in rows.iter_mut().filter(|row| taken.contains(&row.config)) {
            row.config = format!("{file}: {}", row.config);
        }
        all.append(&mut rows);
    }
    Ok(all)
}
