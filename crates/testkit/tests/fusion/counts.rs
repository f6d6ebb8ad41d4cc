//! The number of executions of random programs is the number of their classes.

use crate::classes::count_classes;
use crate::{count, small, task};
use fusion::Dpor;
use semantics::Machine;
use testkit::{Profile, Program, from_environment, generate, shrink};
use verdict::Property;

/// What was found out about one program.
#[derive(Default)]
struct Tally {
    counted: u64,
    skipped: u64,
    classes: u64,
    redundant: u64,
}

fn compare_counts(program: &Program, tally: &mut Tally) -> Result<(), String> {
    let task = task(&program.to_string(), Property::Reach);
    let (verdict, executions, blocked) = count(&task, Dpor::Optimal, 1);
    if verdict != "safe" {
        return Ok(());
    }
    let machine = Machine::new(&task.xcfa, task.property);
    let Some(classes) = count_classes(&machine) else {
        tally.skipped += 1;
        return Ok(());
    };
    tally.counted += 1;
    tally.classes += classes;
    tally.redundant += blocked;
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
    Ok(())
}

fn counts(profile: &Profile, share: u64) -> Tally {
    let count = from_environment("MAZURKA_RANDOM_PROGRAMS", 300) * share / 100;
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let program = generate(seed, profile);
        if let Err(found) = compare_counts(&program, &mut tally) {
            let failing = |program: &Program| compare_counts(program, &mut Tally::default()).err();
            let small = shrink(&program, &mut |program| failing(program).is_some());
            let now = failing(&small).unwrap_or_default();
            panic!("seed {seed}: {found}\nafter shrinking {now}\n{small}");
        }
    }
    println!(
        "{} programs counted ({} too large), {} classes, {} redundant executions",
        tally.counted, tally.skipped, tally.classes, tally.redundant
    );
    tally
}

#[test]
fn optimal_runs_every_class_once() {
    let tally = counts(&small(), 70);
    assert!(tally.counted > 0, "no program was small enough");
}

#[test]
fn optimal_runs_every_class_once_with_inputs() {
    let profile = Profile {
        statements: 3,
        min_threads: 2,
        ..Profile::with_inputs()
    };
    let tally = counts(&profile, 30);
    assert!(tally.counted > 0, "no program was small enough");
}
