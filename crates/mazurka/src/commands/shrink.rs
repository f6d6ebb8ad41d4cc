//! `mazurka shrink`: smaller constants for which a program is answered.
//!
//! All constants above a number become that number, for smaller and smaller numbers, until there is an answer. Then each
//! constant alone gets its own value back if there is an answer all the same.

use super::check::budget;
use crate::args::{LimitArgs, ShrinkArgs};
use crate::failure::{Exit, Failure};
use crate::{output, pipeline};
use driver::{Constant, Plan, Reading, Smaller};
use std::fmt::Write;
use verdict::{Property, Task, Verdict};

/// The largest values that are tried, one after the other.
const LEVELS: [u64; 5] = [8, 4, 3, 2, 1];

/// Runs the command.
pub fn run(args: &ShrinkArgs) -> Result<Exit, Failure> {
    let property = pipeline::property(&args.property, &args.program.reading.entry)?;
    pipeline::refuse_weak_memory(property)?;
    pipeline::read(&args.program)?;
    let reading = Reading::from(&args.program.reading);
    let known = |constant: &Constant| reading.shrink.iter().any(|it| it.name == constant.name);
    let mut constants = driver::constants(&args.program.files, &reading)?;
    constants.retain(|constant| !known(constant));
    let search = Search {
        args,
        property,
        reading,
        constants,
    };
    match search.answered()? {
        Some((smaller, verdict)) => {
            output::print(&search.proposal(&smaller, &verdict));
            Ok(Exit::Safe)
        }
        None => {
            output::print(&format!(
                "no answer to {property}, whatever the constants: try a longer --timeout\n"
            ));
            Ok(Exit::Unknown)
        }
    }
}

struct Search<'a> {
    args: &'a ShrinkArgs,
    property: Property,
    reading: Reading,
    constants: Vec<Constant>,
}

impl Search<'_> {
    /// Smaller constants with which there is an answer, as few of them as possible, and the answer.
    fn answered(&self) -> Result<Option<(Vec<Smaller>, Verdict)>, Failure> {
        let mut tried: Vec<Vec<Smaller>> = Vec::new();
        let levels = LEVELS.map(|level| self.at_most(level));
        for smaller in [Vec::new()].into_iter().chain(levels) {
            if tried.contains(&smaller) {
                continue;
            }
            if let Some(verdict) = self.answer(&smaller)? {
                return self.with_own_values(smaller, verdict).map(Some);
            }
            tried.push(smaller);
        }
        Ok(None)
    }

    fn at_most(&self, level: u64) -> Vec<Smaller> {
        let large = self.constants.iter().filter(|it| it.value > level);
        let smaller = large.map(|it| Smaller {
            name: it.name.clone(),
            value: level,
        });
        smaller.collect()
    }

    /// Gives constants their own values back, as long as there is an answer.
    fn with_own_values(
        &self,
        mut smaller: Vec<Smaller>,
        mut verdict: Verdict,
    ) -> Result<(Vec<Smaller>, Verdict), Failure> {
        for constant in &self.constants {
            let mut fewer = smaller.clone();
            fewer.retain(|it| it.name != constant.name);
            if fewer.len() < smaller.len()
                && let Some(found) = self.answer(&fewer)?
            {
                (smaller, verdict) = (fewer, found);
            }
        }
        Ok((smaller, verdict))
    }

    fn answer(&self, smaller: &[Smaller]) -> Result<Option<Verdict>, Failure> {
        let mut reading = self.reading.clone();
        reading.shrink.extend(smaller.iter().cloned());
        let program = driver::read(&self.args.program.files, &reading)?;
        // A value can be too small for the program to make sense.
        let Ok(task) = Task::prepare(&program, self.property) else {
            return Ok(None);
        };
        let memory = self.args.memory;
        let limits = LimitArgs {
            timeout: Some(self.args.timeout),
            memory,
        };
        let plan = Plan {
            memory,
            ..Plan::default().with_budget(budget(&limits))
        };
        let outcome = driver::check(&task, &plan);
        let outcome = outcome.map_err(|error| Failure::usage(error.to_string()))?;
        Ok(match outcome.verdict() {
            Verdict::Unknown(_) => None,
            answer => Some(answer.clone()),
        })
    }

    /// What to do, what it gives, and what it does not.
    fn proposal(&self, smaller: &[Smaller], verdict: &Verdict) -> String {
        let property = self.property;
        let is_safe = matches!(verdict, Verdict::Safe(_));
        let word = if is_safe { "safe" } else { "unsafe" };
        if smaller.is_empty() {
            return format!("{property} is answered with the constants as they are: {word}\n");
        }
        let files = self.args.program.files.iter();
        let files: Vec<String> = files.map(|file| file.display().to_string()).collect();
        let mut text = format!("mazurka check --property {property}");
        for it in smaller {
            let _ = write!(text, " --shrink {}={}", it.name, it.value);
        }
        let _ = writeln!(text, " {}\n  gives {word}", files.join(" "));
        for it in smaller {
            let own = self.constants.iter().find(|own| own.name == it.name);
            if let Some(Constant { value, place, .. }) = own {
                let (file, line) = place;
                let _ = writeln!(text, "  {} is {value} at {file}:{line}", it.name);
            }
        }
        text += match is_safe {
            true => {
                "not covered: whatever needs more than these numbers, such as an error that only more threads, more items \
                 or a larger buffer show\n"
            }
            false => {
                "look at the schedule: an error of the smaller program need not be one of the program as it is\n"
            }
        };
        text
    }
}
