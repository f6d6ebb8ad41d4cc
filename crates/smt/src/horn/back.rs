//! From Z3's answer to terms.
//!
//! Whatever has no exact counterpart (quantifiers, integers, bit vectors of more than 64 bits) is
//! refused. A mistake here would cost an answer but never make a wrong one, because every
//! solution is checked afterwards.

use super::HornSystem;
use crate::raw;
use expr::{Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, Dynamic};

type Result<T> = std::result::Result<T, String>;

/// One formula per predicate, out of a conjunction of definitions.
///
/// A predicate that the answer does not mention can be anything; true is tried.
pub(super) fn solution(
    terms: &mut Terms,
    system: &HornSystem,
    names: &[String],
    answer: &Dynamic,
) -> Result<Vec<Term>> {
    let truth = terms.bool(true);
    let mut solution = vec![truth; system.predicates().len()];
    for part in conjuncts(answer) {
        let definition = match raw::forall_body(&part) {
            Some((_, body)) => body,
            None => part,
        };
        let (head, body) = split(&definition)?;
        let name = head.decl().name();
        // The predicate that stands for falsity is defined too, as false.
        let Some(index) = names.iter().position(|known| *known == name) else {
            continue;
        };
        let vars = parameters(&system.predicates()[index].params, &head)?;
        let mut reader = Reader {
            terms,
            vars,
            done: FxHashMap::default(),
        };
        solution[index] = match body {
            Body::Formula(formula) => reader.term(&formula)?,
            Body::Constant(value) => reader.terms.bool(value),
        };
    }
    Ok(solution)
}

enum Body {
    Formula(Dynamic),
    Constant(bool),
}

fn conjuncts(answer: &Dynamic) -> Vec<Dynamic> {
    match answer.safe_decl().map(|decl| decl.kind()) {
        Ok(DeclKind::And) => answer.children().iter().flat_map(conjuncts).collect(),
        Ok(DeclKind::True) => Vec::new(),
        _ => vec![answer.clone()],
    }
}

/// `P(x) = formula`, `P(x)`, or `not P(x)`.
fn split(definition: &Dynamic) -> Result<(Dynamic, Body)> {
    let unreadable = || format!("cannot read Spacer's solution: {definition}");
    let kind = definition.safe_decl().map_err(|_| unreadable())?.kind();
    let children = definition.children();
    let is_predicate = |ast: &Dynamic| {
        let decl = ast.safe_decl().map(|decl| decl.kind());
        matches!(decl, Ok(DeclKind::Uninterpreted))
    };
    match (kind, children.as_slice()) {
        (DeclKind::Eq | DeclKind::Iff, [a, b]) if is_predicate(a) => {
            Ok((a.clone(), Body::Formula(b.clone())))
        }
        (DeclKind::Eq | DeclKind::Iff, [a, b]) if is_predicate(b) => {
            Ok((b.clone(), Body::Formula(a.clone())))
        }
        (DeclKind::Not, [a]) if is_predicate(a) => Ok((a.clone(), Body::Constant(false))),
        (DeclKind::Uninterpreted, _) => Ok((definition.clone(), Body::Constant(true))),
        _ => Err(unreadable()),
    }
}

/// Which parameter each bound variable stands for.
fn parameters(params: &[Term], head: &Dynamic) -> Result<FxHashMap<usize, Term>> {
    let mut vars = FxHashMap::default();
    for (&param, arg) in params.iter().zip(head.children()) {
        let index =
            raw::bound_index(&arg).ok_or_else(|| format!("{head} is not applied to variables"))?;
        vars.insert(index, param);
    }
    Ok(vars)
}

/// Reads formulas over bound variables.
struct Reader<'a> {
    terms: &'a mut Terms,
    vars: FxHashMap<usize, Term>,
    done: FxHashMap<Dynamic, Term>,
}

impl Reader<'_> {
    fn term(&mut self, ast: &Dynamic) -> Result<Term> {
        if let Some(&term) = self.done.get(ast) {
            return Ok(term);
        }
        let term = self.fresh_term(ast)?;
        self.done.insert(ast.clone(), term);
        Ok(term)
    }

    fn fresh_term(&mut self, ast: &Dynamic) -> Result<Term> {
        if let Some(index) = raw::bound_index(ast) {
            return self.vars.get(&index).copied().ok_or_else(|| foreign(ast));
        }
        if let Some(bits) = ast.as_bv() {
            if bits.get_size() > 64 {
                return Err(foreign(ast));
            }
            if let Some(value) = bits.as_u64() {
                return Ok(self.terms.bv(bits.get_size(), value));
            }
        }
        let decl = ast.safe_decl().map_err(|_| foreign(ast))?;
        let args: Vec<Term> = ast
            .children()
            .iter()
            .map(|child| self.term(child))
            .collect::<Result<_>>()?;
        self.application(ast, decl.kind(), &args)
            .ok_or_else(|| foreign(ast))
    }

    fn application(&mut self, ast: &Dynamic, kind: DeclKind, args: &[Term]) -> Option<Term> {
        use DeclKind as K;
        let terms = &mut *self.terms;
        Some(match (kind, args) {
            (K::True, []) => terms.bool(true),
            (K::False, []) => terms.bool(false),
            (K::And, _) => terms.and_all(args.iter().copied()),
            (K::Or, _) => terms.or_all(args.iter().copied()),
            (K::Not, &[a]) => terms.not(a),
            (K::Implies, &[a, b]) => {
                let not_a = terms.not(a);
                terms.or(not_a, b)
            }
            (K::Eq | K::Iff, &[a, b]) => terms.eq(a, b),
            (K::Xor | K::Distinct, &[a, b]) => terms.ne(a, b),
            (K::Ite, &[c, a, b]) => terms.ite(c, a, b),
            (K::Bcomp, &[a, b]) => {
                let equal = terms.eq(a, b);
                terms.bool_to_bv(equal, 1)
            }
            (K::Extract, &[a]) => {
                let (hi, lo) = (raw::operator_number(ast, 0), raw::operator_number(ast, 1));
                terms.extract(a, hi, lo)
            }
            (K::ZeroExt | K::SignExt, &[a]) => {
                let width = ast.as_bv()?.get_size();
                terms.resize(a, width, kind == K::SignExt)
            }
            (K::Bneg, &[a]) => terms.unary(Op::Neg, a),
            (K::Bnot, &[a]) => terms.unary(Op::BitNot, a),
            (K::Concat, &[first, ref rest @ ..]) => rest
                .iter()
                .fold(first, |high, &low| terms.binary(Op::Concat, high, low)),
            (_, &[a, b]) if relation(kind).is_some() => {
                let (op, swap, negate) = relation(kind)?;
                let (a, b) = if swap { (b, a) } else { (a, b) };
                let holds = terms.binary(op, a, b);
                if negate { terms.not(holds) } else { holds }
            }
            (_, &[first, ref rest @ ..]) => {
                let op = arithmetic(kind)?;
                if !rest.iter().all(|&arg| same_bits(terms, first, arg)) {
                    return None;
                }
                rest.iter().fold(first, |a, &b| terms.binary(op, a, b))
            }
            _ => return None,
        })
    }
}

fn same_bits(terms: &Terms, a: Term, b: Term) -> bool {
    matches!(terms.sort(a), Sort::Bv(_)) && terms.sort(a) == terms.sort(b)
}

/// The operator of a relation, and whether to swap its arguments or negate it.
fn relation(kind: DeclKind) -> Option<(Op, bool, bool)> {
    use DeclKind as K;
    Some(match kind {
        K::Ult => (Op::Ult, false, false),
        K::Uleq => (Op::Ule, false, false),
        K::Ugt => (Op::Ult, true, false),
        K::Ugeq => (Op::Ule, true, false),
        K::Slt => (Op::Slt, false, false),
        K::Sleq => (Op::Sle, false, false),
        K::Sgt => (Op::Slt, true, false),
        K::Sgeq => (Op::Sle, true, false),
        K::BumulNoOvfl => (Op::UmulOverflow, false, true),
        _ => return None,
    })
}

fn arithmetic(kind: DeclKind) -> Option<Op> {
    use DeclKind as K;
    Some(match kind {
        K::Badd => Op::Add,
        K::Bsub => Op::Sub,
        K::Bmul => Op::Mul,
        // The second names are Z3's own for divisors that are not zero.
        K::Budiv | K::BudivI => Op::Udiv,
        K::Bsdiv | K::BsdivI => Op::Sdiv,
        K::Burem | K::BuremI => Op::Urem,
        K::Bsrem | K::BsremI => Op::Srem,
        K::Band => Op::BitAnd,
        K::Bor => Op::BitOr,
        K::Bxor => Op::BitXor,
        K::Bshl => Op::Shl,
        K::Blshr => Op::Lshr,
        K::Bashr => Op::Ashr,
        _ => return None,
    })
}

fn foreign(ast: &Dynamic) -> String {
    format!("Spacer's solution has a part that terms cannot say: {ast}")
}
