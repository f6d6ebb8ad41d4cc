//! Systems of Horn clauses with known answers.

use expr::{Op, Sort, Term, Terms, VarId};
use smt::horn::{Application, HornAnswer, HornSystem, PredId, Rule, solve};
use smt::{Check, Solver};
use std::time::Duration;

const LIMIT: Option<Duration> = Some(Duration::from_secs(20));

fn app(pred: PredId, args: &[Term]) -> Application {
    let args = args.to_vec();
    Application { pred, args }
}

fn rule(body: &[Application], constraint: Term, head: Option<Application>) -> Rule {
    let body = body.to_vec();
    Rule {
        body,
        constraint,
        head,
    }
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

/// The sum of two derivations: rules with two predicates in the body.
#[test]
fn rules_may_join_predicates() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(8));
    let y = terms.var(VarId(1), Sort::Bv(8));
    for (odd, solvable) in [(false, true), (true, false)] {
        let mut system = HornSystem::new();
        let even = system.predicate("even", vec![x]);
        let yes = terms.bool(true);
        let two = terms.bv(8, 2);
        system.rule(rule(&[], yes, Some(app(even, &[two]))));
        let sum = terms.add(x, y);
        let both = [app(even, &[x]), app(even, &[y])];
        system.rule(rule(&both, yes, Some(app(even, &[sum]))));
        let bad = terms.bv(8, if odd { 6 } else { 7 });
        let bad = terms.eq(x, bad);
        system.rule(rule(&[app(even, &[x])], bad, None));
        let answer = solve(&mut terms, &system, LIMIT);
        match solvable {
            true => assert!(matches!(answer, HornAnswer::Solution(_)), "{answer:?}"),
            false => assert!(matches!(answer, HornAnswer::Refuted(_)), "{answer:?}"),
        }
    }
}
