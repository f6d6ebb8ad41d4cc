//! Building a term simplifies it; its value must stay what the operators say.

use expr::{Env, ObjId, Op, Sort, Term, Terms, VarId, apply};
use proptest::prelude::*;

/// An expression as it was asked for, before any simplification.
#[derive(Clone, Debug)]
enum Plain {
    Const(Sort, u64),
    Var(u32, Sort),
    Unary(Op, Box<Plain>),
    Binary(Op, Box<Plain>, Box<Plain>),
    Ite(Box<Plain>, Box<Plain>, Box<Plain>),
}

const VALUES: [u64; 4] = [0, 1, 0x7f, 0xffff_ffff_ffff_ff80];

struct Fixed;

impl Env for Fixed {
    fn var(&self, var: VarId) -> u64 {
        let sort = if var.0 < 4 { Sort::Bv(8) } else { Sort::Bool };
        VALUES[var.0 as usize % 4] & sort.mask()
    }

    fn base(&self, obj: ObjId) -> u64 {
        u64::from(obj.0)
    }
}

impl Plain {
    fn sort(&self) -> Sort {
        match self {
            Plain::Const(sort, _) | Plain::Var(_, sort) => *sort,
            Plain::Unary(op, a) => op.result(&[a.sort()]),
            Plain::Binary(op, a, b) => op.result(&[a.sort(), b.sort()]),
            Plain::Ite(_, a, _) => a.sort(),
        }
    }

    fn eval(&self) -> u64 {
        match self {
            Plain::Const(sort, bits) => bits & sort.mask(),
            Plain::Var(var, _) => Fixed.var(VarId(*var)),
            Plain::Unary(op, a) => apply(*op, a.sort(), a.eval(), 0),
            Plain::Binary(Op::Concat, a, b) => a.eval() << b.sort().width() | b.eval(),
            Plain::Binary(op, a, b) => apply(*op, a.sort(), a.eval(), b.eval()),
            Plain::Ite(c, a, b) => {
                if c.eval() != 0 {
                    a.eval()
                } else {
                    b.eval()
                }
            }
        }
    }

    fn build(&self, terms: &mut Terms) -> Term {
        match self {
            Plain::Const(sort, bits) => terms.constant(*sort, *bits),
            Plain::Var(var, sort) => terms.var(VarId(*var), *sort),
            Plain::Unary(op, a) => {
                let a = a.build(terms);
                terms.unary(*op, a)
            }
            Plain::Binary(op, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.binary(*op, a, b)
            }
            Plain::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
        }
    }
}

/// Bytes (`bytes`) and truth values (`truths`), nested up to a depth.
fn bytes(depth: u32) -> BoxedStrategy<Plain> {
    let constant = prop_oneof![Just(0), Just(1), Just(0xff), Just(0x80), any::<u64>()]
        .prop_map(|bits| Plain::Const(Sort::Bv(8), bits));
    let leaf = prop_oneof![
        constant,
        (0u32..4).prop_map(|var| Plain::Var(var, Sort::Bv(8)))
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    use Op::*;
    let binary = prop::sample::select(vec![
        Add, Sub, Mul, Udiv, Sdiv, Urem, Srem, BitAnd, BitOr, BitXor, Shl, Lshr, Ashr,
    ]);
    let (a, b) = (bytes(depth - 1), bytes(depth - 1));
    let narrow = (
        0u32..8,
        prop::sample::select(vec![true, false]),
        bytes(depth - 1),
    )
        .prop_map(|(hi, signed, a)| {
            let low = Plain::Unary(Extract { hi, lo: 0 }, Box::new(a));
            Plain::Unary(if signed { SignExt(8) } else { ZeroExt(8) }, Box::new(low))
        });
    let halves = (bytes(depth - 1), bytes(depth - 1)).prop_map(|(a, b)| {
        let high = Plain::Unary(Extract { hi: 7, lo: 4 }, Box::new(a));
        let low = Plain::Unary(Extract { hi: 3, lo: 0 }, Box::new(b));
        Plain::Binary(Concat, Box::new(high), Box::new(low))
    });
    prop_oneof![
        leaf,
        (binary, a, b).prop_map(|(op, a, b)| Plain::Binary(op, Box::new(a), Box::new(b))),
        (prop::sample::select(vec![Neg, BitNot]), bytes(depth - 1))
            .prop_map(|(op, a)| Plain::Unary(op, Box::new(a))),
        (truths(depth - 1), bytes(depth - 1), bytes(depth - 1)).prop_map(|(c, a, b)| Plain::Ite(
            Box::new(c),
            Box::new(a),
            Box::new(b)
        )),
        narrow,
        halves,
    ]
    .boxed()
}

fn truths(depth: u32) -> BoxedStrategy<Plain> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(|bit| Plain::Const(Sort::Bool, bit as u64)),
        (4u32..6).prop_map(|var| Plain::Var(var, Sort::Bool)),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    use Op::*;
    let comparison = prop::sample::select(vec![
        Eq,
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
    ]);
    let pair = |op: Op, a: Plain, b: Plain| Plain::Binary(op, Box::new(a), Box::new(b));
    let (a, b) = (bytes(depth - 1), bytes(depth - 1));
    let (p, q) = (truths(depth - 1), truths(depth - 1));
    prop_oneof![
        leaf,
        (comparison, a, b).prop_map(move |(op, a, b)| pair(op, a, b)),
        (prop::sample::select(vec![And, Or, Eq]), p, q).prop_map(move |(op, a, b)| pair(op, a, b)),
        truths(depth - 1).prop_map(|a| Plain::Unary(Not, Box::new(a))),
        (truths(depth - 1), truths(depth - 1), truths(depth - 1)).prop_map(|(c, a, b)| Plain::Ite(
            Box::new(c),
            Box::new(a),
            Box::new(b)
        )),
    ]
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn simplification_keeps_the_value(plain in prop_oneof![bytes(4), truths(4)]) {
        let mut terms = Terms::new();
        let term = plain.build(&mut terms);
        prop_assert_eq!(terms.sort(term), plain.sort());
        prop_assert_eq!(terms.eval(term, &Fixed), plain.eval());
    }
}
