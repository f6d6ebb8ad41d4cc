//! What the facade promises beyond the meaning of terms.

use expr::{FloatKind, ObjId, Op, Sort, Term, Terms, VarId};
use smt::{Check, Interrupt, Solver, on_worker};
use std::thread;
use std::time::{Duration, Instant};

fn byte(terms: &mut Terms, var: u32) -> Term {
    terms.var(VarId(var), Sort::Bv(8))
}

fn below(terms: &mut Terms, a: Term, bits: u64) -> Term {
    let bits = terms.constant(terms.sort(a), bits);
    terms.binary(Op::Ult, a, bits)
}

/// Two large factors of a product that has none: hard for every solver.
fn hard(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (
        terms.var(VarId(0), Sort::Bv(64)),
        terms.var(VarId(1), Sort::Bv(64)),
    );
    let product = terms.binary(Op::Mul, x, y);
    // The product of the primes 2147483647 and 2147483629.
    let target = terms.bv(64, 2_147_483_647 * 2_147_483_629);
    let equal = terms.eq(product, target);
    let overflows = terms.binary(Op::UmulOverflow, x, y);
    let (small, large) = (below(terms, x, 2_147_483_629), below(terms, x, 2));
    vec![equal, terms.not(overflows), small, terms.not(large)]
}

#[test]
fn frames_come_and_go() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let (small, tiny) = (below(&mut terms, x, 5), below(&mut terms, x, 0x80));
    let large = terms.not(small);
    let mut solver = Solver::new();
    solver.assert(&terms, tiny);
    solver.push();
    solver.assert(&terms, small);
    assert_eq!(solver.check(&terms, &[large]), Check::Unsat);
    assert_eq!(solver.core(), Some(&[large][..]));
    assert_eq!(solver.assertions().collect::<Vec<_>>(), [tiny, small]);
    solver.pop();
    assert_eq!(solver.depth(), 0);
    assert_eq!(solver.check(&terms, &[large]), Check::Sat);
    let value = solver.value(&terms, x).expect("a model");
    assert!((5..0x80).contains(&value));
    let counters = solver.counters();
    assert_eq!((counters.checks, counters.sat, counters.unsat), (2, 1, 1));
}

#[test]
fn a_core_leaves_out_what_is_not_needed() {
    let mut terms = Terms::new();
    let (x, y) = (byte(&mut terms, 0), byte(&mut terms, 1));
    let (small, other) = (below(&mut terms, x, 5), below(&mut terms, y, 5));
    let large = terms.not(small);
    let mut solver = Solver::new();
    let result = solver.check(&terms, &[other, large, small, large]);
    assert_eq!(result, Check::Unsat);
    assert_eq!(solver.core(), Some(&[large, small][..]));
    assert_eq!(solver.value(&terms, x), None);
    assert_eq!(solver.model(), None);
}

#[test]
fn a_model_goes_away_with_the_next_assertion() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let small = below(&mut terms, x, 5);
    let mut solver = Solver::new();
    assert_eq!(solver.check(&terms, &[]), Check::Sat);
    assert!(solver.value(&terms, x).is_some());
    solver.assert(&terms, small);
    assert_eq!(solver.value(&terms, x), None);
}

#[test]
fn the_first_float_moves_all_frames_to_the_general_solver() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let f = terms.var(VarId(1), Sort::Float(FloatKind::F64));
    let small = below(&mut terms, x, 5);
    let large = terms.not(small);
    let half = terms.float(FloatKind::F64, 0.5);
    let less = terms.binary(Op::FloatLt, f, half);
    let is_number = terms.binary(Op::FloatEq, f, f);
    let mut solver = Solver::new();
    solver.assert(&terms, small);
    solver.push();
    assert_eq!(solver.check(&terms, &[large]), Check::Unsat);
    solver.assert(&terms, less);
    assert_eq!(solver.check(&terms, &[large]), Check::Unsat);
    assert_eq!(solver.check(&terms, &[]), Check::Sat);
    let bits = solver.value(&terms, f).expect("a model");
    assert!(f64::from_bits(bits) < 0.5);
    let no_number = terms.not(is_number);
    assert_eq!(solver.check(&terms, &[no_number]), Check::Unsat);
    solver.pop();
    assert_eq!(solver.check(&terms, &[no_number]), Check::Sat);
    // A NaN is equal to itself as bits, and to nothing as a number.
    let bits = solver.value(&terms, f).expect("a model");
    assert!(f64::from_bits(bits).is_nan());
}

#[test]
fn addresses_are_free_unless_bound() {
    let mut terms = Terms::new();
    let (a, b) = (terms.base(ObjId(0), 64), terms.base(ObjId(1), 64));
    let equal = terms.eq(a, b);
    let mut solver = Solver::new();
    assert_eq!(solver.check(&terms, &[equal]), Check::Sat);
    let mut solver = Solver::new();
    solver.bind_base(ObjId(0), 0x1000);
    solver.bind_base(ObjId(1), 0x2000);
    assert_eq!(solver.check(&terms, &[equal]), Check::Unsat);
    assert_eq!(solver.check(&terms, &[]), Check::Sat);
    let model = solver.model().expect("satisfiable");
    assert_eq!(model.bases[&ObjId(1)], 0x2000);
}

#[test]
#[should_panic(expected = "one pool")]
fn terms_of_a_copied_pool_are_refused() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, 0);
    let small = below(&mut terms, x, 5);
    let mut solver = Solver::new();
    solver.assert(&terms, small);
    let copy = terms.clone();
    solver.assert(&copy, small);
}

#[test]
fn a_time_limit_ends_a_check() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let mut solver = Solver::new();
    solver.set_timeout(Some(Duration::from_millis(200)));
    let start = Instant::now();
    let check = solver.check(&terms, &hard);
    assert!(matches!(check, Check::Unknown(_)), "{check:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(solver.counters().unknown, 1);
    // The limit can be lifted, and the solver goes on working.
    solver.set_timeout(None);
    assert_eq!(solver.check(&terms, &[]), Check::Sat);
}

#[test]
fn another_thread_can_interrupt() {
    let mut terms = Terms::new();
    let hard = hard(&mut terms);
    let mut solver = Solver::new();
    let interrupt = Interrupt::of_this_thread();
    let other = {
        let interrupt = interrupt.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            interrupt.interrupt();
        })
    };
    let start = Instant::now();
    let check = solver.check(&terms, &hard);
    assert!(matches!(check, Check::Unknown(_)), "{check:?}");
    assert!(start.elapsed() < Duration::from_secs(5));
    other.join().expect("the other thread ends");
    // It stays interrupted until it is reset.
    assert_eq!(
        solver.check(&terms, &[]),
        Check::Unknown("interrupted".into())
    );
    interrupt.clear();
    assert_eq!(solver.check(&terms, &[]), Check::Sat);
}

#[test]
fn a_handle_may_outlive_its_thread() {
    let handle = thread::spawn(Interrupt::of_this_thread)
        .join()
        .expect("the thread ends");
    handle.interrupt();
    assert!(handle.is_set());
}

/// Deeper than the stack of any thread would allow a recursive translation.
#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let mut deep = byte(&mut terms, 0);
    let y = byte(&mut terms, 1);
    for _ in 0..100_000 {
        deep = terms.binary(Op::Udiv, deep, y);
        deep = terms.unary(Op::BitNot, deep);
    }
    let small = below(&mut terms, deep, 5);
    let mut solver = Solver::new();
    solver.assert(&terms, small);
    let text = solver.to_smtlib(&terms);
    assert_eq!(text.matches("bvudiv").count(), 100_000);
}

#[test]
fn a_worker_returns_what_it_found_unless_it_panics() {
    assert_eq!(on_worker(|| false, || 7), Some(7));
    let panicking = || -> i32 { panic!("on purpose") };
    assert_eq!(on_worker(|| false, panicking), None);
}

#[test]
fn a_worker_is_stopped_in_the_middle_of_a_question() {
    let start = Instant::now();
    let over = || start.elapsed() > Duration::from_millis(200);
    let asked = on_worker(over, || {
        let mut terms = Terms::new();
        let hard = hard(&mut terms);
        let mut solver = Solver::new();
        [solver.check(&terms, &hard), solver.check(&terms, &[])]
    });
    let asked = asked.expect("it does not panic");
    assert!(
        asked.iter().all(|check| matches!(check, Check::Unknown(_))),
        "{asked:?}"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
}
