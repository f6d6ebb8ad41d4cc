//! Terms outside of their pool: to be written to a file and read again.

use crate::{Node, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Some terms with all that they are made of.
///
/// Inside, a term is the position of its node; arguments come before what they are arguments of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Portable {
    nodes: Vec<Node>,
    terms: Vec<Term>,
}

impl Portable {
    /// Copies terms out of their pool.
    pub fn of(pool: &Terms, terms: &[Term]) -> Portable {
        let mut portable = Portable::default();
        let mut place: FxHashMap<Term, Term> = FxHashMap::default();
        for &term in terms {
            let mut open = vec![term];
            while let Some(&next) = open.last() {
                let waiting = pool.args(next).filter(|arg| !place.contains_key(arg));
                let before = open.len();
                open.extend(waiting);
                if open.len() > before {
                    continue;
                }
                open.pop();
                if !place.contains_key(&next) {
                    let here = Term(portable.nodes.len() as u32);
                    let node = renamed(pool.node(next), |arg| place[&arg]);
                    portable.nodes.push(node);
                    place.insert(next, here);
                }
            }
            portable.terms.push(place[&term]);
        }
        portable
    }

    /// Builds the terms in a pool. Nothing is given if they make no sense or have a variable
    /// that is not of the sort that `sort_of` says.
    pub fn build(
        &self,
        pool: &mut Terms,
        sort_of: impl Fn(VarId) -> Option<Sort>,
    ) -> Option<Vec<Term>> {
        let mut built: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for &node in &self.nodes {
            let find = |arg: Term| built.get(arg.index()).copied();
            let term = match node {
                Node::Const(sort, bits) if is_sort(sort) => pool.constant(sort, bits),
                Node::Var(var, sort) if sort_of(var) == Some(sort) => pool.var(var, sort),
                Node::Base(object, width @ 1..=64) => pool.base(object, width),
                Node::Unary(op, a) => {
                    let a = find(a)?;
                    fits(op, &[pool.sort(a)]).then(|| pool.unary(op, a))?
                }
                Node::Binary(op, a, b) => {
                    let (a, b) = (find(a)?, find(b)?);
                    fits(op, &[pool.sort(a), pool.sort(b)]).then(|| pool.binary(op, a, b))?
                }
                Node::Ite(c, a, b) => {
                    let (c, a, b) = (find(c)?, find(a)?, find(b)?);
                    let sorts = [pool.sort(c), pool.sort(a), pool.sort(b)];
                    (sorts[0] == Sort::Bool && sorts[1] == sorts[2]).then(|| pool.ite(c, a, b))?
                }
                _ => return None,
            };
            built.push(term);
        }
        let terms = self.terms.iter();
        terms.map(|term| built.get(term.index()).copied()).collect()
    }
}

fn renamed(node: Node, mut place: impl FnMut(Term) -> Term) -> Node {
    match node {
        Node::Const(..) | Node::Var(..) | Node::Base(..) => node,
        Node::Unary(op, a) => Node::Unary(op, place(a)),
        Node::Binary(op, a, b) => Node::Binary(op, place(a), place(b)),
        Node::Ite(c, a, b) => Node::Ite(place(c), place(a), place(b)),
    }
}

fn is_sort(sort: Sort) -> bool {
    !matches!(sort, Sort::Bv(0) | Sort::Bv(65..))
}

/// Can the operator be applied to arguments of these sorts?
fn fits(op: Op, args: &[Sort]) -> bool {
    use Op::*;
    let is_bits = |sort: &Sort| matches!(sort, Sort::Bv(_));
    let is_float = |sort: &Sort| matches!(sort, Sort::Float(_));
    let wider = |to: u32| matches!(args, [Sort::Bv(from)] if *from <= to && to <= 64);
    match op {
        Not => args == [Sort::Bool],
        And | Or => args == [Sort::Bool; 2],
        Eq => args.len() == 2 && args[0] == args[1],
        Ite => false,
        Neg | BitNot | AddressToInt => args.len() == 1 && is_bits(&args[0]),
        Add | Sub | Mul | Udiv | Sdiv | Urem | Srem | BitAnd | BitOr | BitXor | Shl | Lshr
        | Ashr | Ult | Ule | Slt | Sle | SaddOverflow | SsubOverflow | SmulOverflow
        | UaddOverflow | UsubOverflow | UmulOverflow => {
            args.len() == 2 && args[0] == args[1] && is_bits(&args[0])
        }
        Extract { hi, lo } => {
            matches!(args, [Sort::Bv(width)] if lo <= hi && hi < *width)
        }
        Concat => {
            args.len() == 2 && args.iter().all(is_bits) && args[0].width() + args[1].width() <= 64
        }
        ZeroExt(to) | SignExt(to) => wider(to),
        FloatNeg | FloatToBits | FloatToFloat(_) => args.len() == 1 && is_float(&args[0]),
        FloatToSigned(width) | FloatToUnsigned(width) => {
            args.len() == 1 && is_float(&args[0]) && (1..=64).contains(&width)
        }
        FloatAdd | FloatSub | FloatMul | FloatDiv | FloatEq | FloatLt | FloatLe => {
            args.len() == 2 && args[0] == args[1] && is_float(&args[0])
        }
        SignedToFloat(_) | UnsignedToFloat(_) => args.len() == 1 && is_bits(&args[0]),
        FloatFromBits(kind) => args == [Sort::Bv(Sort::Float(kind).width())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut pool = Terms::new();
        let x = pool.var(VarId(3), Sort::Bv(32));
        let one = pool.bv(32, 1);
        let sum = pool.binary(Op::Add, x, one);
        let less = pool.binary(Op::Slt, x, sum);
        let portable = Portable::of(&pool, &[less, sum]);
        let mut other = Terms::new();
        let of = |var: VarId| (var.0 == 3).then_some(Sort::Bv(32));
        let built = portable.build(&mut other, of).unwrap();
        assert_eq!(built.len(), 2);
        assert_eq!(Portable::of(&other, &built), portable);
        assert_eq!(portable.build(&mut other, |_| None), None);
    }

    #[test]
    fn nonsense_is_refused() {
        let mut pool = Terms::new();
        let x = Node::Var(VarId(0), Sort::Bv(8));
        let of = |_| Some(Sort::Bv(8));
        let bad = [
            vec![Node::Unary(Op::Not, Term(0))],
            vec![x, Node::Unary(Op::Not, Term(0))],
            vec![x, Node::Binary(Op::Add, Term(0), Term(1))],
            vec![x, Node::Unary(Op::ZeroExt(99), Term(0))],
            vec![Node::Const(Sort::Bv(0), 1)],
            vec![x, Node::Ite(Term(0), Term(0), Term(0))],
        ];
        for nodes in bad {
            let terms = vec![Term(nodes.len() as u32 - 1)];
            let portable = Portable { nodes, terms };
            assert_eq!(portable.build(&mut pool, of), None, "{portable:?}");
        }
        let outside = Portable {
            nodes: vec![x],
            terms: vec![Term(1)],
        };
        assert_eq!(outside.build(&mut pool, of), None);
    }
}
