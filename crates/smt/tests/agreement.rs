//! The solver and the evaluator mean the same by every operator.

mod common;

use common::{Kitchen, VARS, recipe};
use expr::{Env, FloatKind, Node, ObjId, Op, Sort, Term, Terms, VarId};
use proptest::prelude::*;
use smt::{Check, Solver};

/// Values for the variables, by their numbers.
#[derive(Clone, Debug)]
struct Values(Vec<u64>);

impl Env for Values {
    fn var(&self, var: VarId) -> u64 {
        self.0[var.0 as usize] & VARS[var.0 as usize].mask()
    }

    fn base(&self, obj: ObjId) -> u64 {
        0x1000 + 16 * u64::from(obj.0)
    }
}

/// Bits that are interesting for integers or floats.
fn value() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => prop::sample::select(vec![0, 1, 2, 0x7f, 0x80, 0xff, 0x8000_0000, u64::MAX, 1 << 63]),
        2 => prop::sample::select(vec![0.5f32, -1.5, 3e9, -0.0, f32::INFINITY, 1e-40])
            .prop_map(|x| u64::from(x.to_bits())),
        2 => prop::sample::select(vec![0.1f64, -7.25, 1e19, -1e300, f64::NAN, 5e-324])
            .prop_map(f64::to_bits),
        3 => any::<u64>(),
    ]
}

fn values() -> impl Strategy<Value = Values> {
    prop::collection::vec(value(), VARS.len()).prop_map(Values)
}

/// Does an operator of `term` make a value that is no number? Its bits are then arbitrary.
fn makes_nan(terms: &Terms, term: Term, env: &Values) -> bool {
    let mut found = false;
    terms.for_each_subterm(term, &mut |part, node| {
        let bits = match node {
            Node::Unary(Op::FloatNeg | Op::FloatFromBits(_), _) => return,
            Node::Unary(..) | Node::Binary(..) => terms.eval(part, env),
            _ => return,
        };
        found |= match terms.sort(part) {
            Sort::Float(FloatKind::F32) => f32::from_bits(bits as u32).is_nan(),
            Sort::Float(FloatKind::F64) => f64::from_bits(bits).is_nan(),
            _ => false,
        };
    });
    found
}

/// A solver in which every variable and address has its value.
fn fixed(terms: &mut Terms, env: &Values) -> Solver {
    let mut solver = Solver::new();
    for obj in 0..3 {
        solver.bind_base(ObjId(obj), env.base(ObjId(obj)));
    }
    for (number, &sort) in VARS.iter().enumerate() {
        let var = VarId(number as u32);
        let (term, value) = (terms.var(var, sort), terms.constant(sort, env.var(var)));
        let equal = terms.eq(term, value);
        solver.assert(terms, equal);
    }
    solver
}

/// The value of `term` is what the evaluator says, and nothing else.
fn agrees(terms: &mut Terms, term: Term, env: &Values) -> Result<(), TestCaseError> {
    let sort = terms.sort(term);
    let expected = terms.eval(term, env);
    let constant = terms.constant(sort, expected);
    let equal = terms.eq(term, constant);
    let mut solver = fixed(terms, env);
    prop_assert_eq!(solver.check(terms, &[equal]), Check::Sat);
    prop_assert_eq!(solver.value(terms, term), Some(expected));
    if !makes_nan(terms, term, env) {
        let other = terms.not(equal);
        prop_assert_eq!(solver.check(terms, &[other]), Check::Unsat);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn bit_vectors_mean_what_the_evaluator_says(recipe in recipe(14), env in values()) {
        let mut terms = Terms::new();
        let term = Kitchen::new(&mut terms, false).cook(&recipe);
        agrees(&mut terms, term, &env)?;
    }

    #[test]
    fn a_model_makes_the_assertion_true(recipe in recipe(10)) {
        let mut terms = Terms::new();
        let truth = Kitchen::new(&mut terms, false).cook_truth(&recipe);
        let mut solver = Solver::new();
        solver.set_timeout(Some(std::time::Duration::from_millis(500)));
        solver.assert(&terms, truth);
        if solver.check(&terms, &[]) == Check::Sat {
            let model = solver.model().expect("satisfiable");
            prop_assert_eq!(terms.eval(truth, &model), 1);
            prop_assert_eq!(solver.value(&terms, truth), Some(1));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn floats_mean_what_the_evaluator_says(recipe in recipe(8), env in values()) {
        let mut terms = Terms::new();
        let term = Kitchen::new(&mut terms, true).cook(&recipe);
        agrees(&mut terms, term, &env)?;
    }

    #[test]
    fn a_core_is_unsatisfiable(recipes in prop::collection::vec(recipe(6), 2..7)) {
        let mut terms = Terms::new();
        let mut kitchen = Kitchen::new(&mut terms, false);
        let assumptions: Vec<Term> = recipes.iter().map(|r| kitchen.cook_truth(r)).collect();
        let mut solver = Solver::new();
        solver.set_timeout(Some(std::time::Duration::from_millis(500)));
        if solver.check(&terms, &assumptions) == Check::Unsat {
            let core = solver.core().expect("unsatisfiable").to_vec();
            prop_assert!(core.iter().all(|term| assumptions.contains(term)));
            let mut fresh = Solver::new();
            for &term in &core {
                fresh.assert(&terms, term);
            }
            prop_assert_eq!(fresh.check(&terms, &[]), Check::Unsat);
        }
    }
}

/// Every operator on every pair of interesting values, for narrow and wide vectors.
#[test]
fn every_bit_vector_operator_agrees_on_the_edges() {
    use Op::*;
    let operators = [
        Eq,
        Add,
        Sub,
        Mul,
        Udiv,
        Sdiv,
        Urem,
        Srem,
        BitAnd,
        BitOr,
        BitXor,
        Shl,
        Lshr,
        Ashr,
        Ult,
        Ule,
        Slt,
        Sle,
        SaddOverflow,
        SsubOverflow,
        SmulOverflow,
        UaddOverflow,
        UsubOverflow,
        UmulOverflow,
    ];
    let edges = |width: u32| {
        let top = 1u64 << (width - 1);
        let mut edges = vec![0, 1, 2, top, top - 1, top + 1, u64::MAX, u64::MAX - 1];
        edges
            .iter_mut()
            .for_each(|edge| *edge &= u64::MAX >> (64 - width));
        edges.sort_unstable();
        edges.dedup();
        edges
    };
    let mut terms = Terms::new();
    for (number, width) in [1, 2, 3, 8, 33, 64].into_iter().enumerate() {
        let sort = expr::Sort::Bv(width);
        let (a, b) = (VarId(2 * number as u32), VarId(2 * number as u32 + 1));
        let (a, b) = (terms.var(a, sort), terms.var(b, sort));
        let mut solver = Solver::new();
        for &x in &edges(width) {
            for &y in &edges(width) {
                solver.push();
                let (cx, cy) = (terms.constant(sort, x), terms.constant(sort, y));
                let (ex, ey) = (terms.eq(a, cx), terms.eq(b, cy));
                solver.assert(&terms, ex);
                solver.assert(&terms, ey);
                assert_eq!(solver.check(&terms, &[]), Check::Sat);
                for op in operators {
                    let term = terms.binary(op, a, b);
                    let expected = expr::apply(op, sort, x, y);
                    let value = solver.value(&terms, term);
                    assert_eq!(value, Some(expected), "{op:?} {width} {x} {y}");
                }
                solver.pop();
            }
        }
    }
}
