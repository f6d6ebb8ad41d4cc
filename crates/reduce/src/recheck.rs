//! Checks a certificate from the program alone.
//!
//! The checker knows nothing of orders, and trusts nothing that it is told: it builds the letters of the
//! program, goes through the states, and sees that
//!
//! - each letter that can be taken at a state is taken, asleep, or put off for a membrane,
//! - each letter that is asleep was asleep or preferred before, and can be swapped with the letter that
//!   was taken in between,
//! - what is said to be known is true, and states that are said to be dead lead to no error,
//! - the invariants hold at the start, each path from one to the next keeps them, and no path from one
//!   leads to an error.
//!
//! Every swap and every path is a question to a plain solver, about bit vectors.

use crate::certificate::{Certificate, StateEvidence};
use crate::commute::{Claim, Commutativity, Commutes};
use crate::cuts::{Path, Paths};
use crate::known::{Followed, Known, is_impossible};
use crate::letters::{LetterId, Letters};
use crate::membrane::Membranes;
use crate::product::{Node, ProductState, ProductStep};
use abstraction::Program;
use expr::{Portable, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use smt::{Check, Solver, on_worker};
use std::collections::BTreeMap;
use verdict::{Budget, Objection, Reason, Task};
use xcfa::LocId;

/// How much more effort a claim gets here than where it was made.
const PATIENCE: u32 = 10;

/// Checks a certificate; why not, if it proves nothing.
pub fn recheck(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    let over = || budget.exceeded(0).is_some();
    let checked = on_worker(over, || recheck_here(task, certificate, budget));
    let failed = || Err(Reason::NotProved("the check failed".into()).into());
    let checked = checked.unwrap_or_else(failed);
    // A question that was cut off when the time was over is no objection.
    checked.map_err(|why| budget.exceeded(0).map_or(why, Objection::Open))
}

fn recheck_here(task: &Task, certificate: &Value, budget: &Budget) -> Result<(), Objection> {
    let certificate = Certificate::deserialize(certificate).map_err(|error| error.to_string())?;
    check_certificate(task, &certificate, budget)
}

/// The same for a certificate that is at hand, on a thread that has a deep stack.
pub(crate) fn check_certificate(
    task: &Task,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<(), Objection> {
    let silent = || format!("a reduced product says nothing about {}", task.property);
    let target = task.property.error().ok_or_else(silent)?;
    let beyond = |refused: passes::Unsupported| {
        Objection::Open(Reason::unsupported_at(
            &task.xcfa,
            refused.span,
            refused.what,
        ))
    };
    let (program, mut terms) =
        Program::remembering(&task.xcfa, certificate.rounds).map_err(beyond)?;
    if program.has_templates() {
        return Err("threads without a bound have no product".into());
    }
    let letters = Letters::of(&program, &mut terms, target, certificate.loose).map_err(beyond)?;
    let followed = Followed::of(&program, &terms, &letters);
    let commutes = Commutes::new(&program, &terms, &letters, Commutativity::Conditional);
    let commutes = commutes.with_patience(PATIENCE);
    let mut nodes = Vec::new();
    for state in &certificate.states {
        nodes.push(node(&program, &mut terms, &letters, state).ok_or("a state makes no sense")?);
    }
    let count = nodes.len();
    if nodes
        .iter()
        .any(|node| node.steps.iter().any(|step| step.target >= count))
    {
        return Err("a step leads nowhere".into());
    }
    let invariants =
        invariants(&program, &mut terms, certificate).ok_or("an invariant makes no sense")?;
    let mut checker = Checker {
        program: &program,
        letters: &letters,
        followed: &followed,
        commutes,
        nodes,
        invariants,
        budget,
    };
    checker.first_state()?;
    for number in 0..count {
        if let Some(reason) = budget.exceeded(0) {
            return Err(reason.into());
        }
        checker.state(&mut terms, number)?;
    }
    checker.paths(&mut terms)
}

fn invariants(
    program: &Program,
    terms: &mut Terms,
    certificate: &Certificate,
) -> Option<BTreeMap<usize, Term>> {
    let mut invariants = BTreeMap::new();
    for (number, state) in certificate.states.iter().enumerate() {
        if let Some(formula) = &state.invariant {
            invariants.insert(number, formula_of(program, terms, formula)?);
        }
    }
    Some(invariants)
}

/// A truth value over variables of the program.
fn formula_of(program: &Program, terms: &mut Terms, formula: &Portable) -> Option<Term> {
    let sort_of = |var: VarId| {
        let about = program.vars.get(var.0 as usize)?;
        (!about.input).then_some(about.sort)
    };
    match formula.build(terms, sort_of)?[..] {
        [formula] if terms.sort(formula) == Sort::Bool => Some(formula),
        _ => None,
    }
}

fn node(
    program: &Program,
    terms: &mut Terms,
    letters: &Letters,
    state: &StateEvidence,
) -> Option<Node> {
    let is_letter = |&number: &u32| letters.ids().any(|id| id.0 == number);
    let is_loc = |loc: &u32| (*loc as usize) < program.locations();
    let steps = state.steps.iter().map(|step| {
        let condition = match &step.condition {
            Some(condition) => Some(formula_of(program, terms, condition)?),
            None => None,
        };
        is_letter(&step.letter).then_some(ProductStep {
            letter: LetterId(step.letter),
            condition,
            target: step.target,
        })
    });
    let steps: Vec<ProductStep> = steps.collect::<Option<_>>()?;
    let sensible = state.locs.len() == program.threads.len()
        && state.locs.iter().flatten().all(is_loc)
        && state.sleep.iter().all(is_letter)
        && state
            .known
            .iter()
            .all(|&(var, _)| (var as usize) < program.vars.len())
        && state
            .membrane
            .is_none_or(|thread| thread < program.threads.len());
    let locs: Vec<Option<LocId>> = state.locs.iter().map(|loc| loc.map(LocId)).collect();
    sensible.then(|| Node {
        error: locs.iter().flatten().any(|&loc| letters.is_error(loc)),
        state: ProductState {
            locs,
            known: state
                .known
                .iter()
                .map(|&(var, value)| (VarId(var), value))
                .collect(),
            sleep: state.sleep.iter().map(|&letter| LetterId(letter)).collect(),
            turn: 0,
            history: Vec::new(),
        },
        steps,
        membrane: state.membrane,
        dead: state.dead,
    })
}

struct Checker<'a> {
    program: &'a Program,
    letters: &'a Letters,
    followed: &'a Followed,
    commutes: Commutes<'a>,
    nodes: Vec<Node>,
    invariants: BTreeMap<usize, Term>,
    budget: &'a Budget,
}

impl Checker<'_> {
    /// Is the first state the start of the program?
    fn first_state(&self) -> Result<(), Objection> {
        let first = self.nodes.first().ok_or("there are no states")?;
        let mut locs = vec![None; self.program.threads.len()];
        locs[0] = Some(self.program.threads[0].init);
        let initial = self.followed.initial(self.program);
        let known = implies(&initial, &first.state.known);
        match first.state.locs == locs && first.state.sleep.is_empty() && known {
            true => Ok(()),
            false => Err("the first state is not the start".into()),
        }
    }

    /// Is no letter missing at a state?
    fn state(&mut self, terms: &mut Terms, number: usize) -> Result<(), Objection> {
        let node = self.nodes[number].clone();
        if node.dead && (node.error || node.steps.iter().any(|step| !self.nodes[step.target].dead))
        {
            return Err("a dead state leads to an error".into());
        }
        if node.error {
            return Ok(());
        }
        let state = &node.state;
        if let Some(thread) = node.membrane {
            let membranes = Membranes {
                program: self.program,
                letters: self.letters,
                followed: self.followed,
            };
            let (locs, known) = (&state.locs, &state.known);
            if !membranes.is_membrane(terms, &mut self.commutes, locs, known, thread) {
                return Err("other threads must not be put off here".into());
            }
        }
        for (thread, loc) in state.locs.iter().enumerate() {
            let Some(loc) = *loc else { continue };
            if node.membrane.is_some_and(|only| only != thread) {
                continue;
            }
            for &id in self.letters.out(loc) {
                let letter = &self.letters[id];
                let excused = state.sleep.contains(&id)
                    || is_impossible(self.program, terms, &state.known, letter);
                if !excused && !is_covered(terms, &node, id) {
                    return Err("a letter is missing at a state".into());
                }
            }
        }
        for at in 0..node.steps.len() {
            self.step(terms, &node, at)?;
        }
        Ok(())
    }

    /// Does a step lead where it says?
    fn step(&mut self, terms: &mut Terms, node: &Node, at: usize) -> Result<(), Objection> {
        let step = &node.steps[at];
        let letter = &self.letters[step.letter];
        let target = self.nodes[step.target].state.clone();
        let mut locs = node.state.locs.clone();
        if locs[letter.thread] != Some(letter.source) {
            return Err("a letter is taken elsewhere".into());
        }
        locs[letter.thread] = Some(letter.target);
        for &started in &letter.starts {
            locs[started] = Some(self.program.threads[started].init);
        }
        let known = self
            .followed
            .after(self.program, terms, &node.state.known, letter);
        if locs != target.locs || !implies(&known, &target.known) {
            return Err("a step leads elsewhere".into());
        }
        for &other in &target.sleep {
            // In no state is it taken after this one: it would wait for this one as this one for it.
            let is_other = |step: &ProductStep| step.letter == other;
            let (before, after) = node.steps.split_at(at);
            let earlier = before.iter().any(is_other) && !after.iter().any(is_other);
            if !earlier && !node.state.sleep.contains(&other) {
                return Err("a letter falls asleep without a reason".into());
            }
            let claim = Claim {
                first: step.letter,
                second: other,
                condition: step.condition,
            };
            let known = &node.state.known;
            if !self.commutes.given(terms, step.letter, other, known)
                && !self.commutes.holds(terms, claim)
            {
                return Err("two letters do not commute".into());
            }
        }
        Ok(())
    }

    /// Are the invariants kept, and are there no errors?
    fn paths(&self, terms: &mut Terms) -> Result<(), Objection> {
        let mut paths = Paths::new(self.program, self.letters);
        let start = paths.start(terms);
        match self.ends(0) {
            true => self.arrive(terms, &start, 0)?,
            false => self.leave(terms, &mut paths, start, 0)?,
        }
        for (&number, &invariant) in &self.invariants {
            let mut path = paths.empty(terms);
            path.guard = invariant;
            self.leave(terms, &mut paths, path, number)?;
        }
        Ok(())
    }

    /// Is there nothing more to be shown after this state?
    fn ends(&self, number: usize) -> bool {
        let node = &self.nodes[number];
        node.dead || node.error || self.invariants.contains_key(&number)
    }

    /// Checks all that comes after a path to a state.
    fn leave(
        &self,
        terms: &mut Terms,
        paths: &mut Paths<'_>,
        path: Path,
        number: usize,
    ) -> Result<(), Objection> {
        let ends = |number: usize| self.ends(number);
        let mut arrive = |terms: &mut Terms, number: usize, path: Path| {
            if let Some(reason) = self.budget.exceeded(0) {
                return Err(reason.into());
            }
            self.arrive(terms, &path, number)
        };
        let checked = paths.region(terms, &self.nodes, (number, path), &ends, &mut arrive);
        checked.unwrap_or_else(|| Err("a cycle has no invariant".into()))
    }

    /// Does what has to hold at the end of a path hold there?
    fn arrive(&self, terms: &mut Terms, path: &Path, number: usize) -> Result<(), Objection> {
        let node = &self.nodes[number];
        if node.dead {
            return Ok(());
        }
        let wanted = match (node.error, self.invariants.get(&number)) {
            (true, _) => terms.bool(false),
            (false, Some(&invariant)) => {
                let with: FxHashMap<VarId, Term> = path
                    .updates
                    .iter()
                    .map(|(&var, &value)| (var, value))
                    .collect();
                terms.substitute(invariant, &with)
            }
            (false, None) => return Err("a path ends too early".into()),
        };
        let broken = terms.not(wanted);
        let mut solver = Solver::new();
        for (&object, &base) in &self.program.bases {
            solver.bind_base(object, base);
        }
        solver.set_timeout(self.budget.remaining());
        solver.assert(terms, path.guard);
        solver.assert(terms, broken);
        match solver.check(terms, &[]) {
            Check::Unsat => Ok(()),
            Check::Sat => Err("an invariant does not hold".into()),
            Check::Unknown(why) => Err(Reason::Inconclusive(why).into()),
        }
    }
}

/// Is a letter taken wherever it can be?
fn is_covered(terms: &mut Terms, node: &Node, letter: LetterId) -> bool {
    let taken = node.steps.iter().filter(|step| step.letter == letter);
    let mut uncovered = terms.bool(true);
    for step in taken {
        let Some(condition) = step.condition else {
            return true;
        };
        let otherwise = terms.not(condition);
        uncovered = terms.and(uncovered, otherwise);
    }
    match terms.as_const(uncovered) {
        Some(value) => value == 0,
        None => Solver::new().check(terms, &[uncovered]) == Check::Unsat,
    }
}

/// Is everything that is said to be known among what is?
fn implies(known: &Known, said: &Known) -> bool {
    said.iter()
        .all(|(var, value)| known.get(var) == Some(value))
}
