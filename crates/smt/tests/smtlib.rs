//! Texts for people and for other solvers.

mod common;

use common::{Kitchen, recipe};
use expect_test::{Expect, expect};
use expr::{FloatKind, ObjId, Op, Sort, Terms, VarId};
use proptest::prelude::*;
use smt::horn::{Application, HornSystem, Rule};
use smt::{Check, Solver};
use std::time::Duration;

fn check(solver: &Solver, terms: &Terms, expect: Expect) {
    expect.assert_eq(&solver.to_smtlib(terms));
}

#[test]
fn a_script_declares_and_asserts() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(8));
    let flag = terms.var(VarId(1), Sort::Bool);
    let (a, b) = (terms.base(ObjId(0), 16), terms.base(ObjId(1), 16));
    let three = terms.bv(8, 3);
    let (product, sum) = (terms.binary(Op::Mul, x, three), terms.add(x, three));
    let shared = terms.binary(Op::Udiv, product, sum);
    let square = terms.binary(Op::Mul, shared, shared);
    let large = terms.binary(Op::SmulOverflow, square, x);
    let apart = terms.ne(a, b);
    let both = terms.and(apart, flag);
    let mut solver = Solver::new();
    solver.bind_base(ObjId(1), 0x20);
    solver.assert(&terms, large);
    solver.assert(&terms, both);
    check(
        &solver,
        &terms,
        expect![[r#"
        (set-logic QF_BV)
        (declare-fun v0 () (_ BitVec 8))
        (declare-fun v1 () Bool)
        (declare-fun base0 () (_ BitVec 16))
        (assert (let ((t7 (bvudiv (bvmul v0 #x03) (bvadd v0 #x03)))) (bvsmulo v0 (bvmul t7 t7))))
        (assert (and v1 (not (= base0 #x0020))))
        (check-sat)
    "#]],
    );
}

#[test]
fn bits_of_floats_get_a_constant_and_a_condition() {
    let mut terms = Terms::new();
    let f = terms.var(VarId(0), Sort::Float(FloatKind::F32));
    let sum = terms.binary(Op::FloatAdd, f, f);
    let half = terms.float(FloatKind::F32, 0.5);
    let equal = terms.eq(sum, half);
    let int = terms.unary(Op::FloatToSigned(3), f);
    let one = terms.bv(3, 1);
    let positive = terms.binary(Op::Slt, one, int);
    let mut solver = Solver::new();
    solver.assert(&terms, equal);
    solver.assert(&terms, positive);
    check(
        &solver,
        &terms,
        expect![[r#"
        (set-logic QF_BVFP)
        (declare-fun v0 () (_ BitVec 32))
        (declare-fun float1 () (_ BitVec 32))
        (assert (and (= ((_ to_fp 8 24) float1) (fp.add RNE ((_ to_fp 8 24) v0) ((_ to_fp 8 24) v0))) (= float1 #x3f000000)))
        (assert (let ((t4 ((_ extract 2 0) (ite (fp.isNaN ((_ to_fp 8 24) v0)) #x0000000000000000 (ite (fp.geq ((_ to_fp 8 24) v0) ((_ to_fp 8 24) #x5f000000)) #x7fffffffffffffff (ite (fp.lt ((_ to_fp 8 24) v0) (fp.neg ((_ to_fp 8 24) #x5f000000))) #x8000000000000000 ((_ fp.to_sbv 64) RTZ ((_ to_fp 8 24) v0)))))))) (bvslt #b001 t4)))
        (check-sat)
    "#]],
    );
}

#[test]
fn horn_clauses_apply_predicates_to_variables() {
    let mut terms = Terms::new();
    let x = terms.var(VarId(0), Sort::Bv(8));
    let one = terms.bv(8, 1);
    let (yes, next, zero) = (terms.bool(true), terms.add(x, one), terms.bv(8, 0));
    let below = terms.binary(Op::Ult, x, one);
    let mut system = HornSystem::new();
    let inv = system.predicate("inv at 3", vec![x]);
    let pair = system.predicate("pair", vec![x, terms.var(VarId(1), Sort::Bv(8))]);
    let app = |pred, args: &[_]| Application::new(pred, args.to_vec());
    let mut rule = |body, constraint, head| system.rule(Rule::new(body, constraint, head));
    rule(vec![], yes, Some(app(inv, &[zero])));
    rule(vec![app(inv, &[x])], below, Some(app(inv, &[next])));
    rule(vec![app(inv, &[x])], yes, Some(app(pair, &[x, x])));
    rule(vec![app(pair, &[x, next])], yes, None);
    rule(vec![app(inv, &[next])], below, None);
    let text = system.to_smtlib(&terms).expect("a plain system");
    expect![[r#"
        (set-logic HORN)
        (declare-fun p0_inv_at_3 ((_ BitVec 8)) Bool)
        (declare-fun p1_pair ((_ BitVec 8) (_ BitVec 8)) Bool)
        (declare-fun failure () Bool)
        (assert (forall ((a0 (_ BitVec 8))) (=> (= a0 #x00) (p0_inv_at_3 a0))))
        (assert (forall ((v0 (_ BitVec 8)) (a0 (_ BitVec 8))) (=> (and (p0_inv_at_3 v0) (and (bvult v0 #x01) (= a0 (bvadd v0 #x01)))) (p0_inv_at_3 a0))))
        (assert (forall ((v0 (_ BitVec 8)) (a0 (_ BitVec 8)) (a1 (_ BitVec 8))) (=> (and (p0_inv_at_3 v0) (and (= a0 v0) (= a1 v0))) (p1_pair a0 a1))))
        (assert (forall ((v0 (_ BitVec 8)) (a0 (_ BitVec 8))) (=> (and (p1_pair v0 a0) (= a0 (bvadd v0 #x01))) failure)))
        (assert (forall ((v0 (_ BitVec 8)) (a0 (_ BitVec 8))) (=> (and (p0_inv_at_3 a0) (and (bvult v0 #x01) (= a0 (bvadd v0 #x01)))) failure)))
        (assert (=> failure false))
        (check-sat)
    "#]].assert_eq(&text);
}

#[test]
fn a_system_that_cannot_be_solved_says_why() {
    let mut terms = Terms::new();
    let f = terms.var(VarId(0), Sort::Float(FloatKind::F32));
    let number = terms.binary(Op::FloatEq, f, f);
    let (a, b) = (terms.base(ObjId(4), 64), terms.base(ObjId(5), 64));
    let same = terms.eq(a, b);
    for (constraint, reason) in [
        (number, "rule 0: Spacer does not know floats"),
        (same, "rule 0: the address of object 5 is not fixed"),
    ] {
        let mut system = HornSystem::new();
        system.bind_base(ObjId(4), 8);
        system.rule(Rule::new(vec![], constraint, None));
        assert_eq!(system.to_smtlib(&terms), Err(reason.to_string()));
        let answer = smt::horn::solve(&mut terms, &system, None);
        assert_eq!(answer, smt::horn::HornAnswer::Unknown(reason.to_string()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Z3 reads the text and finds the same as through the facade.
    #[test]
    fn a_script_means_what_was_asserted(
        recipes in prop::collection::vec(recipe(6), 1..4),
        floats in prop::bool::weighted(0.2),
    ) {
        let mut terms = Terms::new();
        let mut solver = Solver::new();
        solver.set_timeout(Some(Duration::from_millis(300)));
        let mut kitchen = Kitchen::new(&mut terms, floats);
        let truths: Vec<_> = recipes.iter().map(|r| kitchen.cook_truth(r)).collect();
        for truth in truths {
            solver.assert(&terms, truth);
        }
        let expected = match solver.check(&terms, &[]) {
            Check::Sat => z3::SatResult::Sat,
            Check::Unsat => z3::SatResult::Unsat,
            Check::Unknown(_) => return Ok(()),
        };
        let text = solver.to_smtlib(&terms);
        let count = text.matches("(assert ").count();
        let reader = z3::Solver::new();
        let mut params = z3::Params::new();
        params.set_u32("timeout", 2000);
        reader.set_params(&params);
        reader.from_string(text.clone());
        // What Z3 could not read would be missing without a word.
        prop_assert_eq!(reader.get_assertions().len(), count, "{}", text);
        let found = reader.check();
        prop_assert!(found == expected || found == z3::SatResult::Unknown, "{}", text);
    }
}
