//! Verdicts on whole programs: those that are known, and those that exploration finds.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried, `MAZURKA_RANDOM_SEED` where
//! the seeds start, `MAZURKA_COMBINATIONS` how many combinations of options each one is checked
//! with (all of them if that is `all`). `MAZURKA_ALL_COMBINATIONS` sets how many programs are
//! checked with all combinations that Figure 5.3 of paper 1 compares, `MAZURKA_LIMIT_MS` how long
//! each of the random checks may take.

use abstraction::por::{Base, Dependence};
use cegar::{Config, Domain, Prune, Refine, Search};
use generator::{Profile, Program};
use std::time::Duration;
use testkit::{agrees, budget, from_environment, judge_random, seeds};
use verdict::{Preparation, Property, Task, Verdict};
use xcfa::SourceFile;

/// Options, and whether large blocks are made.
#[derive(Clone, Debug)]
struct Combination {
    config: Config,
    large_blocks: bool,
}

fn combinations() -> Vec<Combination> {
    let mut all = Vec::new();
    for domain in [
        Domain::Explicit,
        Domain::Cartesian,
        Domain::Product,
        Domain::Boolean,
    ] {
        for (por, dependence) in [
            (Base::None, Dependence::Ours),
            (Base::Basic, Dependence::Ours),
            (Base::Aware, Dependence::Ours),
            (Base::Source, Dependence::Ours),
            (Base::Aware, Dependence::Paper),
        ] {
            for prune in [Prune::Full, Prune::Lazy] {
                for large_blocks in [true, false] {
                    let search = [Search::Dfs, Search::Bfs, Search::Error][all.len() % 3];
                    let refine = [Refine::Wp, Refine::Sp, Refine::Spacer][all.len() / 3 % 3];
                    let config = Config {
                        domain,
                        por,
                        dependence,
                        prune,
                        search,
                        refine,
                        ..Config::default()
                    };
                    all.push(Combination {
                        config,
                        large_blocks,
                    });
                }
            }
        }
    }
    all
}

fn task(file: SourceFile, large_blocks: bool) -> Result<Task, String> {
    let preparation = match large_blocks {
        true => Preparation::Full,
        false => Preparation::Passes,
    };
    testkit::prepared(file, Property::Reach, preparation)
}

fn by_cegar(task: &Task, config: &Config) -> Verdict {
    cegar::check(task, config, &budget(700))
        .confirm(task)
        .into_verdict()
}

fn solved(folder: &str) -> usize {
    testkit::solved(folder, Property::Reach, |task| {
        by_cegar(task, &Config::default())
    })
}

#[test]
fn litmus() {
    assert!(solved("litmus") >= 60);
}

#[test]
fn examples() {
    assert!(solved("examples") >= 10);
}

fn random(text: &str, large_blocks: bool) -> Option<Task> {
    task(SourceFile::new("random.i", text), large_blocks).ok()
}

/// An error if a combination contradicts exploration.
fn judge(program: &Program, combinations: &[Combination]) -> Result<(), String> {
    let text = program.to_string();
    let Some(task) = random(&text, true) else {
        return Ok(());
    };
    let explored = testkit::explored(&task, Duration::from_secs(10)).verdict;
    for combination in combinations {
        let Some(task) = random(&text, combination.large_blocks) else {
            continue;
        };
        agrees(&explored, &by_cegar(&task, &combination.config))
            .map_err(|why| format!("{why}\n{combination:?}"))?;
    }
    Ok(())
}

/// Those of the paper, with source sets in addition: domain, reduction, pruning and blocks.
fn of_the_paper(combination: &Combination) -> bool {
    let config = &combination.config;
    matches!(config.domain, Domain::Explicit | Domain::Cartesian)
        && config.dependence == Dependence::Ours
}

#[test]
fn all_combinations_of_the_paper() {
    let count = from_environment("MAZURKA_ALL_COMBINATIONS", 4);
    let first = from_environment("MAZURKA_RANDOM_SEED", 1);
    let all: Vec<Combination> = combinations().into_iter().filter(of_the_paper).collect();
    assert_eq!(all.len(), 2 * 4 * 2 * 2);
    let profiles = [
        Profile::standard(),
        Profile::blocking(),
        Profile::with_inputs(),
    ];
    for (turn, profile) in (0..).zip(profiles) {
        let seeds = (first..first + count).filter(|seed| seed % 3 == turn);
        judge_random(seeds, &profile, |_, program| judge(program, &all));
    }
}

/// Two definite answers about a random program never differ.
fn compare(profile: &Profile, share: u64) {
    let all = combinations();
    let each = from_environment("MAZURKA_COMBINATIONS", 1).min(all.len() as u64);
    judge_random(seeds(share), profile, |seed, program| {
        let turns = seed * each..(seed + 1) * each;
        let chosen = turns.map(|turn| all[(turn % all.len() as u64) as usize].clone());
        judge(program, &chosen.collect::<Vec<_>>())
    });
}

#[test]
fn of_ordinary_programs() {
    compare(&Profile::standard(), 50);
}

#[test]
fn of_programs_that_block() {
    compare(&Profile::blocking(), 30);
}

#[test]
fn of_programs_with_inputs() {
    compare(&Profile::with_inputs(), 20);
}

/// Threads that write a variable each, and are joined.
fn independent(threads: usize) -> Task {
    let mut text = String::from(
        "typedef unsigned long pthread_t; void reach_error(void);
         int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
         int pthread_join(pthread_t, void **);\n",
    );
    let mut main = String::new();
    for n in 0..threads {
        text += &format!("int x{n}; void *f{n}(void *arg) {{ x{n} = 1; return 0; }}\n");
        main += &format!("pthread_t t{n}; pthread_create(&t{n}, 0, f{n}, 0);\n");
    }
    for n in 0..threads {
        main += &format!("pthread_join(t{n}, 0);\n");
    }
    for n in 0..threads {
        main += &format!("if (x{n} != 1) reach_error();\n");
    }
    text += &format!("int main(void) {{\n{main}return 0; }}\n");
    testkit::task(SourceFile::new("independent.i", text), Property::Reach).expect("supported C")
}

#[test]
fn joined_threads_that_share_nothing_cost_no_more_than_one_after_the_other() {
    for por in [Base::Basic, Base::Aware, Base::Source] {
        let nodes = |threads| {
            let config = Config {
                por,
                ..Config::default()
            };
            let task = independent(threads);
            let answer = cegar::check(&task, &config, &budget(20_000));
            assert_eq!(answer.verdict.name(), "safe", "{por:?}, {threads} threads");
            answer.stats.get("nodes").expect("a number")
        };
        let counts: Vec<u64> = [2, 4, 6, 8, 10, 12].map(nodes).to_vec();
        let steps: Vec<u64> = counts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // A few nodes more for each thread, whose checks come in one more step.
        let most = 2 * steps[0];
        assert!(
            steps.iter().all(|&step| step <= most),
            "{por:?}: {counts:?}"
        );
    }
}
