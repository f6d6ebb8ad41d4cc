//! Random programs are explored before and after memory becomes variables, also after unrolling.

use super::random::random_program;
use super::{OnInvalid, cells};
use crate::differential::explore::violated;
use crate::differential::generate;
use crate::{Limits, Options, prepare, unroll};
use automata::parse;
use semantics::Property;
use xcfa::{ErrorKind, Xcfa};

/// Programs with more states than this are skipped.
const MOST_STATES: usize = 20_000;

#[derive(Default, Debug)]
struct Counts {
    violated: usize,
    kept: usize,
    turned: usize,
    unrolled: usize,
}

fn prepared(text: &str, property: Property, seed: u64) -> Xcfa {
    let options = Options {
        keep_loads: property.is_memsafety(),
        checked: (property == Property::Reach).then_some(ErrorKind::Reached),
        large_blocks: seed.is_multiple_of(2),
        optimise: seed.is_multiple_of(3),
        memory_safety: false,
        waits: false,
        promote: false,
    };
    prepare(parse(text), &options).unwrap()
}

fn on_invalid(property: Property) -> OnInvalid {
    match property {
        Property::MemSafety(_) => OnInvalid::Error,
        _ => OnInvalid::EndRun,
    }
}

/// Compares one program with what the passes make of it.
fn compare(seed: u64, text: &str, property: Property, counts: &mut Counts) {
    let before = prepared(text, property, seed);
    let Some(expected) = violated(&before, property, MOST_STATES) else {
        return;
    };
    let after = cells(&before, on_invalid(property));
    counts.turned += after.cells.len();
    let found = violated(&after.xcfa, property, MOST_STATES);
    let show = |xcfa: &Xcfa| {
        format!(
            "{text}\nbefore:\n{}\nafter:\n{}",
            before.dump(),
            xcfa.dump()
        )
    };
    if let Some(found) = found {
        // Where memory is checked, there may be more errors than in the program.
        assert!(
            found == expected || property.is_memsafety() && found,
            "seed {seed}, {property}: {found}, not {expected}\n{}",
            show(&after.xcfa)
        );
    }
    match expected {
        true => counts.violated += 1,
        false => counts.kept += 1,
    }
    let limits = Limits {
        rounds: 2,
        threads: 4,
        ..Limits::default()
    };
    let unrolled = unroll(&before.clone().into(), &limits).unwrap();
    let turned = cells(&unrolled.xcfa, on_invalid(property));
    for program in [&unrolled.xcfa, &turned.xcfa] {
        // Nothing is found where the unrolling ends first.
        if let Some(found) = violated(program, property, MOST_STATES) {
            assert!(
                found == expected || property.is_memsafety() && found,
                "seed {seed}, {property}: {found}, not {expected}\n{}",
                show(program)
            );
            counts.unrolled += 1;
        }
    }
}

fn check(property: Property, seeds: std::ops::Range<u64>, program: fn(u64) -> String) {
    let wanted = (seeds.end - seeds.start) as usize;
    let mut counts = Counts::default();
    for seed in seeds {
        let text = program(seed);
        // Memory that is lost at the end is not an error that locations can show.
        if !property.is_memsafety() || !text.contains("alloc h") && !text.contains("alloc g") {
            compare(seed, &text, property, &mut counts);
        }
    }
    println!("{property}: {counts:?} of {wanted}");
    assert!(counts.violated > wanted / 100, "{counts:?}");
    assert!(counts.kept > wanted / 100, "{counts:?}");
    assert!(
        counts.turned > wanted && counts.unrolled > wanted / 2,
        "{counts:?}"
    );
}

/// Enough to find every mistake that we have planted, in seconds.
const SEEDS: u64 = 3_000;

#[test]
fn reachable_errors_stay() {
    check(Property::Reach, 0..SEEDS, random_program);
    check(Property::Reach, 0..SEEDS / 2, generate::random_program);
}

#[test]
fn deadlocks_stay() {
    check(Property::Deadlock, 0..SEEDS, random_program);
    check(Property::Deadlock, 0..SEEDS / 2, generate::random_program);
}

#[test]
fn endless_runs_stay() {
    check(
        Property::Termination,
        0..SEEDS / 2,
        generate::random_program,
    );
}

#[test]
fn invalid_accesses_are_found() {
    check(Property::MEMSAFETY, 0..SEEDS, random_program);
}
