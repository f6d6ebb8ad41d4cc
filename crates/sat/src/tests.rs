use super::{Lit, Sat, Satisfiability};
use std::time::{Duration, Instant};
use verdict::{Budget, Reason};

#[test]
fn models_under_assumptions() {
    let mut sat = Sat::new();
    let (a, b, c) = (sat.fresh(), sat.fresh(), sat.fresh());
    sat.clause(&[a, b]);
    sat.imply(a, c);
    let budget = Budget::unlimited();
    assert_eq!(sat.solve(&[!b], &budget), Satisfiability::Satisfiable);
    assert!(sat.is_true(a) && sat.is_true(c) && !sat.is_true(b));
    assert_eq!(sat.solve(&[!b, !c], &budget), Satisfiability::Unsatisfiable);
    assert_eq!(sat.solve(&[!c], &budget), Satisfiability::Satisfiable);
    assert!(sat.is_true(b));
    assert!(sat.is_true(Lit::TRUE) && !sat.is_true(Lit::FALSE));
}

#[test]
fn empty_clause() {
    let mut sat = Sat::new();
    sat.clause(&[Lit::FALSE]);
    assert_eq!(
        sat.solve(&[], &Budget::unlimited()),
        Satisfiability::Unsatisfiable
    );
}

/// More pigeons than holes: far beyond what resolution does in a second.
fn pigeons(mut sat: Sat) -> Sat {
    let holes = 13;
    let rows: Vec<Vec<Lit>> = (0..=holes)
        .map(|_| (0..holes).map(|_| sat.fresh()).collect())
        .collect();
    for row in &rows {
        sat.clause(row);
    }
    for hole in 0..holes {
        for (at, row) in rows.iter().enumerate() {
            for other in &rows[..at] {
                sat.clause(&[!row[hole], !other[hole]]);
            }
        }
    }
    sat
}

#[test]
fn stops_in_time() {
    let mut sat = pigeons(Sat::new());
    let started = Instant::now();
    let budget = Budget::unlimited().with_timeout(Duration::from_millis(300));
    assert_eq!(
        sat.solve(&[], &budget),
        Satisfiability::Stopped(Reason::OutOfTime)
    );
    assert!(started.elapsed() < Duration::from_secs(10));
    assert!(sat.figures().conflicts > 0);
}

/// Each search has the whole limit.
#[test]
fn stops_after_some_conflicts() {
    let mut sat = pigeons(Sat::of_conflicts(20));
    for searches in 1..=2 {
        let found = sat.solve(&[], &Budget::unlimited());
        assert!(matches!(
            found,
            Satisfiability::Stopped(Reason::Inconclusive(_))
        ));
        assert!(sat.figures().conflicts >= 20 * searches);
    }
}
