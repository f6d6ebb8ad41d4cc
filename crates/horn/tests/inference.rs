//! Locks and phases by Horn clauses (HC1 and HC2 of paper 2) against the data-flow passes.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many random programs are tried.

use abstraction::Program;
use expr::{Terms, VarId};
use generator::Profile;
use horn::Inference;
use horn::blocks::{Blocks, Wanted};
use horn::locks::Locks;
use horn::movers::movers;
use std::collections::BTreeSet;
use testkit::{judge_random, preprocess, seeds, translate, workspace_dir};
use verdict::{Budget, Property};
use xcfa::{LocId, SourceFile};

fn program(file: SourceFile) -> Option<(Program, Terms)> {
    let xcfa = translate(file, Property::Reach).ok()?;
    let xcfa = passes::prepare(xcfa, &passes::Options::default()).ok()?;
    Program::of(&xcfa.into(), 1).ok()
}

/// What the two ways say about locations.
#[derive(Default)]
struct Compared {
    /// Locations at which something is held.
    held: usize,
    /// Locations where clauses know more, or that no thread comes to.
    more: usize,
    /// Locations inside of blocks.
    inside: usize,
}

fn held(locks: &Locks, loc: LocId) -> BTreeSet<VarId> {
    locks.held(loc).collect()
}

/// Clauses never know less about locks, and phases and blocks are the same.
fn compare(file: SourceFile, compared: &mut Compared) -> Result<(), String> {
    let Some((program, mut terms)) = program(file) else {
        return Ok(());
    };
    let expect = |holds: bool, what: &str, loc: LocId| match holds {
        true => Ok(()),
        false => Err(format!("{what} at {loc:?}")),
    };
    let by_flow = Locks::of(&program, &mut terms);
    let by_clauses = Locks::by_clauses(&program, &mut terms);
    let locations: Vec<LocId> = (0..program.locations() as u32).map(LocId).collect();
    for &loc in &locations {
        let (flow, clauses) = (held(&by_flow, loc), held(&by_clauses, loc));
        let reached = by_clauses.reaches(loc);
        expect(by_flow.reaches(loc) || !reached, "only clauses come", loc)?;
        expect(
            !reached || flow.is_subset(&clauses),
            "clauses know less",
            loc,
        )?;
        compared.held += usize::from(!flow.is_empty());
        compared.more += usize::from(flow != clauses);
    }
    let movers = movers(&program, &mut terms, &by_flow, &Budget::unlimited());
    let mut blocks = |inference: Inference, fleeting: bool| {
        let wanted = Wanted {
            reduction: true,
            fleeting,
            inference,
        };
        Blocks::wanted(&program, &mut terms, &movers, wanted, &Budget::unlimited()).ok()
    };
    for fleeting in [false, true] {
        let flow = blocks(Inference::Flow, fleeting);
        let clauses = blocks(Inference::Clauses, fleeting);
        let (Some(flow), Some(clauses)) = (flow, clauses) else {
            return Ok(());
        };
        for &loc in &locations {
            let at = loc.0 as usize;
            let is_same = flow.is_inside(loc) == clauses.is_inside(loc);
            expect(is_same, "different blocks", loc)?;
            let phases = |blocks: &Blocks| {
                let (early, late) = (&blocks.before_commit, &blocks.after_commit);
                (early.contains(at), late.contains(at))
            };
            let is_same = phases(&flow) == phases(&clauses);
            expect(is_same, "different phases", loc)?;
            compared.inside += usize::from(flow.is_inside(loc));
        }
    }
    Ok(())
}

fn compare_files(folder: &str, compared: &mut Compared) {
    let files = std::fs::read_dir(workspace_dir().join(folder)).expect("a folder");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "c"));
    paths.sort();
    for path in paths {
        let file = preprocess(&path).expect("readable C");
        compare(file, compared).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    }
}

/// The programs of the paper: the two ways agree in everything.
#[test]
fn experiments() {
    let mut compared = Compared::default();
    compare_files("bench/horn", &mut compared);
    assert_eq!(compared.more, 0);
    assert!(compared.held >= 20 && compared.inside >= 20);
}

#[test]
fn litmus() {
    let mut compared = Compared::default();
    compare_files("litmus", &mut compared);
    assert!(compared.held >= 50 && compared.inside >= 50);
    assert!(compared.more * 10 <= compared.held);
}

#[test]
fn random_programs() {
    let judge = |_, program: &generator::Program| {
        let mut compared = Compared::default();
        let file = SourceFile::new("random.i", program.to_string());
        compare(file, &mut compared).map(|()| compared)
    };
    let mut compared = judge_random(seeds(7), &Profile::standard(), judge);
    compared.extend(judge_random(seeds(7), &Profile::blocking(), judge));
    assert!(compared.iter().map(|it| it.held).sum::<usize>() >= 10);
    assert!(compared.iter().map(|it| it.inside).sum::<usize>() >= 10);
}
