//! Random programs whose graphs are made in two ways that have nothing in common but the models: from C, by the engine, and
//! from the statements, by trying everything.
//!
//! `MAZURKA_GRAPHS_PROGRAMS` sets how many programs are tried.

#[path = "../common/mod.rs"]
mod common;
mod enumerate;
mod program;

use common::{confirm, races, run, task};
use enumerate::{Found, enumerate};
use graphs::{explore, reference};
use models::Model;
use program::{Program, Random};
use semantics::Property;

/// Programs with more graphs than this are left out.
const MOST: usize = 4_000;

/// What the engine says is what was found by trying everything.
fn compare(program: &Program, model: &str, expected: &Found, seed: u64) {
    let plain = program.text(None);
    let note = format!("{model}, seed {seed}:\n{plain}");
    let plain = task(&plain);
    let once = run(explore, &plain, model);
    assert_eq!(once.executions, expected.executions, "{note}");
    assert!(once.blocked <= expected.blocked, "{note}");
    if model == "sc" {
        assert_eq!(once.classes, expected.classes, "{note}");
    }
    let all = run(reference, &plain, model);
    let counts = (expected.executions, expected.blocked);
    assert_eq!(
        (all.executions, all.blocked),
        counts,
        "by brute force, {note}"
    );
    let race = races(explore, &plain, model);
    assert_eq!(race.is_some(), expected.races, "a race, {note}");
    if !expected.races {
        let mut racing = plain.clone();
        racing.property = Property::Race;
        let once = run(explore, &racing, model);
        assert_eq!((once.executions, once.blocked), counts, "{note}");
    }
}

/// Is a result found where it is possible, and nowhere else?
fn compare_errors(program: &Program, results: &[u64], models: &[Model], found: &[Found]) -> u64 {
    let text = program.text(Some(results));
    let task = task(&text);
    let mut errors = 0;
    for (model, found) in models.iter().zip(found) {
        let error = run(explore, &task, model.name()).error;
        let is_possible = found.results.contains(results);
        assert_eq!(error.is_some(), is_possible, "{}: {text}", model.name());
        if let Some(trace) = &error {
            confirm(&task, model.name(), trace);
            errors += 1;
        }
    }
    errors
}

#[test]
fn the_engine_agrees_with_trying_everything() {
    let wanted = std::env::var("MAZURKA_GRAPHS_PROGRAMS").ok();
    let wanted = wanted.and_then(|it| it.parse().ok()).unwrap_or(40);
    let first = std::env::var("MAZURKA_GRAPHS_FIRST").ok();
    let first: u64 = first.and_then(|it| it.parse().ok()).unwrap_or(0);
    let models: Vec<Model> = Model::names().filter_map(Model::shipped).collect();
    let (mut tried, mut weak, mut errors, mut blocked) = (0, 0, 0, 0);
    for seed in first.. {
        if tried == wanted {
            break;
        }
        let mut random = Random(seed);
        let program = random.program();
        let Some(found) = enumerate(&program, &models, MOST) else {
            continue;
        };
        tried += 1;
        weak += u64::from(found.iter().any(|it| it.executions != found[0].executions));
        blocked += u64::from(found[0].blocked > 0);
        for (model, found) in models.iter().zip(&found) {
            compare(&program, model.name(), found, seed);
        }
        // What only some models show is the most interesting.
        let all = found.iter().flat_map(|it| &it.results);
        let in_some: Vec<&Vec<u64>> = (all.clone())
            .filter(|result| found.iter().any(|it| !it.results.contains(*result)))
            .collect();
        let results: Vec<&Vec<u64>> = match in_some.is_empty() {
            true => all.collect(),
            false => in_some,
        };
        if !results.is_empty() {
            let wanted: &Vec<u64> = random.pick(&results);
            errors += compare_errors(&program, wanted, &models, &found);
        }
    }
    println!("{tried} programs: {weak} weak, {errors} errors, {blocked} with threads that wait");
    assert!(
        weak > 0 && errors > 0 && blocked > 0,
        "programs that say nothing"
    );
}
