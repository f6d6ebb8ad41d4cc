//! Do two actions that touch the same variables commute all the same?

use abstraction::{Action, ActionId, Program};
use dataflow::BitSet;
use expr::{Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use smt::{Check, Solver};
use verdict::Budget;

/// No question may take more; what is not answered does not commute. No clock is asked, because the
/// clauses depend on the answers, and a proof that is checked again has to fit the same clauses.
const EFFORT: u32 = 200_000;

/// At most this many questions are asked about one program.
const MOST_QUESTIONS: usize = 2000;

/// A solver, and the answers it has given.
pub struct Commutes<'a> {
    program: &'a Program,
    /// The variables whose values matter.
    relevant: BitSet,
    solver: Solver,
    /// When it is used up, nothing commutes any more.
    budget: Budget,
    answers: FxHashMap<(ActionId, ActionId), bool>,
}

impl<'a> Commutes<'a> {
    pub fn new(program: &'a Program, relevant: BitSet, budget: &Budget) -> Commutes<'a> {
        let mut solver = Solver::new();
        solver.set_effort(EFFORT);
        Commutes {
            program,
            relevant,
            solver,
            budget: budget.clone(),
            answers: FxHashMap::default(),
        }
    }

    /// Can the first be put behind the second, if it comes directly before it; and before the
    /// second, if it comes directly behind it?
    pub fn ask(&mut self, terms: &mut Terms, a: ActionId, b: ActionId) -> (bool, bool) {
        (self.swaps(terms, a, b), self.swaps(terms, b, a))
    }

    /// Whenever `a` and then `b` can be done: can `b` and then `a`, with the same outcome?
    fn swaps(&mut self, terms: &mut Terms, a: ActionId, b: ActionId) -> bool {
        if let Some(&known) = self.answers.get(&(a, b)) {
            return known;
        }
        if self.answers.len() >= MOST_QUESTIONS || self.budget.exceeded(0).is_some() {
            return false;
        }
        let (first, second) = (&self.program[a], &self.program[b]);
        // Threads of one template share variables here, but not in the program.
        let answer = match first.thread == second.thread {
            true => {
                let mut twin = Twin {
                    program: self.program,
                    with: FxHashMap::default(),
                    next: self.program.vars.len() as u32,
                };
                let second = twin.of(terms, second);
                self.decide(terms, first, &second)
            }
            false => self.decide(terms, first, second),
        };
        self.answers.insert((a, b), answer);
        answer
    }

    fn decide(&mut self, terms: &mut Terms, a: &Action, b: &Action) -> bool {
        if !a.starts.is_empty() || !b.starts.is_empty() {
            return false;
        }
        let after_a: FxHashMap<VarId, Term> = a.updates.iter().copied().collect();
        let after_b: FxHashMap<VarId, Term> = b.updates.iter().copied().collect();
        let b_later = terms.substitute(b.guard, &after_a);
        let a_later = terms.substitute(a.guard, &after_b);
        let mut same = terms.and(b.guard, a_later);
        let mut changed: Vec<VarId> = after_a.keys().chain(after_b.keys()).copied().collect();
        changed.sort_unstable();
        changed.dedup();
        // Copies for the twin of a thread have numbers of their own.
        let relevant = |var: &VarId| {
            var.0 as usize >= self.program.vars.len() || self.relevant.contains(var.0 as usize)
        };
        changed.retain(relevant);
        for var in changed {
            let one = value(terms, var, &after_b, &after_a);
            let other = value(terms, var, &after_a, &after_b);
            let (Some(one), Some(other)) = (one, other) else {
                continue;
            };
            let equal = terms.eq(one, other);
            same = terms.and(same, equal);
        }
        let differs = terms.not(same);
        if terms.as_const(differs) == Some(0) {
            return true;
        }
        let possible = [a.guard, b_later, differs];
        self.solver.check(terms, &possible) == Check::Unsat
    }
}

/// The value of a variable if `late` is done after `early`.
fn value(
    terms: &mut Terms,
    var: VarId,
    late: &FxHashMap<VarId, Term>,
    early: &FxHashMap<VarId, Term>,
) -> Option<Term> {
    match late.get(&var) {
        Some(&value) => Some(terms.substitute(value, early)),
        None => early.get(&var).copied(),
    }
}

/// The variables of another thread of the same template.
struct Twin<'a> {
    program: &'a Program,
    with: FxHashMap<VarId, VarId>,
    next: u32,
}

impl Twin<'_> {
    fn of(&mut self, terms: &mut Terms, action: &Action) -> Action {
        let mut twin = action.clone();
        twin.guard = self.term(terms, action.guard);
        for (var, value) in &mut twin.updates {
            *value = self.term(terms, *value);
            *var = self.var(*var);
        }
        twin
    }

    fn var(&mut self, var: VarId) -> VarId {
        let about = &self.program.vars[var.0 as usize];
        if !about.input && self.program.template(var).is_none() {
            return var;
        }
        *self.with.entry(var).or_insert_with(|| {
            self.next += 1;
            VarId(self.next - 1)
        })
    }

    fn term(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut renamed = FxHashMap::default();
        for var in terms.vars(term) {
            let sort: Sort = self.program.vars[var.0 as usize].sort;
            let twin = self.var(var);
            renamed.insert(var, terms.var(twin, sort));
        }
        terms.substitute(term, &renamed)
    }
}
