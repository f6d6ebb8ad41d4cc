//! Random expressions and statements mean what a compiler says, in both data models.
//!
//! `MAZURKA_CONFORMANCE` sets how many items are compared for each data model, and
//! `MAZURKA_CONFORMANCE_SEED` the first seed.

use conformance::{Comparison, Compiler, Unit, compare};
use std::collections::BTreeMap;
use testkit::from_environment;
use xcfa::DataModel;

const ITEMS: usize = 60;

fn agrees(model: DataModel) {
    let Some(compiler) = Compiler::find(model) else {
        // A compiler for the other width is not everywhere.
        assert_eq!(model, DataModel::Ilp32, "there is no working gcc");
        eprintln!("LEFT OUT: programs for 32 bits, which cannot be built or run here");
        return;
    };
    let wanted = from_environment("MAZURKA_CONFORMANCE", 2_000);
    let first = from_environment("MAZURKA_CONFORMANCE_SEED", 1);
    let (mut agreed, mut calls) = (0, 0);
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first + wanted.div_ceil(ITEMS as u64) {
        let unit = Unit::new(seed, ITEMS);
        // Without passes the padding of bit-fields is uninitialised memory, which is not proved.
        let plain = match seed % 3 {
            0 => compare(&unit, compiler, false),
            _ => Ok(Comparison::Refused(String::new())),
        };
        let outcome = match plain {
            Ok(Comparison::Refused(_)) => compare(&unit, compiler, true),
            outcome => outcome,
        };
        match outcome {
            Ok(Comparison::Agreed) => {
                agreed += unit.items.len();
                calls += unit.items.iter().filter(|item| item.is_call).count();
            }
            Ok(Comparison::Refused(why)) => {
                println!("seed {seed} is refused: {why}");
                if std::env::var_os("MAZURKA_CONFORMANCE_SHOW").is_some() {
                    println!("{}", unit.declarations);
                    unit.items
                        .iter()
                        .for_each(|item| println!("item {}", item.text));
                }
                *refused.entry(why).or_default() += 1;
            }
            Ok(Comparison::Differs(differs)) => panic!(
                "seed {seed}: the compiler says {}, and that is {}:\n{}\n\n{}",
                differs.value, differs.verdict, differs.item, differs.program
            ),
            // Compilers have bugs of their own.
            Err(why) if why.contains("internal compiler error") => {
                println!("seed {seed}: the compiler crashes");
            }
            Err(why) => panic!("seed {seed}: the compiler fails: {why}"),
        }
    }
    println!(
        "{agreed} items agree, {calls} of them calls; {} units refused",
        refused.len()
    );
    assert!(
        agreed as u64 >= wanted * 9 / 10,
        "too much is refused: {refused:#?}"
    );
}

#[test]
fn with_64_bits() {
    agrees(DataModel::Lp64);
}

#[test]
fn with_32_bits() {
    agrees(DataModel::Ilp32);
}
