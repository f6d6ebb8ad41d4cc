//! From Z3's answer to terms.
//!
//! Whatever has no counterpart (quantifiers, numbers of more than 64 bits) is refused; integers
//! become bit vectors of 64 bits, which most of them fit in. A mistake here would cost an answer
//! but never make a wrong one, because every solution is checked afterwards.

use super::HornSystem;
use crate::raw;
use expr::{Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use z3::ast::{Ast, Dynamic};
use z3::{DeclKind, FuncDecl};

/// Integers become bit vectors of this width.
const NUMBER: u32 = 64;

type Result<T> = std::result::Result<T, String>;

/// One formula per predicate.
///
/// A predicate that the model does not mention can be anything; true is tried.
pub(super) fn solution(
    terms: &mut Terms,
    system: &HornSystem,
    predicates: &[FuncDecl],
    naturals: &BTreeSet<VarId>,
    model: &z3::Model,
) -> Result<Vec<Term>> {
    let both = predicates.iter().zip(system.predicates());
    both.map(|(decl, predicate)| {
        let mut reader = Reader {
            terms,
            params: &predicate.params,
            naturals,
            names: FxHashMap::default(),
            done: FxHashMap::default(),
        };
        if predicate.params.is_empty() {
            let truth = model.eval(&decl.apply(&[]), true);
            let truth = truth.ok_or_else(|| format!("{decl} has no value"))?;
            return reader.term(&truth);
        }
        match model.get_func_interp(decl) {
            Some(interpretation) => reader.interpretation(&interpretation),
            None => Ok(reader.terms.bool(true)),
        }
    })
    .collect()
}

/// The formula that an implication leads to, over constants that stand for the parameters.
pub(super) fn implied(
    terms: &mut Terms,
    params: &[Term],
    name: impl Fn(usize) -> String,
    implication: &z3::ast::Bool,
) -> Result<Term> {
    let names = params.iter().enumerate();
    let mut reader = Reader {
        names: names.map(|(at, &param)| (name(at), param)).collect(),
        terms,
        params: &[],
        naturals: &BTreeSet::new(),
        done: FxHashMap::default(),
    };
    let formula = implication.children().pop();
    let formula = formula.ok_or("an assertion that is no implication")?;
    reader.term(&formula)
}

/// Reads formulas over bound variables.
struct Reader<'a> {
    terms: &'a mut Terms,
    /// Bound variables stand for the parameters, in their order.
    params: &'a [Term],
    /// Parameters that are numbers without a sign.
    naturals: &'a BTreeSet<VarId>,
    /// Constants that stand for parameters.
    names: FxHashMap<String, Term>,
    done: FxHashMap<Dynamic, Term>,
}

impl Reader<'_> {
    /// A table of exceptions in front of a formula.
    fn interpretation(&mut self, interpretation: &z3::FuncInterp) -> Result<Term> {
        let mut formula = self.term(&interpretation.get_else())?;
        for entry in interpretation.get_entries() {
            let mut here = self.terms.bool(true);
            for (arg, &param) in entry.get_args().iter().zip(self.params) {
                let arg = self.term(arg)?;
                let equal = self.terms.eq(param, arg);
                here = self.terms.and(here, equal);
            }
            let value = self.term(&entry.get_value())?;
            formula = self.terms.ite(here, value, formula);
        }
        Ok(formula)
    }

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
            let param = self.params.get(index).copied();
            let param = param.ok_or_else(|| foreign(ast))?;
            return match (ast.as_int(), self.terms.sort(param)) {
                (None, _) => Ok(param),
                (Some(_), Sort::Bv(_)) => {
                    let var = self.terms.as_var(param);
                    let signed = var.is_none_or(|var| !self.naturals.contains(&var));
                    Ok(self.terms.resize(param, NUMBER, signed))
                }
                _ => Err(foreign(ast)),
            };
        }
        if let Some(value) = ast.as_int().and_then(|number| number.as_i64()) {
            return Ok(self.terms.bv(NUMBER, value as u64));
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
        if let Some(&param) = self.names.get(&decl.name()) {
            return Ok(param);
        }
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
            (K::Uminus | K::Bneg, &[a]) => terms.unary(Op::Neg, a),
            (K::Bnot, &[a]) => terms.unary(Op::BitNot, a),
            (K::Concat, &[first, ref rest @ ..]) => rest
                .iter()
                .fold(first, |high, &low| terms.binary(Op::Concat, high, low)),
            (K::Idiv | K::Mod | K::Rem, &[a, b]) => {
                let by = terms.as_const(b).filter(|&by| (by as i64) > 0)?;
                euclid(terms, a, by, kind == K::Idiv)
            }
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

/// Division of integers by a positive number, rounding down, or what it leaves.
fn euclid(terms: &mut Terms, a: Term, by: u64, quotient: bool) -> Term {
    let (by, zero) = (terms.bv(NUMBER, by), terms.bv(NUMBER, 0));
    let rest = terms.binary(Op::Srem, a, by);
    let negative = terms.binary(Op::Slt, rest, zero);
    let raised = terms.add(rest, by);
    let rest = terms.ite(negative, raised, rest);
    match quotient {
        false => rest,
        true => {
            let multiple = terms.binary(Op::Sub, a, rest);
            terms.binary(Op::Sdiv, multiple, by)
        }
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
        K::Slt | K::Lt => (Op::Slt, false, false),
        K::Sleq | K::Le => (Op::Sle, false, false),
        K::Sgt | K::Gt => (Op::Slt, true, false),
        K::Sgeq | K::Ge => (Op::Sle, true, false),
        K::BumulNoOvfl => (Op::UmulOverflow, false, true),
        _ => return None,
    })
}

fn arithmetic(kind: DeclKind) -> Option<Op> {
    use DeclKind as K;
    Some(match kind {
        K::Badd | K::Add => Op::Add,
        K::Bsub | K::Sub => Op::Sub,
        K::Bmul | K::Mul => Op::Mul,
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
