//! Following every thread from its start.

use super::deadlock::Stop;
use super::events::{Events, NodeId, Thread, ThreadId};
use super::memory::{Accesses, Cell, Objects};
use super::race::{Pause, Seen};
use super::regions::Regions;
use super::state::{Defaults, State, meet_all};
use super::{Checked, Memory, Unsupported, statics::Statics};
use crate::guard::Guards;
use expr::{Node, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use verdict::Budget;
use xcfa::{Label, LocId, ObjectKind, ProcId, Scope, Var, Xcfa};

/// Follows all threads; what is `checked` is a goal, any other error ends the process.
pub fn walk(
    xcfa: &Xcfa,
    checked: Checked,
    memory: Memory,
    budget: &Budget,
) -> Result<Events, Unsupported> {
    let is_weak = memory == Memory::Weak;
    if is_weak {
        super::weak::refuse(xcfa, checked)?;
    }
    let threads = find_threads(xcfa)?;
    let accesses = Accesses::of(xcfa, checked == Checked::Race);
    let layout = semantics::Layout::new(xcfa);
    let mut xcfa = xcfa.clone();
    fix_addresses(&mut xcfa, &layout);
    let objects = Objects::new(&xcfa, &accesses, is_weak, &|object| layout.base(object));
    let width = xcfa.pointer_bits();
    let one = xcfa.terms.bv(width, 1);
    let started = xcfa.add_var(Var {
        init: Some(one),
        ..Var::temp("threads".into(), Sort::Bv(width), Scope::Global)
    });
    let regions = Regions::of(&xcfa)?;
    let shared = match is_weak {
        true => all_globals(&xcfa),
        false => find_shared(&xcfa, &threads, started),
    };
    let terms = std::mem::take(&mut xcfa.terms);
    let mut walker = Walker {
        events: Events::new(terms, xcfa.vars.len() as u32),
        xcfa: &xcfa,
        accesses: &accesses,
        objects,
        cells: FxHashMap::default(),
        alive: FxHashMap::default(),
        limits: FxHashMap::default(),
        sorts: FxHashMap::default(),
        guards: Guards::default(),
        regions,
        firsts: FxHashMap::default(),
        shared,
        started,
        checked,
        is_weak,
        stops: Vec::new(),
        pauses: Vec::new(),
        seen: Vec::new(),
        at_end: false,
        waiting: Vec::new(),
        start_guards: vec![None; threads.len()],
        thread_of: FxHashMap::default(),
        starts: VecDeque::new(),
        budget,
        visited: 0,
    };
    walker.prepare(&threads);
    while let Some((thread, proc, state)) = walker.starts.pop_front() {
        walker.thread(thread, proc, state)?;
    }
    match checked {
        Checked::Deadlock => walker.find_deadlock()?,
        Checked::Race => walker.find_race()?,
        Checked::Error(_) | Checked::Events => {}
    }
    let mut events = walker.events;
    events.statics = Statics::of(&events);
    Ok(events)
}

pub(super) struct Walker<'a> {
    pub(super) xcfa: &'a Xcfa,
    pub(super) events: Events,
    pub(super) guards: Guards,
    pub(super) regions: Regions,
    pub(super) accesses: &'a Accesses,
    pub(super) objects: Objects,
    /// The variables of cells that have been needed.
    pub(super) cells: FxHashMap<Cell, VarId>,
    /// The variables that say whether heap objects have not been freed.
    pub(super) alive: FxHashMap<expr::ObjId, VarId>,
    /// Sizes of objects that are not constants.
    pub(super) limits: FxHashMap<expr::ObjId, Term>,
    /// Sorts of variables that the program does not have.
    pub(super) sorts: FxHashMap<VarId, Sort>,
    /// First values of variables, where the program does not say them.
    pub(super) firsts: FxHashMap<VarId, Term>,
    /// Globals that one thread sets and another one uses.
    pub(super) shared: FxHashSet<VarId>,
    /// Counts the threads that have been started.
    pub(super) started: VarId,
    pub(super) checked: Checked,
    /// Is every access an event of its own?
    pub(super) is_weak: bool,
    /// Where threads can be blocked, if that matters.
    pub(super) stops: Vec<Stop>,
    /// Where threads can stop before an access, if that matters.
    pub(super) pauses: Vec<Pause>,
    /// What the edge that is examined accesses.
    pub(super) seen: Vec<Seen>,
    /// Are we looking at the state after all steps?
    pub(super) at_end: bool,
    /// By thread: the variable with the condition variable that it waits on.
    pub(super) waiting: Vec<VarId>,
    /// By thread: whether it is started.
    pub(super) start_guards: Vec<Option<Term>>,
    pub(super) thread_of: FxHashMap<ProcId, ThreadId>,
    /// Threads that have still to be followed.
    pub(super) starts: VecDeque<(ThreadId, ProcId, State)>,
    budget: &'a Budget,
    /// How many locations have been visited.
    visited: u64,
}

/// Locations that paths have reached, with what is known on each path.
pub(super) type Frontier = BTreeMap<u32, (LocId, Vec<State>)>;

/// What the alternatives of one location have in common: they happen at one time.
pub(super) struct Moment {
    pub(super) thread: ThreadId,
    /// Whether the thread gets there.
    pub(super) guard: Term,
    pub(super) node: Option<NodeId>,
    /// What shared variables hold when the step begins.
    pub(super) reads: FxHashMap<VarId, Term>,
    /// Does the thread pass here, whatever it does, if it gets any further?
    pub(super) only_way: bool,
}

/// First values of variables, and values of shared ones at the beginning of a step.
struct Firsts<'a> {
    xcfa: &'a Xcfa,
    firsts: &'a FxHashMap<VarId, Term>,
    reads: &'a FxHashMap<VarId, Term>,
}

impl Defaults for Firsts<'_> {
    fn own(&mut self, terms: &mut Terms, var: VarId) -> Term {
        first_value(self.xcfa, self.firsts, terms, var)
    }

    fn shared(&mut self, terms: &mut Terms, var: VarId) -> Term {
        // Without a read the value of the variable is known.
        let read = self.reads.get(&var).copied();
        read.unwrap_or_else(|| first_value(self.xcfa, self.firsts, terms, var))
    }
}

/// The value of a variable that was never set.
pub(super) fn first_value(
    xcfa: &Xcfa,
    firsts: &FxHashMap<VarId, Term>,
    terms: &mut Terms,
    var: VarId,
) -> Term {
    if let Some(&first) = firsts.get(&var) {
        return first;
    }
    match (xcfa[var].scope, xcfa[var].init) {
        (Scope::Global | Scope::ThreadLocal, Some(init)) => init,
        _ => terms.constant(xcfa[var].sort, 0),
    }
}

impl Walker<'_> {
    fn prepare(&mut self, threads: &[(ProcId, Option<ThreadId>)]) {
        let width = Sort::Bv(self.xcfa.pointer_bits());
        for &(proc, parent) in threads {
            let (ended, _) = self.events.unknown(Sort::Bool);
            let (result, _) = self.events.unknown(width);
            let (handle, _) = self.events.unknown(width);
            self.thread_of.insert(proc, self.events.threads.len());
            let nodes = Vec::new();
            let thread = Thread {
                nodes,
                start: None,
                parent,
                ended,
                result,
                handle,
            };
            self.events.threads.push(thread);
        }
        let terms = &mut self.events.terms;
        self.start_guards[0] = Some(terms.bool(true));
        if self.checked == Checked::Deadlock {
            self.prepare_waiting();
        }
        let mut shared: Vec<VarId> = self.shared.iter().copied().collect();
        shared.sort_unstable();
        for var in shared {
            let first = first_value(self.xcfa, &self.firsts, &mut self.events.terms, var);
            self.events.initial.insert(var, first);
        }
        let terms = &mut self.events.terms;
        let (truth, handle) = (terms.bool(true), terms.constant(width, 1));
        self.events
            .definitions
            .insert(self.events.threads[0].handle, handle);
        let own = FxHashMap::from_iter([(self.xcfa.self_var, handle)]);
        let state = State {
            guard: truth,
            own,
            shared: FxHashMap::default(),
            alone: true,
        };
        self.starts.push_back((0, self.xcfa.main, state));
        // A thread that is never started never ends; those that are say so later.
        for at in 0..self.events.threads.len() {
            let (ended, result, handle) = {
                let thread = &self.events.threads[at];
                (thread.ended, thread.result, thread.handle)
            };
            let terms = &mut self.events.terms;
            let (never, zero) = (terms.bool(false), terms.constant(width, 0));
            self.events.definitions.insert(ended, never);
            self.events.definitions.insert(result, zero);
            if at > 0 {
                self.events.definitions.insert(handle, zero);
            }
        }
    }

    fn thread(&mut self, thread: ThreadId, proc: ProcId, state: State) -> Result<(), Unsupported> {
        let mut frontier = Frontier::new();
        let init = self.xcfa[proc].init;
        frontier.insert(self.regions.place(init), (init, vec![state]));
        let mut ends: Vec<(Term, Term)> = Vec::new();
        while let Some((_, (loc, states))) = frontier.pop_first() {
            let none = FxHashMap::default();
            let Some(state) = self.meet(states, &none) else {
                continue;
            };
            if self.events.terms.as_const(state.guard) == Some(0) {
                continue;
            }
            self.visited += 1;
            if self.visited.is_multiple_of(128)
                && self.budget.exceeded(verdict::resident_bytes()).is_some()
            {
                return Err(Unsupported::at(
                    self.xcfa[proc].span,
                    "out of time or memory",
                ));
            }
            let mut moment = Moment {
                thread,
                guard: state.guard,
                node: None,
                reads: FxHashMap::default(),
                only_way: frontier.is_empty() && ends.is_empty(),
            };
            self.location(&mut moment, loc, state, &mut frontier, &mut ends)?;
        }
        self.define_end(thread, &ends);
        Ok(())
    }

    /// Whether and with what result the thread ends.
    fn define_end(&mut self, thread: ThreadId, ends: &[(Term, Term)]) {
        let (ended, result) = (
            self.events.threads[thread].ended,
            self.events.threads[thread].result,
        );
        let terms = &mut self.events.terms;
        let mut whether = terms.bool(false);
        let mut what = terms.bv(self.xcfa.pointer_bits(), 0);
        for &(guard, value) in ends {
            whether = match terms.as_const(whether) {
                Some(0) => guard,
                _ => self.guards.meet(terms, whether, guard).0,
            };
            let value = terms.resize(value, self.xcfa.pointer_bits(), false);
            what = if terms.as_const(what) == Some(0) && ends.len() == 1 {
                value
            } else {
                terms.ite(guard, value, what)
            };
        }
        self.events.definitions.insert(ended, whether);
        self.events.definitions.insert(result, what);
    }

    /// Brings paths together.
    pub(super) fn meet(
        &mut self,
        states: Vec<State>,
        reads: &FxHashMap<VarId, Term>,
    ) -> Option<State> {
        let mut defaults = Firsts {
            xcfa: self.xcfa,
            firsts: &self.firsts,
            reads,
        };
        meet_all(
            states,
            &mut self.events.terms,
            &mut self.guards,
            &mut defaults,
        )
    }
}

/// The procedures that run as threads, with the thread that starts them; a starter comes first.
pub(super) fn find_threads(xcfa: &Xcfa) -> Result<Vec<(ProcId, Option<ThreadId>)>, Unsupported> {
    let mut threads = vec![(xcfa.main, None)];
    let mut at = 0;
    while at < threads.len() {
        let (proc, _) = threads[at];
        for edge in xcfa
            .edges
            .iter()
            .filter(|edge| xcfa[edge.source].proc == proc)
        {
            for label in &edge.labels {
                let Label::Start { proc, .. } = label else {
                    continue;
                };
                if threads.iter().any(|(known, _)| known == proc) {
                    return Err(Unsupported::at(edge.span, "a thread that is started twice"));
                }
                threads.push((*proc, Some(at)));
            }
        }
        at += 1;
    }
    Ok(threads)
}

/// Every global that is accessed at all.
fn all_globals(xcfa: &Xcfa) -> FxHashSet<VarId> {
    let labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let used = labels.flat_map(|label| {
        let vars = label.terms().flat_map(|term| xcfa.terms.vars(term));
        vars.chain(label.defines())
    });
    used.filter(|&var| xcfa.is_global(var)).collect()
}

/// Globals that some thread sets and that more than one uses.
fn find_shared(
    xcfa: &Xcfa,
    threads: &[(ProcId, Option<ThreadId>)],
    started: VarId,
) -> FxHashSet<VarId> {
    let thread_of: FxHashMap<ProcId, ThreadId> = threads
        .iter()
        .enumerate()
        .map(|(at, &(proc, _))| (proc, at))
        .collect();
    let mut users: FxHashMap<VarId, FxHashSet<ThreadId>> = FxHashMap::default();
    let mut written: FxHashSet<VarId> = FxHashSet::default();
    let mut vars_of: FxHashMap<Term, Vec<VarId>> = FxHashMap::default();
    for edge in &xcfa.edges {
        let Some(&thread) = thread_of.get(&xcfa[edge.source].proc) else {
            continue;
        };
        let mut uses = |var: VarId| {
            if xcfa.is_global(var) {
                users.entry(var).or_default().insert(thread);
            }
        };
        for label in &edge.labels {
            for term in label.terms() {
                let vars = vars_of.entry(term).or_insert_with(|| xcfa.terms.vars(term));
                vars.iter().for_each(|&var| uses(var));
            }
            if let Some(var) = label.defines() {
                uses(var);
                written.insert(var);
            }
            if let Label::Start { .. } = label {
                uses(started);
                written.insert(started);
            }
        }
    }
    let several = users.into_iter().filter(|(_, threads)| threads.len() > 1);
    several
        .map(|(var, _)| var)
        .filter(|var| written.contains(var))
        .collect()
}

/// Replaces addresses by the numbers that the layout gives them.
fn fix_addresses(xcfa: &mut Xcfa, layout: &semantics::Layout) {
    let fix = |terms: &mut Terms, term: Term| {
        terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
            Node::Base(object, width) => Some(terms.bv(width, layout.base(object))),
            _ => None,
        })
    };
    for edge in &mut xcfa.edges {
        for label in &mut edge.labels {
            label.map_terms(|term| fix(&mut xcfa.terms, term));
        }
    }
    for var in &mut xcfa.vars {
        var.init = var.init.map(|term| fix(&mut xcfa.terms, term));
    }
    for object in &mut xcfa.objects {
        if let ObjectKind::Static { init } = &mut object.kind {
            for (_, term) in init {
                *term = fix(&mut xcfa.terms, *term);
            }
        }
    }
}
