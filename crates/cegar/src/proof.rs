//! Checks a closed graph again, apart from the code that built it.
//!
//! Nothing of the abstractor, the successor computation or the reduction is used here, only the
//! program itself: the root stands for the initial state; no node is an error; every explored
//! action is covered by its successors; every action that was left out is impossible, or left out
//! for a reason that holds; every covered node lies below its coverer.
//!
//! The reason is recomputed pair by pair: no action that an outside thread can ever take is
//! dependent on one that a thread inside takes next, one thread inside can certainly move, and no
//! loop is closed.

mod crowd;
mod dependence;

use crate::arg::{Arg, Node, NodeId};
use abstraction::por::Base;
use abstraction::query::Queries;
use abstraction::{Action, ActionId, Control, Data, Evaluator, Precision, Program, Truth};
use dependence::Dependences;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use verdict::{Budget, Reason};
use xcfa::{ErrorKind, LocId};

/// Why a graph proves nothing.
pub enum Flaw {
    /// Something is wrong with it.
    Wrong(String),
    /// There was no time to look at all of it.
    Stopped(Reason),
}

/// What the graph is a proof about.
pub struct Checker<'a> {
    pub program: &'a Program,
    pub terms: &'a mut Terms,
    pub precision: &'a Precision,
    pub arg: &'a Arg,
    pub config: &'a crate::Config,
    /// By location: can a thread there always move?
    pub total: &'a [bool],
    pub target: ErrorKind,
}

struct Work<'a, 'b> {
    on: &'b mut Checker<'a>,
    evaluator: Evaluator,
    queries: Queries,
    dependences: Dependences,
}

impl Checker<'_> {
    /// Checks every node.
    pub fn check(&mut self, budget: &Budget) -> Result<(), Flaw> {
        let dependences = Dependences::new(self.config);
        let ids: Vec<NodeId> = self.arg.ids().collect();
        let mut work = Work {
            on: self,
            evaluator: Evaluator::default(),
            queries: Queries::new(),
            dependences,
        };
        for (count, &id) in ids.iter().enumerate() {
            if count % 64 == 63
                && let Some(reason) = budget.exceeded(verdict::resident_bytes())
            {
                return Err(Flaw::Stopped(reason));
            }
            if let Err(what) = work.node(id) {
                return Err(match work.queries.unanswered() {
                    0 => Flaw::Wrong(format!("node {}: {what}", id.0)),
                    _ => Flaw::Stopped(Reason::Inconclusive(
                        "the solver gave up when the proof was checked".into(),
                    )),
                });
            }
        }
        Ok(())
    }
}

type Checked = Result<(), &'static str>;

fn ensure(holds: bool, otherwise: &'static str) -> Checked {
    holds.then_some(()).ok_or(otherwise)
}

impl Work<'_, '_> {
    fn node(&mut self, id: NodeId) -> Checked {
        let arg = self.on.arg;
        let node = arg.node(id);
        if node.parent.is_none() {
            self.root(node)?;
        }
        for loc in node.locations() {
            let error = self.on.program.error(loc);
            let bad = error == Some(self.on.target) || error == Some(ErrorKind::Unwound);
            ensure(!bad, "it is an error")?;
        }
        if let Some(coverer) = node.coverer {
            let coverer = arg.node(coverer);
            ensure(!coverer.removed, "its coverer is gone")?;
            ensure(coverer.control == node.control, "its coverer is elsewhere")?;
            ensure(
                self.crowd_below(&node.crowd, &coverer.crowd),
                "its coverer lacks threads",
            )?;
            return ensure(node.data.leq(&coverer.data), "it is not below its coverer");
        }
        let Some(expansion) = &node.expansion else {
            return Err("it was never expanded");
        };
        for &action in &expansion.actions {
            self.successors(node, None, action)?;
        }
        self.left_out(node, &expansion.actions)?;
        self.crowd(node)
    }

    fn root(&mut self, node: &Node) -> Checked {
        let initial = Control::initial(self.on.program);
        ensure(
            *node.control == initial,
            "the root is not where threads start",
        )?;
        for (slot, var) in self.on.precision.vars().iter().enumerate() {
            let init = self.on.program.vars[var.0 as usize].init;
            let known = node.data.value(slot);
            ensure(
                known.is_none() || known == init,
                "the root has a wrong value",
            )?;
        }
        for (number, predicate) in self.on.precision.predicates().iter().enumerate() {
            let vars = &self.on.program.vars;
            let first = self
                .on
                .terms
                .map_leaves(predicate.term, &mut |terms, leaf| {
                    let init = vars[terms.as_var(leaf)?.0 as usize].init?;
                    Some(terms.constant(terms.sort(leaf), init))
                });
            let holds = match node.data.truth(number) {
                Truth::Unknown => continue,
                Truth::Yes => Some(1),
                Truth::No => Some(0),
            };
            let same = self.on.terms.as_const(first) == holds;
            ensure(same, "the root is wrong about a predicate")?;
        }
        Ok(())
    }

    fn value(&mut self, data: &Data, term: Term) -> Option<u64> {
        self.evaluator.forget();
        let precision = self.on.precision;
        let env = |var| precision.slot(var).and_then(|slot| data.value(slot));
        self.evaluator.eval(self.on.terms, term, &env)
    }

    /// Can the condition hold in the node, together with another one?
    fn possible(&mut self, data: &Data, guard: Term, also: Term) -> bool {
        let cond = self.on.terms.and(guard, also);
        let cond = self.put_in(data, cond);
        if self.on.terms.as_const(cond) == Some(0) {
            return false;
        }
        let facts = self.facts(data);
        self.queries.satisfiable(self.on.terms, facts, cond)
    }

    fn put_in(&mut self, data: &Data, term: Term) -> Term {
        let precision = self.on.precision;
        self.on.terms.map_leaves(term, &mut |terms, leaf| {
            let slot = precision.slot(terms.as_var(leaf)?)?;
            let value = data.value(slot)?;
            Some(terms.constant(terms.sort(leaf), value))
        })
    }

    /// What the predicates of a node say.
    fn facts(&mut self, data: &Data) -> Vec<Term> {
        let mut facts = Vec::new();
        for (number, predicate) in self.on.precision.predicates().iter().enumerate() {
            let fact = match data.truth(number) {
                Truth::Unknown => continue,
                Truth::Yes => predicate.term,
                Truth::No => self.on.terms.not(predicate.term),
            };
            let fact = self.put_in(data, fact);
            if self.on.terms.as_const(fact) != Some(1) {
                facts.push(fact);
            }
        }
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    /// Whatever the action leads to is in one of its successors.
    fn successors(&mut self, node: &Node, member: Option<usize>, id: ActionId) -> Checked {
        let program = self.on.program;
        let action = &program[id];
        let before = node.data_of(member);
        if self.value(&before, action.guard) == Some(0) {
            return Ok(());
        }
        let updates: FxHashMap<VarId, Term> = action.updates.iter().copied().collect();
        let mut insides = Vec::new();
        for &child in &node.children {
            let child = self.on.arg.node(child);
            if child.parent.is_none_or(|(_, by)| by != id) || child.member != member {
                continue;
            }
            self.places(node, member, action, child)?;
            let mut after = child.data.clone();
            for arrived in &child.arrived {
                after = arrived.put_into(&after);
            }
            insides.push(self.inside(&before, &updates, &after));
        }
        let mut lost = false;
        match insides.as_slice() {
            // One condition at a time is easier for a solver.
            [only] => {
                for &holds in only {
                    let fails = self.on.terms.not(holds);
                    lost |= self.possible(&before, action.guard, fails);
                }
            }
            several => {
                let mut escapes = self.on.terms.bool(true);
                for inside in several {
                    let inside = self.on.terms.and_all(inside.iter().copied());
                    let outside = self.on.terms.not(inside);
                    escapes = self.on.terms.and(escapes, outside);
                }
                lost = self.possible(&before, action.guard, escapes);
            }
        }
        ensure(!lost, "an action leads out of its successors")
    }

    /// The conditions for being in `after` when the updates have been made.
    fn inside(
        &mut self,
        before: &Data,
        updates: &FxHashMap<VarId, Term>,
        after: &Data,
    ) -> Vec<Term> {
        let mut inside = Vec::new();
        let precision = self.on.precision;
        for (slot, &var) in precision.vars().iter().enumerate() {
            let Some(wanted) = after.value(slot) else {
                continue;
            };
            let sort = self.on.program.vars[var.0 as usize].sort;
            let term = match updates.get(&var) {
                Some(&term) => term,
                None => self.on.terms.var(var, sort),
            };
            if self.value(before, term) == Some(wanted) {
                continue;
            }
            let constant = self.on.terms.constant(sort, wanted);
            inside.push(self.on.terms.eq(term, constant));
        }
        for (number, predicate) in precision.predicates().iter().enumerate() {
            let mut holds = self.on.terms.substitute(predicate.term, updates);
            match after.truth(number) {
                Truth::Unknown => continue,
                Truth::Yes => {}
                Truth::No => holds = self.on.terms.not(holds),
            }
            inside.push(holds);
        }
        inside
    }

    fn impossible(&mut self, node: &Node, action: &Action) -> bool {
        let truth = self.on.terms.bool(true);
        self.value(&node.data, action.guard) == Some(0)
            || !self.possible(&node.data, action.guard, truth)
    }

    /// With source sets: the outsiders that are stuck as long as only outsiders move. They start as
    /// all that cannot move, and lose those that an enabled outsider may release.
    fn stuck(&mut self, node: &Node, outside: &[(usize, LocId)]) -> Vec<LocId> {
        let program = self.on.program;
        let mut stuck: Vec<LocId> = outside.iter().map(|&(_, loc)| loc).collect();
        stuck.retain(|&loc| {
            let mut out = program.out(loc).iter();
            self.on.config.por == Base::Source
                && out.all(|&action| self.value(&node.data, program[action].guard) == Some(0))
        });
        let movers = |stuck: &[LocId]| -> Vec<LocId> {
            let locs = outside.iter().map(|&(_, loc)| loc);
            locs.filter(|loc| !stuck.contains(loc)).collect()
        };
        while let Some(at) = stuck.iter().position(|&loc| {
            let movers = movers(&stuck);
            let mut reads = program
                .out(loc)
                .iter()
                .flat_map(|&a| program[a].reads.iter());
            reads.any(|var| {
                let var = VarId(var as u32);
                let slot = self.on.precision.slot(var);
                let known = slot.and_then(|slot| node.data.value(slot)).is_some();
                let mut movers = movers.iter();
                known && movers.any(|&mover| self.dependences.changes(program, mover, var))
            })
        }) {
            stuck.swap_remove(at);
        }
        stuck
    }

    /// Every action that was left out is impossible, or may wait.
    fn left_out(&mut self, node: &Node, explored: &[ActionId]) -> Checked {
        let program = self.on.program;
        let holder = node.control.holder();
        let mut threads: Vec<_> = node.control.threads().collect();
        threads.retain(|&(thread, _)| holder.is_none_or(|holder| holder == thread));
        let mut waiting = Vec::new();
        for &(thread, loc) in &threads {
            for &action in program.out(loc) {
                if !explored.contains(&action) && !self.impossible(node, &program[action]) {
                    waiting.push(thread);
                }
            }
        }
        if waiting.is_empty() {
            return Ok(());
        }
        let inside = |thread: usize| explored.iter().any(|&a| program[a].thread == thread);
        let (mut set, mut outside): (Vec<_>, Vec<_>) =
            threads.iter().partition(|&&(thread, _)| inside(thread));
        // Threads that cannot move may have to be inside for the set to be closed.
        while let Some(at) = {
            let stuck = self.stuck(node, &outside);
            outside.iter().position(|&(_, far)| {
                let mut near = set.iter();
                !stuck.contains(&far)
                    && near.any(|&(_, near)| {
                        self.dependences.meet(program, self.on.precision, near, far)
                    })
            })
        } {
            set.push(outside.swap_remove(at));
        }
        let may_wait = set.iter().all(|(thread, _)| !waiting.contains(thread));
        ensure(may_wait, "an action was left out that others depend on")?;
        let closes = explored.iter().any(|&action| program[action].backward);
        ensure(!closes, "others wait for a loop")?;
        let certain = set.iter().any(|&(_, loc)| {
            self.on.total[loc.0 as usize]
                || program.out(loc).iter().any(|&action| {
                    let action = &program[action];
                    action.nesting <= 0 && self.value(&node.data, action.guard) == Some(1)
                })
        });
        ensure(certain, "others wait for threads that may be stuck")
    }
}
