//! Leaving out what the solver shows to be free of errors.

use crate::{TIMEOUT, explore, small, task};
use fusion::{Config, Dpor};
use generator::{Extra, Profile, Program};
use testkit::{agrees, budget, check, judge_random, seeds, solved, workspace_dir};
use verdict::{Budget, Preparation, Property};
use xcfa::SourceFile;

/// With pruning, the verdicts agree with the exploration of all states; how many points were
/// pruned?
fn same_verdicts_pruned(program: &Program) -> Result<u64, String> {
    let text = program.to_string();
    let file = SourceFile::new("random.i", text.clone());
    let expected = check(file, Property::Reach, Preparation::Full, TIMEOUT)?;
    let task = task(&text, Property::Reach);
    let mut pruned = 0;
    for dpor in [Dpor::Optimal, Dpor::Source, Dpor::None] {
        let config = Config {
            dpor,
            check: false,
            prune: true,
            ..Config::default()
        };
        // A question to the solver takes no longer than what is left.
        let budget = Budget::unlimited().with_timeout(TIMEOUT / 30);
        let answer = fusion::check(&task, &config, &budget)
            .confirm(&task)
            .into_answer();
        agrees(&expected.verdict, &answer.verdict)
            .map_err(|why| format!("{dpor:?} with pruning: {why}"))?;
        pruned += answer.stats.get("pruned backtrack points").unwrap_or(0);
    }
    Ok(pruned)
}

fn verdicts_pruned(profile: &Profile, share: u64) {
    let judge = |_, program: &Program| same_verdicts_pruned(program);
    let points = judge_random(seeds(share), profile, judge);
    let pruned = points.iter().filter(|&&points| points > 0).count();
    println!(
        "points were pruned in {pruned} of {} programs",
        points.len()
    );
    assert!(pruned > 0, "nothing was pruned");
}

#[test]
fn verdicts_with_pruning() {
    verdicts_pruned(&small(), 5);
}

#[test]
fn verdicts_with_pruning_and_inputs() {
    let profile = Profile {
        statements: 2,
        ..Profile::with_inputs()
    };
    verdicts_pruned(&profile, 10);
}

#[test]
fn verdicts_with_pruning_and_computed_sizes() {
    let profile = Profile {
        extras: vec![Extra::Sizes, Extra::Standstill],
        ..small()
    };
    verdicts_pruned(&profile, 10);
}

/// What a thread sees first decides that nothing can go wrong: all orders behind that are pruned, and
/// must not be missed where the thread looks later.
#[test]
fn verdicts_with_pruning_and_a_watcher() {
    let profile = Profile {
        extras: vec![Extra::Watcher],
        ..small()
    };
    verdicts_pruned(&profile, 5);
}

/// Pruning alone, without prediction, which would find many an error first.
#[test]
fn litmus_programs_with_pruning() {
    let config = Config {
        check: false,
        prune: true,
        ..Config::default()
    };
    let solved = solved("litmus", Property::Reach, |task| {
        fusion::check(task, &config, &budget(500))
            .confirm(task)
            .into_verdict()
    });
    assert!(solved >= 80, "only {solved} verdicts");
}

/// The correct batch of Table 1: one trace more for each part, where reduction alone needs
/// exponentially many.
#[test]
fn pruning_makes_traces_few() {
    let config = Config {
        prune: true,
        ..Config::default()
    };
    for (size, alone) in [(1, 4), (3, 80), (5, 1512)] {
        let path = workspace_dir().join("bench/fusion/batch.c");
        let output = std::process::Command::new("cc")
            .args(["-E", "-std=gnu11", "-DOK"])
            .arg(format!("-DN={size}"))
            .arg(&path)
            .output()
            .expect("a C compiler named cc");
        let text = String::from_utf8(output.stdout).expect("a program");
        let task = task(&text, Property::Reach);
        let pruned = fusion::check(&task, &config, &Budget::unlimited())
            .confirm(&task)
            .into_answer();
        assert_eq!(pruned.verdict.name(), "safe");
        assert_eq!(pruned.stats.get("executions"), Some(size + 1));
        let plain = explore(&task, Dpor::Optimal);
        assert_eq!(plain.stats.get("executions"), Some(alone));
    }
}
