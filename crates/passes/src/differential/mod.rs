//! Random automata are explored before and after the passes: no verdict may change.

pub(crate) mod explore;
pub(crate) mod generate;

use crate::{Options, prepare};
use automata::parse;
use explore::violated;
use generate::random_program;
use semantics::Property;
use xcfa::{ErrorKind, Xcfa};

/// Programs with more states than this are skipped.
const MOST_STATES: usize = 20_000;

fn options_for(property: Property) -> Options {
    Options {
        keep_loads: matches!(property, Property::Race | Property::MemSafety(_)),
        checked: (property == Property::Reach).then_some(ErrorKind::Reached),
        ..Options::default()
    }
}

/// Compares one program with its prepared versions; was the comparison possible?
fn compare(seed: u64, text: &str, property: Property) -> Option<bool> {
    let plain = parse(text);
    let expected = violated(&plain, property, MOST_STATES)?;
    let options = options_for(property);
    let variants = [
        Options {
            optimise: false,
            large_blocks: false,
            ..options
        },
        Options {
            large_blocks: false,
            ..options
        },
        Options {
            optimise: false,
            ..options
        },
        options,
    ];
    for options in variants {
        let prepared: Xcfa = prepare(parse(text), &options).unwrap();
        let found = violated(&prepared, property, MOST_STATES)?;
        assert_eq!(
            found,
            expected,
            "seed {seed}, {property}, {options:?}\n{text}\nbefore:\n{}\nafter:\n{}",
            plain.dump(),
            prepared.dump()
        );
    }
    Some(expected)
}

fn check(property: Property, seeds: std::ops::Range<u64>) {
    let wanted = (seeds.end - seeds.start) as usize;
    let (mut violated, mut kept) = (0, 0);
    for seed in seeds {
        match compare(seed, &random_program(seed), property) {
            Some(true) => violated += 1,
            Some(false) => kept += 1,
            None => {}
        }
    }
    println!("{property}: {violated} violated, {kept} not, of {wanted}");
    assert!(
        violated > wanted / 20,
        "only {violated} programs violate {property}"
    );
    assert!(kept > wanted / 20, "only {kept} programs keep {property}");
}

/// A few seconds; forty thousand have been tried once.
const SEEDS: u64 = 400;

#[test]
fn reachable_errors_stay() {
    check(Property::Reach, 0..SEEDS);
}

#[test]
fn deadlocks_stay() {
    check(Property::Deadlock, 0..SEEDS);
}

#[test]
fn races_stay() {
    check(Property::Race, 0..SEEDS);
}

#[test]
fn invalid_accesses_stay() {
    check(Property::MEMSAFETY, 0..SEEDS);
}

#[test]
fn endless_runs_stay() {
    check(Property::Termination, 0..SEEDS);
}
