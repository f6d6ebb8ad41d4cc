//! One check: a child process, and what it says.

use crate::document::Document;
use crate::settings::Settings;
use process::{Ended, Limits, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tempfile::TempDir;

/// A check ends by itself at the limit of the settings; this is for one that does not.
const MOST_TIME: Duration = Duration::from_secs(3600);
const MOST_MEMORY: u64 = 8 << 30;

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Request {
    /// The text.
    pub document: Document,
    /// Where it starts.
    pub entry: String,
    /// How.
    pub settings: Settings,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// An object for each property, or one that says why the program is refused.
    pub answers: Vec<Value>,
    /// The file that was checked, as answers name it.
    pub checked: PathBuf,
    /// What went wrong with the check itself.
    pub failed: Option<String>,
}

impl Request {
    /// Checks all properties, until `stop` is set.
    pub fn run(&self, checker: &Path, stop: &AtomicBool) -> Outcome {
        let checked = self.written();
        let failed = |what: String| Outcome {
            answers: Vec::new(),
            checked: PathBuf::new(),
            failed: Some(what),
        };
        let (folder, file) = match checked {
            Ok(checked) => checked,
            Err(error) => return failed(format!("cannot write a temporary file: {error}")),
        };
        let mut command = self.command(checker, &file, &self.settings.property);
        command.args(["--format", "json", "--all-findings"]);
        let finished = match run(&mut command, &limits(), stop) {
            Ok(finished) => finished,
            Err(error) => return failed(format!("cannot start the check: {error}")),
        };
        drop(folder);
        let lines = finished.stdout.lines();
        let answers: Vec<Value> = lines
            .filter_map(|it| serde_json::from_str(it).ok())
            .collect();
        let failed = match (&finished.ended, answers.is_empty()) {
            (Ended::Stopped, _) | (_, false) => None,
            _ if finished.stderr.trim().is_empty() => Some("the check gave no answer".to_owned()),
            _ => Some(finished.stderr.trim().to_owned()),
        };
        Outcome {
            answers,
            checked: file,
            failed,
        }
    }

    /// The page of a finding, by its number from 1.
    pub fn page(&self, checker: &Path, property: &str, number: usize) -> Result<String, String> {
        let (folder, file) = self.written().map_err(|error| error.to_string())?;
        let page = folder.path().join("page.html");
        let mut command = self.command(checker, &file, property);
        command.args(["--all-findings", "--html"]).arg(&page);
        let finished = run(&mut command, &limits(), &AtomicBool::new(false));
        let finished = finished.map_err(|error| error.to_string())?;
        let wanted = match number {
            0 | 1 => page,
            other => folder.path().join(format!("page-{other}.html")),
        };
        std::fs::read_to_string(wanted).map_err(|_| match finished.stderr.trim() {
            "" => "there is no such schedule any more".to_owned(),
            said => said.to_owned(),
        })
    }

    /// The text in a file of its own, under its own name: what is in the editor need not be on the disk.
    fn written(&self) -> std::io::Result<(TempDir, PathBuf)> {
        let folder = tempfile::tempdir()?;
        let path = self.document.path();
        let stem = path.file_stem().unwrap_or_default();
        let file = folder.path().join(stem).with_extension("c");
        std::fs::write(&file, &self.document.text)?;
        Ok((folder, file))
    }

    fn command(&self, checker: &Path, file: &Path, property: &str) -> Command {
        let path = self.document.path();
        let mut command = Command::new(checker);
        // Headers beside the file are found as if the text were there.
        if let Some(beside) = path.parent().filter(|folder| folder.is_dir()) {
            command
                .current_dir(beside)
                .arg("check")
                .arg("-I")
                .arg(beside);
        } else {
            command.arg("check");
        }
        command.args(["--property", property, "--entry", &self.entry]);
        command.args(["--timeout", &self.settings.timeout]);
        command.args(&self.settings.arguments).arg(file);
        command
    }
}

fn limits() -> Limits {
    Limits {
        wall: MOST_TIME,
        cpu: None,
        memory: MOST_MEMORY,
    }
}
