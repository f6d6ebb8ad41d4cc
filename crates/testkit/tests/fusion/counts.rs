//! The number of executions of random programs is the number of their classes.

use crate::classes::count_classes;
use crate::{count, small, task};
use fusion::Dpor;
use generator::{Profile, Program};
use semantics::Machine;
use testkit::{judge_random, seeds};
use verdict::Property;

/// How many classes of executions a program has; `None` if it has an error or too many.
fn compare_counts(program: &Program) -> Result<Option<u64>, String> {
    let task = task(&program.to_string(), Property::Reach);
    let (verdict, executions, _) = count(&task, Dpor::Optimal, 1);
    if verdict != "safe" {
        return Ok(None);
    }
    let machine = Machine::new(&task.xcfa, task.property);
    let Some(classes) = count_classes(&machine) else {
        return Ok(None);
    };
    if executions != classes {
        return Err(format!("{classes} classes, but optimal runs {executions}"));
    }
    for jobs in [2, 3] {
        let (verdict, executions, _) = count(&task, Dpor::Optimal, jobs);
        if verdict != "safe" || executions != classes {
            return Err(format!("{classes} classes, {jobs} jobs run {executions}"));
        }
    }
    for (dpor, jobs) in [(Dpor::Source, 1), (Dpor::Source, 2), (Dpor::Classic, 1)] {
        let (_, executions, _) = count(&task, dpor, jobs);
        if executions < classes {
            return Err(format!("{classes} classes, but {dpor:?} runs {executions}"));
        }
    }
    Ok(Some(classes))
}

fn counts(profile: &Profile, share: u64) {
    let judge = |_, program: &Program| compare_counts(program);
    let classes = judge_random(seeds(share), profile, judge);
    let counted = classes.iter().flatten().count();
    println!("{counted} programs counted");
    assert!(counted > 0, "no program was small enough");
}

#[test]
fn optimal_runs_every_class_once() {
    counts(&small(), 70);
}

#[test]
fn optimal_runs_every_class_once_with_inputs() {
    let profile = Profile {
        statements: 3,
        min_threads: 2,
        ..Profile::with_inputs()
    };
    counts(&profile, 30);
}
