//! Running checks, and those that have ended lately.

use crate::config::Config;
use driver::screen;
use process::{Ended, Finished, Limits, run_heard};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::watch;

/// Reports of this many checks are kept.
const MOST_KEPT: usize = 16;
/// Longer reports are dropped: loading them takes too long.
const MOST_REPORT: u64 = 32 << 20;
/// A longer message is unreadable.
const MOST_MESSAGE: usize = 64 << 10;
/// The file that a program is written to; places in messages begin with it.
const FILE: &str = "program.c";
const PROGRESS: &str = "progress: ";

/// What the user wants to check.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    pub source: String,
    pub property: String,
    pub engine: String,
}

/// Why it is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denied {
    /// It makes no sense; with the line of the program that is to blame.
    Bad(String, Option<usize>),
    /// The program is too large.
    TooLarge(String),
    /// There are enough checks already, or the server is about to end.
    Busy(String),
}

/// How a check ended.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Done {
    /// `safe`, `unsafe`, `unknown`, or nothing if it came to no verdict.
    pub verdict: Option<String>,
    /// What there is to say.
    pub message: String,
    /// The line of the program that the message is about.
    pub line: Option<usize>,
    /// Is there a report?
    pub has_report: bool,
    /// Of several properties, the answer to each; otherwise the only one.
    pub answers: Vec<Answer>,
}

/// The answer about one property.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The property.
    pub property: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    /// What there is to say.
    pub message: String,
    /// The line of the program that the message is about.
    pub line: Option<usize>,
    /// Is there a report?
    pub has_report: bool,
    #[serde(skip)]
    report: String,
}

/// How far a check is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub text: String,
    pub done: Option<Arc<Done>>,
}

/// One check.
#[derive(Debug)]
pub struct Check {
    stop: AtomicBool,
    progress: watch::Sender<Progress>,
}

impl Check {
    /// Asks it to end; it will be done within a moment.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// A receiver of its progress.
    pub fn follow(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// The page about a property, if there is one.
    pub fn report(&self, property: &str) -> Option<String> {
        let done = self.progress.borrow().done.clone()?;
        let mut answers = done.answers.iter().filter(|it| it.has_report);
        let answer = answers.find(|it| it.property == property)?;
        Some(answer.report.clone())
    }
}

/// All checks.
#[derive(Debug)]
pub struct Checks {
    pub config: Config,
    inner: Mutex<Inner>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    last: u64,
    known: BTreeMap<u64, Arc<Check>>,
    running: usize,
    closed: bool,
}

impl Checks {
    pub fn new(config: Config) -> Checks {
        Checks {
            config,
            inner: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    /// Starts a check and tells its number.
    pub fn start(self: &Arc<Checks>, request: Request) -> Result<u64, Denied> {
        self.accept(&request)?;
        let mut inner = self.lock();
        if inner.closed {
            return Err(Denied::Busy("the server is about to end".into()));
        }
        if inner.running >= self.config.most_checks {
            let running = inner.running;
            let what = format!("{running} checks are running already; wait for one, or cancel it");
            return Err(Denied::Busy(what));
        }
        inner.running += 1;
        inner.last += 1;
        let number = inner.last;
        let (progress, _) = watch::channel(Progress::default());
        let stop = AtomicBool::new(false);
        let check = Arc::new(Check { stop, progress });
        inner.known.insert(number, check.clone());
        while inner.known.len() > MOST_KEPT.max(2 * self.config.most_checks) {
            inner.known.pop_first();
        }
        drop(inner);
        let checks = self.clone();
        std::thread::spawn(move || {
            let done = checks.work(&check, &request);
            // A client that receives the end may start another check at once.
            checks.lock().running -= 1;
            let ended = |progress: &mut Progress| progress.done = Some(Arc::new(done));
            check.progress.send_modify(ended);
            checks.ended.notify_all();
        });
        Ok(number)
    }

    /// The check of that number, if it is still known.
    pub fn get(&self, number: u64) -> Option<Arc<Check>> {
        self.lock().known.get(&number).cloned()
    }

    /// Cancels all checks and accepts no more.
    pub fn close(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.known.values().for_each(|check| check.cancel());
    }

    /// Waits for the end of all checks.
    pub fn wait_until_idle(&self) {
        let inner = self.lock();
        drop(self.ended.wait_while(inner, |inner| inner.running > 0));
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No thread panics while holding this; if one did, the numbers would still be valid.
        self.inner.lock().unwrap_or_else(|held| held.into_inner())
    }

    fn accept(&self, request: &Request) -> Result<(), Denied> {
        let Request {
            source,
            property,
            engine,
        } = request;
        let most = self.config.most_bytes;
        if source.len() > most {
            let what = format!("the program has {} bytes, at most {most}", source.len());
            return Err(Denied::TooLarge(what + " are accepted"));
        }
        let mut known = self.config.properties.iter();
        if !known.any(|known| known.name == property) {
            return Err(Denied::Bad(
                format!("no property is called `{property}`"),
                None,
            ));
        }
        if !self.config.engines.contains(&engine.as_str()) {
            return Err(Denied::Bad(format!("no engine is called `{engine}`"), None));
        }
        screen(source).map_err(|refused| Denied::Bad(refused.what, Some(refused.line)))
    }

    /// Runs `mazurka check` in a folder of its own.
    fn work(&self, check: &Arc<Check>, request: &Request) -> Done {
        let failed = |what: String| Done {
            message: what,
            ..Done::default()
        };
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => return failed(format!("cannot make a temporary folder: {error}")),
        };
        if let Err(error) = std::fs::write(folder.path().join(FILE), &request.source) {
            return failed(format!("cannot write the program: {error}"));
        }
        let mut command = self.command(request, folder.path());
        let teller = check.clone();
        let heard = move |line: &str| {
            if let Some(text) = line.strip_prefix(PROGRESS) {
                let told = |progress: &mut Progress| progress.text = text.to_owned();
                teller.progress.send_modify(told);
            }
        };
        match run_heard(&mut command, &self.limits(), &check.stop, heard) {
            Ok(finished) => self.outcome(&finished, folder.path()),
            Err(error) => failed(format!("cannot start the check: {error}")),
        }
    }

    fn command(&self, request: &Request, folder: &Path) -> Command {
        let mut command = Command::new(&self.config.checker);
        // The compiler obeys variables such as CPATH: none but these are passed on.
        command.env_clear();
        for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        command
            .env("TMPDIR", folder)
            .env("MAZURKA_PROGRESS", "lines")
            .current_dir(folder)
            .args(["check", "--untrusted", "--format", "json"])
            .args(["--html", "report.html"])
            .args(["--property", &request.property])
            .args(["--engine", &request.engine])
            .args(["--timeout", &self.config.timeout.as_secs_f64().to_string()])
            .args(["--memory", &self.config.memory.to_string()])
            .arg(FILE);
        command
    }

    /// A check ends by itself at its limits; these are for one that does not.
    fn limits(&self) -> Limits {
        Limits {
            wall: self.config.timeout + Duration::from_secs(15),
            cpu: None,
            memory: (self.config.memory + self.config.memory / 4 + 256) << 20,
        }
    }

    fn outcome(&self, finished: &Finished, folder: &Path) -> Done {
        let said = finished.stderr.lines();
        let said: Vec<&str> = said.filter(|line| !line.starts_with(PROGRESS)).collect();
        let said = said.join("\n");
        let message = match finished.ended {
            Ended::Exit(0..=2) => return verdict(&finished.stdout, folder),
            Ended::Exit(_) if !said.is_empty() => said,
            Ended::OutOfTime => format!("stopped after {:?}", self.config.timeout),
            Ended::OutOfMemory => format!("stopped: more than {} MiB", self.config.memory),
            Ended::Stopped => "cancelled".into(),
            Ended::Exit(status) => format!("the check ended with status {status}"),
            Ended::Signal(signal) => format!("the check was ended by signal {signal}"),
        };
        Done {
            line: line_of(&message),
            message: shortened(message),
            ..Done::default()
        }
    }
}

fn shortened(mut message: String) -> String {
    if message.len() > MOST_MESSAGE {
        let cut = message.floor_char_boundary(MOST_MESSAGE);
        message.truncate(cut);
        message += "\n(and more)";
    }
    message
}

/// What was said about each property, in a line each. The worst counts.
fn verdict(stdout: &str, folder: &Path) -> Done {
    let said: Vec<Value> = stdout
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let several = said.len() > 1;
    let answers = said.iter();
    let answers: Vec<Answer> = answers.map(|said| answer(said, folder, several)).collect();
    let with = |verdict: &str| answers.iter().find(|it| it.verdict == verdict);
    let worst = with("unsafe").or_else(|| with("unknown"));
    match worst.or(answers.first()).cloned() {
        Some(worst) => Done {
            verdict: Some(worst.verdict),
            message: worst.message,
            line: worst.line,
            has_report: worst.has_report,
            answers,
        },
        None => Done {
            message: "the check gave no answer".into(),
            ..Done::default()
        },
    }
}

fn answer(said: &Value, folder: &Path, several: bool) -> Answer {
    let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
    let property = text("property");
    let report = folder.join(match several {
        true => format!("report-{property}.html"),
        false => "report.html".to_owned(),
    });
    let small = std::fs::metadata(&report).is_ok_and(|file| file.len() <= MOST_REPORT);
    let report = small.then(|| std::fs::read_to_string(report).ok());
    let report = report.flatten();
    let line = said["failure"]["place"]["line"].as_u64().or_else(|| {
        let last = said["trace"]["steps"].as_array()?.last()?;
        last["line"].as_u64()
    });
    Answer {
        property,
        verdict: text("verdict"),
        message: shortened(text("reason")),
        line: line.map(|line| line as usize),
        has_report: report.is_some(),
        report: report.unwrap_or_default(),
    }
}

/// The line in the first `program.c:12` of a message.
fn line_of(message: &str) -> Option<usize> {
    let (_, rest) = message.split_once(&format!("{FILE}:"))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut() {
        let long = shortened("é".repeat(MOST_MESSAGE));
        assert!(long.len() < MOST_MESSAGE + 100 && long.ends_with("(and more)"));
        assert_eq!(shortened("short".into()), "short");
    }

    #[test]
    fn messages_name_their_line() {
        assert_eq!(line_of("error: x\n --> program.c:8:5"), Some(8));
        assert_eq!(line_of("program.c:3:10: fatal error"), Some(3));
        assert_eq!(line_of("out of time"), None);
    }
}
