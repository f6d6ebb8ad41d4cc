//! Another solver of Horn clauses, as a process.
//!
//! It gets the clauses as a file in SMT-LIB, the name of which is put behind its arguments, and
//! prints `sat`, `unsat` or `unknown`, and after `sat` a solution. Its answer is no proof: a solution is
//! read and checked, clause by clause.

use expr::{Term, Terms};
use smt::horn::{HornSystem, is_solution, read_solution};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use verdict::Budget;

/// How often to check whether the process has ended.
const INTERVAL: Duration = Duration::from_millis(10);

/// What came of it.
pub enum Answer {
    /// A solution, checked.
    Solution(Vec<Term>),
    /// It says that there is none.
    NoSolution,
    /// There is no answer, and why.
    Nothing(String),
}

/// Asks the command; it is stopped when the time is over.
pub fn ask(terms: &mut Terms, system: &HornSystem, command: &str, budget: &Budget) -> Answer {
    let output = match output(terms, system, command, budget) {
        Ok(output) => output,
        Err(why) => return Answer::Nothing(why),
    };
    let mut words = output.lines().map(str::trim);
    match words.find(|line| !line.is_empty()) {
        Some("sat") => checked(terms, system, command, &output, budget),
        Some("unsat") => Answer::NoSolution,
        Some(other) => Answer::Nothing(format!("{command} says: {other}")),
        None => Answer::Nothing(format!("{command} says nothing")),
    }
}

fn checked(
    terms: &mut Terms,
    system: &HornSystem,
    command: &str,
    output: &str,
    budget: &Budget,
) -> Answer {
    let says = format!("{command} says that the clauses have a solution");
    let solution = match read_solution(terms, system, output) {
        Ok(solution) => solution,
        Err(why) => return Answer::Nothing(format!("{says}, but it cannot be read: {why}")),
    };
    match is_solution(terms, system, &solution, budget.remaining()) {
        true => Answer::Solution(solution),
        false => Answer::Nothing(format!("{says}, but the one it shows does not check")),
    }
}

/// Whatever the command prints.
fn output(
    terms: &Terms,
    system: &HornSystem,
    command: &str,
    budget: &Budget,
) -> Result<String, String> {
    let text = system.to_smtlib(terms)? + "(get-model)\n";
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let clauses = folder.path().join("clauses.smt2");
    let printed = folder.path().join("output");
    std::fs::write(&clauses, text).map_err(|error| error.to_string())?;
    let file = File::create(&printed).map_err(|error| error.to_string())?;
    let mut child = start(command, &clauses, file)?;
    let status = loop {
        match child.try_wait() {
            Err(error) => return Err(error.to_string()),
            Ok(Some(status)) => break status,
            Ok(None) if budget.exceeded(0).is_some() => {
                stop(&mut child);
                return Err(format!("{command}: out of time"));
            }
            Ok(None) => std::thread::sleep(INTERVAL),
        }
    };
    let output = std::fs::read(&printed).map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&output).into_owned();
    match output.trim().is_empty() && !status.success() {
        true => Err(format!("{command} failed: {status}")),
        false => Ok(output),
    }
}

fn start(command: &str, clauses: &Path, printed: File) -> Result<Child, String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or("the command of a solver is empty")?;
    Command::new(program)
        .args(words)
        .arg(clauses)
        .stdin(Stdio::null())
        .stdout(printed)
        .stderr(Stdio::null())
        // What it starts itself is stopped with it.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot run {program}: {error}"))
}

/// Stops the process and those that it has started.
fn stop(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    let _ = child.kill();
    let _ = child.wait();
}
