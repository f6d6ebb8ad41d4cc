//! The values of all inputs, and which of them need not be tried any more.

use expr::{Env, Node, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smt::{Check, Solver};
use std::collections::BTreeSet;
use std::time::Duration;
use xcfa::Xcfa;

/// A question takes no longer than this.
const TIMEOUT: Duration = Duration::from_secs(5);

/// An input: its thread, the number of events before it, and its index in the event.
pub type InputName = (u32, u32, u32);

/// What to do when all executions have been run with some inputs.
pub enum Next {
    /// All inputs are covered.
    Covered,
    /// There are others to be tried; they are set.
    Again,
    /// It is not known.
    Unclear,
}

/// All inputs of a program.
#[derive(Clone)]
pub struct InputSpace {
    /// Owns the conditions; those of the program are a part of it.
    pub terms: Terms,
    first_var: u32,
    numbers: FxHashMap<InputName, u32>,
    /// By number: the value that is tried now.
    values: Vec<u64>,
    /// Conditions of the executions with these values.
    conditions: Vec<Term>,
    known: FxHashSet<Term>,
    /// Regions of other values that need not be tried.
    regions: Vec<Term>,
    /// Where inputs come from.
    pub sources: BTreeSet<String>,
    /// Something was done with an input that has no form as a condition.
    pub lost: bool,
}

/// The values that are tried now.
struct Tried<'s>(&'s InputSpace);

impl Env for Tried<'_> {
    fn var(&self, var: VarId) -> u64 {
        self.0.values[(var.0 - self.0.first_var) as usize]
    }

    fn base(&self, _: ObjId) -> u64 {
        unreachable!("addresses are constants in conditions")
    }
}

impl InputSpace {
    /// Of a program.
    pub fn of(xcfa: &Xcfa) -> InputSpace {
        InputSpace {
            terms: xcfa.terms.clone(),
            first_var: xcfa.vars.len() as u32,
            numbers: FxHashMap::default(),
            values: Vec::new(),
            conditions: Vec::new(),
            known: FxHashSet::default(),
            regions: Vec::new(),
            sources: BTreeSet::new(),
            lost: false,
        }
    }

    fn number(&mut self, name: InputName) -> u32 {
        let fresh = self.values.len() as u32;
        let number = *self.numbers.entry(name).or_insert(fresh);
        if number == fresh {
            self.values.push(0);
        }
        number
    }

    /// The value of an input that is tried now.
    pub fn value(&mut self, name: InputName) -> u64 {
        let number = self.number(name);
        self.values[number as usize]
    }

    /// The variable that stands for an input.
    pub fn input(&mut self, name: InputName, sort: Sort) -> Option<Term> {
        let Sort::Bv(width) = sort else {
            return None;
        };
        let var = VarId(self.first_var + self.number(name));
        let all = self.terms.var(var, Sort::Bv(64));
        Some(self.terms.extract(all, width - 1, 0))
    }

    /// The current value of a term.
    pub fn eval(&self, term: Term) -> u64 {
        self.terms.eval(term, &Tried(self))
    }

    /// An execution goes its way because a condition is what it is.
    pub fn note(&mut self, condition: Term) {
        if self.terms.as_const(condition).is_some() {
            return;
        }
        let condition = match self.eval(condition) {
            0 => self.terms.not(condition),
            _ => condition,
        };
        if self.known.insert(condition) {
            self.conditions.push(condition);
        }
    }

    /// Adopts what another worker learnt with the same values.
    pub fn absorb(&mut self, other: InputSpace) {
        let mut names = vec![None; other.values.len()];
        for (&name, &number) in &other.numbers {
            names[number as usize] = Some(name);
        }
        let mut translated = FxHashMap::default();
        // In the order of their numbers, so that theirs are given to the new ones.
        for (number, name) in names.into_iter().flatten().enumerate() {
            let from = VarId(other.first_var + number as u32);
            translated.insert(from, VarId(self.first_var + self.number(name)));
        }
        let mut done = FxHashMap::default();
        for condition in other.conditions {
            let condition = self.import(&other.terms, condition, &translated, &mut done);
            self.note(condition);
        }
        self.sources.extend(other.sources);
        self.lost |= other.lost;
    }

    fn import(
        &mut self,
        from: &Terms,
        term: Term,
        vars: &FxHashMap<VarId, VarId>,
        done: &mut FxHashMap<Term, Term>,
    ) -> Term {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let args: SmallVec<[Term; 3]> = from.args(term).collect();
        let args: SmallVec<[Term; 3]> = args
            .into_iter()
            .map(|arg| self.import(from, arg, vars, done))
            .collect();
        let terms = &mut self.terms;
        let here = match from.node(term) {
            Node::Const(sort, bits) => terms.constant(sort, bits),
            Node::Var(var, sort) => terms.var(vars[&var], sort),
            Node::Base(obj, width) => terms.base(obj, width),
            Node::Unary(op, _) => terms.unary(op, args[0]),
            Node::Binary(op, ..) => terms.binary(op, args[0], args[1]),
            Node::Ite(..) => terms.ite(args[0], args[1], args[2]),
        };
        done.insert(term, here);
        here
    }

    /// Have inputs been asked for?
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All executions have been run with the present values: what now?
    pub fn next(&mut self, calls: &mut u64) -> Next {
        if self.is_empty() {
            return Next::Covered;
        }
        if self.lost {
            return Next::Unclear;
        }
        let conditions = std::mem::take(&mut self.conditions);
        self.known.clear();
        let region = self.terms.and_all(conditions);
        self.regions.push(region);
        let mut solver = Solver::new();
        solver.set_timeout(Some(TIMEOUT));
        for &region in &self.regions {
            let outside = self.terms.not(region);
            solver.assert(&self.terms, outside);
        }
        *calls += 1;
        match solver.check(&self.terms, &[]) {
            Check::Unsat => Next::Covered,
            Check::Sat => {
                for number in 0..self.values.len() {
                    let var = VarId(self.first_var + number as u32);
                    let var = self.terms.var(var, Sort::Bv(64));
                    self.values[number] = solver.value(&self.terms, var).unwrap_or(0);
                }
                Next::Again
            }
            _ => Next::Unclear,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expr::Op;
    use xcfa::{DataModel, Sources};

    fn space() -> InputSpace {
        InputSpace::of(&Xcfa::new(DataModel::Lp64, Sources::default()))
    }

    /// `n < 10`, for an input `n` of eight bits.
    fn below_ten(space: &mut InputSpace) -> Term {
        let input = space.input((1, 0, 0), Sort::Bv(8)).expect("a number");
        let ten = space.terms.constant(Sort::Bv(8), 10);
        space.terms.binary(Op::Ult, input, ten)
    }

    /// A program that branches once on its input has two regions.
    #[test]
    fn one_input_of_each_region_is_tried() {
        let (mut space, mut calls) = (space(), 0);
        let mut tried = Vec::new();
        loop {
            let condition = below_ten(&mut space);
            tried.push(space.eval(condition));
            space.note(condition);
            match space.next(&mut calls) {
                Next::Again => assert!(tried.len() < 3, "a region comes again"),
                Next::Covered => break,
                Next::Unclear => panic!("eight bits are no question"),
            }
        }
        tried.sort_unstable();
        assert_eq!((tried, calls), (vec![0, 1], 2));
    }

    #[test]
    fn without_inputs_everything_is_covered() {
        assert!(matches!(space().next(&mut 0), Next::Covered));
    }

    #[test]
    fn what_has_no_condition_leaves_it_unclear() {
        let mut space = space();
        below_ten(&mut space);
        space.lost = true;
        assert!(matches!(space.next(&mut 0), Next::Unclear));
    }

    #[test]
    fn what_another_worker_noted_counts() {
        let (mut one, mut two) = (space(), space());
        // The other worker meets another input first, so that its numbers are different.
        two.value((2, 0, 0));
        let condition = below_ten(&mut two);
        two.note(condition);
        one.absorb(two);
        let condition = below_ten(&mut one);
        assert_eq!(one.conditions, [condition]);
    }
}
