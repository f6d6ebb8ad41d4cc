//! Who answers: an engine with settings.

use process::Limits;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use testkit::Preparation;
use verdict::{Answer, Budget, Property, Task};

/// An engine with settings.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// The engine.
    pub engine: &'static str,
    /// Settings as the command line spells them.
    pub settings: Vec<String>,
    /// What is done to the program before.
    pub preparation: Preparation,
    /// The same settings as the engine wants them.
    pub how: How,
}

/// The settings of an engine.
#[derive(Clone, Debug)]
pub enum How {
    /// Exhaustive exploration.
    Explore(explore::Config),
    /// Bounded model checking.
    Bmc(bmc::Config),
    /// Abstraction refinement.
    Cegar(cegar::Config),
    /// Horn clauses.
    Horn(horn::Config),
    /// Executions and their other orders.
    Fusion(fusion::Config),
    /// Abstract matching.
    Matching(matching::Config),
    /// Locks.
    Lockset,
    /// The whole command, as a user runs it.
    Auto(PathBuf),
}

/// What somebody answers.
pub enum Said {
    /// With evidence that can be checked here.
    Answer(Box<Answer>),
    /// By the exit status of a command.
    Word(&'static str),
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
            how: How::Explore(explore::Config::default()),
        }
    }

    /// Engine and settings.
    pub fn name(&self) -> String {
        let mut name = self.engine.to_owned();
        self.settings.iter().for_each(|part| {
            name.push(' ');
            name.push_str(part);
        });
        name
    }

    /// Its answer about a task, or about the text of the program.
    pub fn ask(&self, task: &Task, text: &str, budget: &Budget, limit: Duration) -> Said {
        let answer = match &self.how {
            How::Explore(config) => explore::check(task, config, budget, &mut |_| ()),
            How::Bmc(config) => bmc::check(task, config, budget),
            How::Cegar(config) => cegar::check(task, config, budget),
            How::Horn(config) => horn::check(task, config, budget),
            How::Fusion(config) => fusion::check(task, config, budget),
            How::Matching(config) => matching::check(task, config, budget),
            How::Lockset => lockset::check(task, budget),
            How::Auto(program) => return self.run(program, task.property, text, limit),
        };
        Said::Answer(Box::new(answer))
    }

    /// Runs the command on a file.
    fn run(&self, program: &PathBuf, property: Property, text: &str, limit: Duration) -> Said {
        let file = tempfile::Builder::new().suffix(".c").tempfile();
        let Ok(file) = file else {
            return Said::Word("unknown");
        };
        if std::fs::write(file.path(), text).is_err() {
            return Said::Word("unknown");
        }
        let mut command = Command::new(program);
        command.arg("check").arg(file.path());
        command.args(["--property", property.name(), "--cores", "1", "--timeout"]);
        command.arg(limit.as_secs_f64().to_string());
        command.args(self.settings.iter().flat_map(|setting| setting.split(' ')));
        let limits = Limits {
            wall: limit * 2 + Duration::from_secs(5),
            cpu: None,
            memory: 4 << 30,
        };
        let Ok(finished) = process::run(&mut command, &limits, &AtomicBool::new(false)) else {
            return Said::Word("unknown");
        };
        match finished.ended {
            process::Ended::Exit(0) => Said::Word("safe"),
            process::Ended::Exit(1) => Said::Word("unsafe"),
            process::Ended::Exit(2) => Said::Word("unknown"),
            how => Said::Crash(format!("{how:?}: {}", finished.stderr.trim())),
        }
    }
}
