//! Circuits against the evaluator.

use super::{Blaster, Gates};
use crate::{Lit, Satisfiability};
use expr::{Env, Node, ObjId, Op, Sort, Term, Terms, VarId};
use generator::Rng;
use rustc_hash::FxHashMap;
use verdict::Budget;

struct Values(Vec<u64>);

impl Env for Values {
    fn var(&self, var: VarId) -> u64 {
        self.0[var.0 as usize]
    }

    fn base(&self, obj: ObjId) -> u64 {
        0x1000 * (u64::from(obj.0) + 1)
    }
}

const BINARY: [Op; 19] = [
    Op::Add,
    Op::Sub,
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::Eq,
    Op::SaddOverflow,
    Op::SsubOverflow,
    Op::UaddOverflow,
    Op::UsubOverflow,
    Op::Concat,
    Op::Add,
];
const HEAVY: [Op; 7] = [
    Op::Mul,
    Op::Udiv,
    Op::Sdiv,
    Op::Urem,
    Op::Srem,
    Op::SmulOverflow,
    Op::UmulOverflow,
];

/// Grows a random term: a pool of subterms, each applied to earlier ones of fitting sorts.
fn random_term(rng: &mut Rng, terms: &mut Terms, vars: &[(VarId, Sort)], width: u32) -> Term {
    let mut pool: Vec<Term> = vars
        .iter()
        .map(|&(var, sort)| terms.var(var, sort))
        .collect();
    for bits in [0, 1, u64::MAX, 1 << (width - 1), 3] {
        pool.push(terms.bv(width, bits));
    }
    if width == 64 {
        pool.push(terms.base(ObjId(0), 64));
    }
    for _ in 0..8 {
        let pick = |rng: &mut Rng, pool: &[Term]| pool[rng.below(pool.len())];
        let (a, b) = (pick(rng, &pool), pick(rng, &pool));
        let heavy = width <= 9 && rng.below(3) == 0;
        let op = if heavy {
            HEAVY[rng.below(HEAVY.len())]
        } else {
            BINARY[rng.below(BINARY.len())]
        };
        let made = match terms.sort(a) {
            Sort::Bool if terms.sort(b) == Sort::Bool => match rng.below(3) {
                0 => terms.and(a, b),
                1 => terms.or(a, b),
                _ => terms.not(a),
            },
            Sort::Bool => {
                let other = pick(rng, &pool);
                match terms.sort(other) == terms.sort(b) {
                    true => terms.ite(a, b, other),
                    false => continue,
                }
            }
            Sort::Bv(now) if rng.below(5) == 0 => match rng.below(5) {
                0 => terms.unary(Op::Neg, a),
                1 => terms.unary(Op::BitNot, a),
                2 if now < 64 => terms.unary(Op::SignExt(now + 1), a),
                3 if now < 64 => terms.unary(Op::ZeroExt(now + 1), a),
                _ => terms.extract(a, now - 1, now / 2),
            },
            Sort::Bv(now) => {
                let fits = match op {
                    Op::Concat => now + terms.width(b) <= 64 && terms.sort(b) != Sort::Bool,
                    _ => terms.sort(a) == terms.sort(b),
                };
                if !fits {
                    continue;
                }
                terms.binary(op, a, b)
            }
            Sort::Float(_) => continue,
        };
        pool.push(made);
    }
    *pool.last().expect("the pool is never empty")
}

fn bits_of(blaster: &mut Blaster, word: &[Lit]) -> u64 {
    let bits = word.iter().enumerate();
    bits.map(|(at, &lit)| u64::from(blaster.gates.sat.is_true(lit)) << at)
        .sum()
}

#[test]
fn random_terms_have_the_value_that_evaluation_gives() {
    let mut rng = Rng::new(1);
    for round in 0..1500 {
        let width = match round % 4 {
            0 => 1 + rng.below(64) as u32,
            1 => [8, 16, 32, 64][rng.below(4)],
            _ => 1 + rng.below(9) as u32,
        };
        let mut terms = Terms::new();
        let vars: Vec<(VarId, Sort)> = (0..3)
            .map(|at| {
                (
                    VarId(at),
                    if at == 2 { Sort::Bool } else { Sort::Bv(width) },
                )
            })
            .collect();
        let term = random_term(&mut rng, &mut terms, &vars, width);
        let bases = FxHashMap::from_iter([(ObjId(0), 0x1000)]);
        let mut blaster = Blaster::new(bases);
        let word = blaster.word(&terms, term).expect("no floats here");
        for _ in 0..4 {
            let values = Values(
                vars.iter()
                    .map(|(_, sort)| rng.next_u64() & sort.mask())
                    .collect(),
            );
            let mut assumptions = Vec::new();
            for &(var, sort) in &vars {
                let bits = blaster.var(var, sort).clone();
                let value = Gates::constant_word(sort.width(), values.0[var.0 as usize]);
                let fixed = bits.iter().zip(value);
                assumptions
                    .extend(fixed.map(|(&bit, value)| if value == Lit::TRUE { bit } else { !bit }));
            }
            let outcome = blaster.gates.sat.solve(&assumptions, &Budget::unlimited());
            assert_eq!(
                outcome,
                Satisfiability::Satisfiable,
                "circuits have a value for every input"
            );
            assert_eq!(
                bits_of(&mut blaster, &word),
                terms.eval(term, &values),
                "round {round}"
            );
        }
    }
}

#[test]
fn floats_are_refused_but_carried() {
    let mut terms = Terms::new();
    let sort = Sort::Float(expr::FloatKind::F32);
    let (x, y) = (terms.var(VarId(0), sort), terms.var(VarId(1), sort));
    let sum = terms.binary(Op::FloatAdd, x, y);
    let same = terms.eq(x, y);
    let mut blaster = Blaster::default();
    assert!(blaster.word(&terms, sum).is_err());
    assert!(blaster.lit(&terms, same).is_ok());
    assert!(matches!(terms.node(sum), Node::Binary(Op::FloatAdd, ..)));
}
