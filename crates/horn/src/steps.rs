//! Steps of threads from one place that matters to the next, several actions at a time.
//!
//! Places that matter are the locations outside of blocks, errors, and inside of blocks enough
//! locations to cut every loop. What lies between them has no loops, so a path of actions through
//! it is one condition and one list of assignments. This is the composition that clauses S2 and
//! S3 of the paper leave to the Horn solver.

use crate::blocks::Blocks;
use abstraction::{ActionId, Program};
use dataflow::BitSet;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use xcfa::LocId;

/// If more paths than this leave one place, paths are cut where they meet.
const MOST_PATHS: usize = 100;

/// A path of actions of one thread.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whose it is.
    pub thread: usize,
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// What is done.
    pub actions: Vec<ActionId>,
    /// It can be taken if this holds before it.
    pub guard: Term,
    /// The new values of the variables that it changes, in terms of what was before.
    pub updates: FxHashMap<VarId, Term>,
    /// The threads that it starts.
    pub starts: Vec<usize>,
}

/// All steps of a program.
#[derive(Debug)]
pub struct Steps {
    /// In no order.
    pub steps: Vec<Step>,
    /// By thread: the places that matter and can be reached by following actions.
    pub places: Vec<Vec<LocId>>,
}

impl Steps {
    /// The steps between the places that matter.
    pub fn of(program: &Program, terms: &mut Terms, blocks: &Blocks) -> Steps {
        let mut cuts = BitSet::new();
        for loc in 0..program.locations() {
            let id = LocId(loc as u32);
            if !blocks.is_inside(id) || program.error(id).is_some() || program.out(id).is_empty() {
                cuts.insert(loc);
            }
        }
        for action in program.actions.iter().filter(|action| action.backward) {
            cuts.insert(action.target.0 as usize);
        }
        if !few_paths(program, &cuts) {
            cuts.union_with(&meetings(program));
        }
        let mut found = Steps {
            steps: Vec::new(),
            places: Vec::new(),
        };
        for thread in &program.threads {
            found.of_thread(program, terms, &cuts, thread.init);
        }
        found
    }

    fn of_thread(&mut self, program: &Program, terms: &mut Terms, cuts: &BitSet, init: LocId) {
        let mut places = vec![init];
        let mut next = 0;
        while let Some(&place) = places.get(next) {
            next += 1;
            let first = self.steps.len();
            self.leave_place(program, terms, cuts, place);
            for step in &self.steps[first..] {
                if !places.contains(&step.target) {
                    places.push(step.target);
                }
            }
        }
        self.places.push(places);
    }

    fn leave_place(&mut self, program: &Program, terms: &mut Terms, cuts: &BitSet, place: LocId) {
        if program.error(place).is_some() {
            return;
        }
        let mut open: Vec<Step> = Vec::new();
        for &id in program.out(place) {
            let start = Step::at(terms, program[id].thread, place);
            open.extend(start.then(program, terms, id));
        }
        while let Some(step) = open.pop() {
            if cuts.contains(step.target.0 as usize) {
                self.steps.push(step);
                continue;
            }
            for &id in program.out(step.target) {
                open.extend(step.clone().then(program, terms, id));
            }
        }
    }
}

impl Step {
    /// A step that has not done anything yet.
    pub(crate) fn at(terms: &mut Terms, thread: usize, place: LocId) -> Step {
        Step {
            thread,
            source: place,
            target: place,
            actions: Vec::new(),
            guard: terms.bool(true),
            updates: FxHashMap::default(),
            starts: Vec::new(),
        }
    }

    /// Goes on with an action; nothing if that is impossible.
    pub(crate) fn then(
        mut self,
        program: &Program,
        terms: &mut Terms,
        id: ActionId,
    ) -> Option<Step> {
        let action = &program[id];
        let cond = terms.substitute(action.guard, &self.updates);
        self.guard = terms.and(self.guard, cond);
        if terms.as_const(self.guard) == Some(0) {
            return None;
        }
        let new: Vec<(VarId, Term)> = action
            .updates
            .iter()
            .map(|&(var, value)| (var, terms.substitute(value, &self.updates)))
            .collect();
        self.updates.extend(new);
        self.target = action.target;
        self.actions.push(id);
        self.starts.extend(&action.starts);
        Some(self)
    }

    /// The value of a variable afterwards.
    pub fn value(&self, program: &Program, terms: &mut Terms, var: VarId) -> Term {
        match self.updates.get(&var) {
            Some(&value) => value,
            None => terms.var(var, program.vars[var.0 as usize].sort),
        }
    }
}

fn few_paths(program: &Program, cuts: &BitSet) -> bool {
    let mut counts: FxHashMap<LocId, usize> = FxHashMap::default();
    cuts.iter().all(|cut| {
        let out = program.out(LocId(cut as u32)).iter();
        let targets = out.map(|&id| program[id].target);
        let paths: usize = targets
            .map(|to| paths(program, cuts, to, &mut counts))
            .sum();
        paths <= MOST_PATHS
    })
}

/// How many paths lead from a location to the next cuts.
fn paths(
    program: &Program,
    cuts: &BitSet,
    loc: LocId,
    counts: &mut FxHashMap<LocId, usize>,
) -> usize {
    if cuts.contains(loc.0 as usize) {
        return 1;
    }
    if let Some(&count) = counts.get(&loc) {
        return count;
    }
    let mut count = 0usize;
    for &id in program.out(loc) {
        count = count.saturating_add(paths(program, cuts, program[id].target, counts));
    }
    counts.insert(loc, count);
    count
}

/// Locations to which several actions lead.
fn meetings(program: &Program) -> BitSet {
    let (mut once, mut twice) = (BitSet::new(), BitSet::new());
    for action in &program.actions {
        if !once.insert(action.target.0 as usize) {
            twice.insert(action.target.0 as usize);
        }
    }
    twice
}
