//! Systems of Horn clauses with known answers.

use expr::{Op, Sort, Term, Terms, VarId};
use proptest::prelude::*;
use smt::horn::{
    Application, Arithmetic, Enumerated, HornAnswer, HornSystem, PredId, Rule, derive, enumerate,
    solve, solve_as,
};
use smt::{Check, Solver};
use std::time::Duration;

const LIMIT: Option<Duration> = Some(Duration::from_secs(20));

fn app(pred: PredId, args: &[Term]) -> Application {
    let args = args.to_vec();
    Application { pred, args }
}

fn rule(body: &[Application], constraint: Term, head: Option<Application>) -> Rule {
    let body = body.to_vec();
    Rule::new(body, constraint, head)
}

/// `x` starts at `start`, grows by `step` while it is below `limit`, and must never be `bad`.
fn counter(terms: &mut Terms, [start, step, limit, bad]: [u64; 4]) -> HornSystem {
    let mut system = HornSystem::new();
    let x = terms.var(VarId(0), Sort::Bv(8));
    let inv = system.predicate("inv", vec![x]);
    let at = |terms: &mut Terms, bits| {
        let bits = terms.bv(8, bits);
        terms.eq(x, bits)
    };
    let init = at(terms, start);
    system.rule(rule(&[], init, Some(app(inv, &[x]))));
    let (limit, step) = (terms.bv(8, limit), terms.bv(8, step));
    let below = terms.binary(Op::Ult, x, limit);
    let next = terms.add(x, step);
    system.rule(rule(&[app(inv, &[x])], below, Some(app(inv, &[next]))));
    let wrong = at(terms, bad);
    system.rule(rule(&[app(inv, &[x])], wrong, None));
    system
}

#[test]
fn an_even_counter_never_gets_odd() {
    let mut terms = Terms::new();
    let system = counter(&mut terms, [0, 2, 100, 51]);
    let HornAnswer::Solution(solution) = solve(&mut terms, &system, LIMIT) else {
        panic!("there is a solution");
    };
    assert_eq!(solution.len(), 1);
    // The solution speaks of the formal parameter and of nothing else.
    assert_eq!(terms.vars(solution[0]), [VarId(0)]);
}

#[test]
fn a_derivation_names_its_rules() {
    let mut terms = Terms::new();
    let system = counter(&mut terms, [0, 2, 100, 6]);
    let answer = solve(&mut terms, &system, LIMIT);
    assert_eq!(answer, HornAnswer::Refuted(Some(vec![0, 1, 1, 1, 2])));
}

#[test]
fn two_threads_and_a_lock() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..3).map(|n| terms.var(VarId(n), Sort::Bv(2))).collect();
    let held = terms.var(VarId(3), Sort::Bool);
    let mut system = HornSystem::new();
    let params = vec![vars[0], vars[1], held];
    let state = system.predicate("state", params);
    let (zero, one) = (terms.bv(2, 0), terms.bv(2, 1));
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let both_out = [zero, zero, no];
    system.rule(rule(&[], yes, Some(app(state, &both_out))));
    let now = app(state, &[vars[0], vars[1], held]);
    for thread in 0..2 {
        let with = |pc: Term, flag: Term| {
            let mut after = [vars[0], vars[1], flag];
            after[thread] = pc;
            Some(app(state, &after))
        };
        let (out, inside) = (terms.eq(vars[thread], zero), terms.eq(vars[thread], one));
        let free = terms.not(held);
        let enter = terms.and(out, free);
        system.rule(rule(std::slice::from_ref(&now), enter, with(one, yes)));
        system.rule(rule(std::slice::from_ref(&now), inside, with(zero, no)));
    }
    let (a, b) = (terms.eq(vars[0], one), terms.eq(vars[1], one));
    let both = terms.and(a, b);
    system.rule(rule(&[now], both, None));
    let answer = solve(&mut terms, &system, LIMIT);
    let HornAnswer::Solution(solution) = answer else {
        panic!("{answer:?}");
    };
    let mut solver = Solver::new();
    solver.assert(&terms, solution[0]);
    assert_eq!(solver.check(&terms, &[both]), Check::Unsat);
}

/// Predicates that Spacer inlines, that nothing uses, or that take no arguments.
#[test]
fn every_predicate_gets_its_formula() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(32));
    let yes = terms.bool(true);
    let mut system = HornSystem::new();
    let first = system.predicate("first", vec![x]);
    let second = system.predicate("second", vec![x]);
    let flag = system.predicate("flag", vec![]);
    let unused = system.predicate("unused", vec![x]);
    let (five, six) = (terms.bv(32, 5), terms.bv(32, 6));
    system.rule(rule(&[], yes, Some(app(first, &[five]))));
    let one = terms.bv(32, 1);
    let next = terms.add(x, one);
    system.rule(rule(&[app(first, &[x])], yes, Some(app(second, &[next]))));
    let six = terms.ne(x, six);
    system.rule(rule(&[app(second, &[x])], six, Some(app(flag, &[]))));
    system.rule(rule(&[app(flag, &[])], yes, None));
    let answer = solve(&mut terms, &system, LIMIT);
    let HornAnswer::Solution(solution) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(solution.len(), 4);
    assert_eq!(terms.as_const(solution[flag.index()]), Some(0));
    assert_eq!(unused.index(), 3);
}

/// Rules that follow each other in one way only, which Spacer merges.
#[test]
fn a_derivation_goes_through_many_predicates() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(32));
    let (yes, one) = (terms.bool(true), terms.bv(32, 1));
    let next = terms.add(x, one);
    let mut system = HornSystem::new();
    let places: Vec<PredId> = (0..4).map(|_| system.predicate("at", vec![x])).collect();
    let small = terms.binary(Op::Ult, x, one);
    system.rule(rule(&[], small, Some(app(places[0], &[x]))));
    for pair in places.windows(2) {
        system.rule(rule(
            &[app(pair[0], &[x])],
            yes,
            Some(app(pair[1], &[next])),
        ));
    }
    system.rule(rule(&[app(places[3], &[x])], yes, None));
    let answer = solve(&mut terms, &system, LIMIT);
    assert_eq!(answer, HornAnswer::Refuted(Some(vec![0, 1, 2, 3, 4])));
}

/// A rule with two predicates in its body: the sums of two sets. Derivations are trees then, and
/// are not shown.
#[test]
fn rules_may_join_predicates() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(8));
    let y = terms.var(VarId(1), Sort::Bv(8));
    let (yes, five) = (terms.bool(true), terms.bv(8, 5));
    let small = terms.binary(Op::Ult, x, five);
    let sum = terms.add(x, y);
    for (bad, solvable) in [(9, true), (8, false)] {
        let mut system = HornSystem::new();
        let left = system.predicate("left", vec![x]);
        let right = system.predicate("right", vec![x]);
        let sums = system.predicate("sums", vec![x]);
        system.rule(rule(&[], small, Some(app(left, &[x]))));
        system.rule(rule(&[], small, Some(app(right, &[x]))));
        let both = [app(left, &[x]), app(right, &[y])];
        system.rule(rule(&both, yes, Some(app(sums, &[sum]))));
        let bad = terms.bv(8, bad);
        let wrong = terms.eq(x, bad);
        system.rule(rule(&[app(sums, &[x])], wrong, None));
        let answer = solve(&mut terms, &system, LIMIT);
        match solvable {
            true => assert!(matches!(answer, HornAnswer::Solution(_)), "{answer:?}"),
            false => assert_eq!(answer, HornAnswer::Refuted(None)),
        }
    }
}

/// Spacer stops at its limit, and says so.
#[test]
fn a_time_limit_ends_the_search() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(64));
    let mut system = HornSystem::new();
    let inv = system.predicate("inv", vec![x]);
    let (yes, seed) = (terms.bool(true), terms.bv(64, 88_172_645_463_325_252));
    system.rule(rule(&[], yes, Some(app(inv, &[seed]))));
    // Knuth's generator of random numbers goes through every value before it repeats one: there is
    // no solution, and a refutation is some 2^63 steps away.
    let (mul, add) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
    let (mul, add) = (terms.bv(64, mul), terms.bv(64, add));
    let product = terms.binary(Op::Mul, x, mul);
    let next = terms.binary(Op::Add, product, add);
    system.rule(rule(&[app(inv, &[x])], yes, Some(app(inv, &[next]))));
    let target = terms.bv(64, 12_345_678_901);
    let wrong = terms.eq(x, target);
    system.rule(rule(&[app(inv, &[x])], wrong, None));
    let start = std::time::Instant::now();
    let limit = Duration::from_millis(500);
    let answer = solve(&mut terms, &system, Some(limit));
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(matches!(answer, HornAnswer::Unknown(_)), "{answer:?}");
}

/// A step of a machine with eight states: the guard is `x < bound`, the update `x * mul + add`.
type Step = (u64, u64, u64);

/// The states that the machine reaches from zero.
fn reachable(steps: &[Step]) -> Vec<u64> {
    let mut reached = vec![0];
    let mut next = 0;
    while let Some(&x) = reached.get(next) {
        for &(bound, mul, add) in steps {
            let y = (x * mul + add) % 8;
            if x < bound && !reached.contains(&y) {
                reached.push(y);
            }
        }
        next += 1;
    }
    reached
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn answers_are_those_of_a_search(
        steps in prop::collection::vec((0u64..8, 0u64..8, 0u64..8), 1..4),
        bad in 0u64..8,
    ) {
        let mut terms = Terms::new();
        let x = terms.var(VarId(0), Sort::Bv(3));
        let mut system = HornSystem::new();
        let inv = system.predicate("inv", vec![x]);
        let (yes, zero) = (terms.bool(true), terms.bv(3, 0));
        system.rule(rule(&[], yes, Some(app(inv, &[zero]))));
        for &(bound, mul, add) in &steps {
            let (bound, mul) = (terms.bv(3, bound), terms.bv(3, mul));
            let add = terms.bv(3, add);
            let guard = terms.binary(Op::Ult, x, bound);
            let product = terms.binary(Op::Mul, x, mul);
            let next = terms.add(product, add);
            system.rule(rule(&[app(inv, &[x])], guard, Some(app(inv, &[next]))));
        }
        let bad_state = terms.bv(3, bad);
        let at_bad = terms.eq(x, bad_state);
        system.rule(rule(&[app(inv, &[x])], at_bad, None));
        let reached = reachable(&steps).contains(&bad);
        match solve(&mut terms, &system, LIMIT) {
            HornAnswer::Solution(_) => prop_assert!(!reached),
            HornAnswer::Refuted(chain) => {
                prop_assert!(reached);
                prop_assert!(chain.is_some());
            }
            HornAnswer::Unknown(reason) => prop_assert!(false, "{}", reason),
        }
        // Integers may fail, but what they find holds for bit vectors.
        for arithmetic in [Arithmetic::Ideal, Arithmetic::Wrapped] {
            let answer = solve_as(&mut terms, &system, arithmetic, Some(Duration::from_secs(1)));
            if matches!(answer, HornAnswer::Solution(_)) {
                prop_assert!(!reached);
            }
            if arithmetic == Arithmetic::Wrapped && matches!(answer, HornAnswer::Refuted(_)) {
                prop_assert!(reached);
                prop_assert!(derive(&mut terms, &system, Duration::from_secs(20)).is_some());
            }
        }
    }
}

/// Parameters that never change are no obstacle, and come back in the solution.
#[test]
fn constants_are_left_out_and_put_back() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..3).map(|n| terms.var(VarId(n), Sort::Bv(32))).collect();
    let mut system = HornSystem::new();
    let inv = system.predicate("inv", vars.clone());
    let yes = terms.bool(true);
    let [zero, seven, one] = [0, 7, 1].map(|n| terms.bv(32, n));
    system.rule(rule(&[], yes, Some(app(inv, &[zero, seven, zero]))));
    let more = terms.add(vars[0], one);
    let below = terms.binary(Op::Slt, vars[0], vars[1]);
    let next = app(inv, &[more, vars[1], vars[2]]);
    system.rule(rule(&[app(inv, &vars)], below, Some(next)));
    let above = terms.binary(Op::Slt, vars[1], vars[0]);
    system.rule(rule(&[app(inv, &vars)], above, None));
    let answer = solve_as(&mut terms, &system, Arithmetic::Wrapped, LIMIT);
    let HornAnswer::Solution(solution) = answer else {
        panic!("{answer:?}");
    };
    // The solution says that the second parameter is always 7.
    let other = terms.ne(vars[1], seven);
    let mut solver = Solver::new();
    assert_eq!(solver.check(&terms, &[solution[0], other]), Check::Unsat);
}

/// A counter has few values: every fact is derived, or falsity with the way there.
#[test]
fn few_values_are_enumerated() {
    for (bad, solvable) in [(9, true), (6, false)] {
        let mut terms = Terms::new();
        let mut system = HornSystem::new();
        let x = terms.var(VarId(0), Sort::Bv(8));
        let inv = system.predicate("inv", vec![x]);
        let (yes, zero) = (terms.bool(true), terms.bv(8, 0));
        system.rule(rule(&[], yes, Some(app(inv, &[zero]))));
        let (limit, step) = (terms.bv(8, 8), terms.bv(8, 2));
        let below = terms.binary(Op::Ult, x, limit);
        let next = terms.add(x, step);
        system.rule(rule(&[app(inv, &[x])], below, Some(app(inv, &[next]))));
        let bad = terms.bv(8, bad);
        let wrong = terms.eq(x, bad);
        system.rule(rule(&[app(inv, &[x])], wrong, None));
        match enumerate(&mut terms, &system, Duration::from_secs(20)) {
            Some(Enumerated::Solution(_)) => assert!(solvable),
            Some(Enumerated::Falsity { chain, certain }) => {
                assert!(!solvable && certain);
                assert_eq!(chain, Some(vec![0, 1, 1, 1, 2]));
            }
            answer => panic!("{answer:?}"),
        }
    }
}
