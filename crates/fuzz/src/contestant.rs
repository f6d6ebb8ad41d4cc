//! A participant: an engine with settings.

use crate::message::{Who, Word};
use driver::Registry;
use engine::Options;
use process::Limits;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use verdict::{Answer, Budget, Preparation, Property, Task};
use xcfa::SourceFile;

/// An engine with settings.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The engine.
    pub engine: &'static str,
    /// Settings as the command line spells them.
    pub settings: Vec<String>,
    /// What is done to the program before.
    pub preparation: Preparation,
    /// How it is asked.
    pub how: How,
}

/// How one participant is run.
#[derive(Clone, Debug)]
pub enum How {
    /// An engine, with options.
    Engine(Options),
    /// The whole command, as a user runs it.
    Command(PathBuf),
}

/// What one participant answers.
pub enum Said {
    /// With evidence that can be checked here.
    Answer(Box<Answer>),
    /// By the exit status of a command.
    Word(Word),
    /// The command crashed.
    Crash(String),
}

impl Contestant {
    /// The judge: every other answer is compared with it, too.
    pub fn reference() -> Contestant {
        Contestant {
            engine: "explore",
            settings: Vec::new(),
            preparation: Preparation::Full,
            how: How::Engine(Options::default()),
        }
    }

    /// Engine and settings.
    pub fn who(&self) -> Who {
        Who {
            name: self.engine.to_owned(),
            settings: self.settings.clone(),
        }
    }

    /// Its answer about a task, or about the files of the program.
    pub fn ask(&self, task: &Task, files: &[SourceFile], budget: &Budget, limit: Duration) -> Said {
        let options = match &self.how {
            How::Engine(options) => options,
            How::Command(program) => return self.run(program, task.property, files, limit),
        };
        let registry = Registry::standard();
        match registry.configure(Some(self.engine), task.property, options) {
            Ok(checkers) => Said::Answer(Box::new(checkers.ask(self.engine, task, budget))),
            Err(bad) => Said::Crash(bad.to_string()),
        }
    }

    fn run(
        &self,
        program: &PathBuf,
        property: Property,
        files: &[SourceFile],
        limit: Duration,
    ) -> Said {
        let Ok(folder) = tempfile::tempdir() else {
            return Said::Word(Word::Unknown);
        };
        let mut command = Command::new(program);
        command.arg("check");
        for (at, file) in files.iter().enumerate() {
            let path = folder.path().join(format!("program{at}.c"));
            if std::fs::write(&path, &file.text).is_err() {
                return Said::Word(Word::Unknown);
            }
            command.arg(path);
        }
        command.args(["--property", property.name(), "--cores", "1", "--timeout"]);
        command.arg(limit.as_secs_f64().to_string());
        command.args(self.settings.iter().flat_map(|setting| setting.split(' ')));
        let limits = Limits {
            // A busy machine is no fault; a command that hangs is.
            wall: limit * 2 + Duration::from_secs(60),
            cpu: None,
            memory: 4 << 30,
        };
        let Ok(finished) = process::run(&mut command, &limits, &AtomicBool::new(false)) else {
            return Said::Word(Word::Unknown);
        };
        match finished.ended {
            process::Ended::Exit(0) => Said::Word(Word::Safe),
            process::Ended::Exit(1) => Said::Word(Word::Unsafe),
            // Also what it refuses, with a reason.
            process::Ended::Exit(2 | 65) => Said::Word(Word::Unknown),
            how => Said::Crash(format!("{how:?}: {}", finished.stderr.trim())),
        }
    }
}
