//! What variables hold, as terms over symbols.
//!
//! A symbol stands for what a variable got at a place of the program when control was there last: at
//! a location where ways with different values meet, or at a label whose result is not a term (an
//! input, a load, an allocation, a handle). Law: whenever a thread stands at a location, each of its
//! variables that is tracked there holds the value of its term, with every symbol as it was set last
//! in this activation. A term whose symbol is about to be set anew is given up in time.
//!
//! Tracked are locals and thread-local variables, and in `main`, until it starts the first thread,
//! globals too. A global that nobody writes after that is frozen: it is one symbol for all threads.

use crate::memory::{Memory, Ownership};
use passes::graph::on_cycle;
use passes::{Threads, locations_before_threads};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

use expr::{Node, Op, Term, Terms, VarId};
use xcfa::{Edge, EdgeId, Label, LocId, ProcId, Scope, Xcfa};

/// Where a symbol gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// At the start of the activation.
    Entry,
    /// Whenever control comes to the location.
    Loc(LocId),
    /// Whenever the label of this number on the edge is executed.
    Label(EdgeId, usize),
    /// Just before the label of this number on the edge is executed again.
    Aged(EdgeId, usize),
    /// Before the first thread is started.
    Frozen,
}

/// A value without a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// When it is set.
    pub site: Site,
    /// Whose value it is.
    pub var: VarId,
}

/// What is known where control is.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The values of variables, by their number; none where nothing is tracked.
    vars: Vec<Option<Term>>,
    memory: Memory,
}

/// What is known where control is, shared by those who know the same.
type Env = Rc<State>;

/// The values at every location of a program.
pub struct Values {
    /// Holds the terms of the program, under the same numbers, and those over symbols.
    pub terms: Terms,
    symbols: Vec<Symbol>,
    numbers: FxHashMap<Symbol, VarId>,
    first: u32,
    at: Vec<Option<Env>>,
    after: Vec<Option<Env>>,
    evaluated: Vec<Vec<Vec<Term>>>,
    mentioned: FxHashMap<Term, Rc<[VarId]>>,
}

/// Programs of more locations times variables than this are not looked at.
const MOST_ENTRIES: usize = 8_000_000;

impl Values {
    /// Follows the variables of every procedure; none if the program is too large for that.
    pub fn of(xcfa: &Xcfa) -> Option<Values> {
        if xcfa.edges.len() * xcfa.vars.len() > MOST_ENTRIES {
            return None;
        }
        let mut values = Values {
            terms: xcfa.terms.clone(),
            symbols: Vec::new(),
            numbers: FxHashMap::default(),
            first: xcfa.vars.len() as u32,
            at: vec![None; xcfa.locs.len()],
            after: vec![None; xcfa.edges.len()],
            evaluated: vec![Vec::new(); xcfa.edges.len()],
            mentioned: FxHashMap::default(),
        };
        let mut follower = Follower::new(xcfa);
        // What is frozen is known once `main` has been followed.
        follower.procedure(&mut values, xcfa.main);
        follower.settled = follower.at_starts(&values);
        for proc in xcfa.proc_ids().filter(|&proc| proc != xcfa.main) {
            follower.procedure(&mut values, proc);
        }
        Some(values)
    }

    /// The symbol of that number, if the variable is one.
    pub fn symbol(&self, var: VarId) -> Option<Symbol> {
        let at = var.0.checked_sub(self.first)?;
        self.symbols.get(at as usize).copied()
    }

    /// The value of a variable at a location.
    pub fn at(&self, loc: LocId, var: VarId) -> Option<Term> {
        self.at[loc.0 as usize].as_ref()?.vars[var.0 as usize]
    }

    /// The value of a variable behind an edge.
    pub fn after(&self, edge: EdgeId, var: VarId) -> Option<Term> {
        self.after[edge.0 as usize].as_ref()?.vars[var.0 as usize]
    }

    /// Can the edge be taken, for all that is known?
    pub fn is_feasible(&self, edge: EdgeId) -> bool {
        self.after[edge.0 as usize].is_some()
    }

    /// The terms of a label, in the order of [`Label::terms`], over symbols. Empty for a label that
    /// cannot be reached.
    pub fn evaluated(&self, edge: EdgeId, label: usize) -> &[Term] {
        let labels = &self.evaluated[edge.0 as usize];
        labels.get(label).map_or(&[], Vec::as_slice)
    }

    /// The symbols of a term.
    pub fn mentioned(&mut self, term: Term) -> Rc<[VarId]> {
        if let Some(known) = self.mentioned.get(&term) {
            return known.clone();
        }
        let vars: Rc<[VarId]> = self.terms.vars(term).into();
        self.mentioned.insert(term, vars.clone());
        vars
    }

    /// The term of a symbol.
    pub fn symbol_term(&mut self, xcfa: &Xcfa, site: Site, var: VarId) -> Term {
        let symbol = Symbol { site, var };
        let number = match self.numbers.get(&symbol) {
            Some(&number) => number,
            None => {
                let number = VarId(self.first + self.symbols.len() as u32);
                self.symbols.push(symbol);
                self.numbers.insert(symbol, number);
                number
            }
        };
        self.terms.var(number, xcfa[var].sort)
    }

    fn mentions(&mut self, term: Term, site: Site) -> bool {
        let vars = self.mentioned(term);
        vars.iter()
            .any(|&var| self.symbol(var).is_some_and(|it| it.site == site))
    }
}

/// `base` and `step` of `base + step`, for a constant step that is not zero.
pub fn as_sum(terms: &Terms, term: Term) -> Option<(Term, u64)> {
    let Node::Binary(Op::Add, a, b) = terms.node(term) else {
        return None;
    };
    match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(step)) => Some((a, step)),
        (Some(step), None) => Some((b, step)),
        _ => None,
    }
}

/// What does not change while values are followed.
struct Follower<'a> {
    xcfa: &'a Xcfa,
    threads: Threads,
    /// Locations of `main` before the first thread.
    alone: Vec<bool>,
    /// By variable: a global that is only written there.
    frozen: Vec<bool>,
    cyclic: Vec<bool>,
    ownership: Ownership<'a>,
    /// What frozen variables and memory hold, as far as that is constant.
    settled: State,
}

impl<'a> Follower<'a> {
    fn new(xcfa: &'a Xcfa) -> Follower<'a> {
        let alone = locations_before_threads(xcfa);
        let frozen = frozen_globals(xcfa, &alone);
        Follower {
            xcfa,
            threads: Threads::of(xcfa),
            ownership: Ownership::of(xcfa, &alone),
            alone,
            frozen,
            cyclic: on_cycle(&passes::graph::location_successors(xcfa)),
            settled: State::default(),
        }
    }

    /// What is constant and frozen whenever `main` starts a thread.
    fn at_starts(&self, values: &Values) -> State {
        let starts = |edge: &&EdgeId| {
            let edge = &self.xcfa[**edge];
            let in_main = self.xcfa[edge.source].proc == self.xcfa.main;
            in_main
                && edge
                    .labels
                    .iter()
                    .any(|it| matches!(it, Label::Start { .. }))
        };
        let edges: Vec<EdgeId> = self.xcfa.edge_ids().collect();
        let mut known: Option<State> = None;
        for edge in edges.iter().filter(starts) {
            let Some(env) = &values.at[self.xcfa[*edge].source.0 as usize] else {
                continue;
            };
            let plain = |(var, value): (usize, &Option<Term>)| {
                value.filter(|&it| self.frozen[var] && values.terms.vars(it).is_empty())
            };
            let vars: Vec<Option<Term>> = env.vars.iter().enumerate().map(plain).collect();
            let memory = env.memory.settled(&values.terms, &self.ownership);
            match &mut known {
                None => known = Some(State { vars, memory }),
                Some(known) => {
                    known.memory.intersect_with(&memory);
                    for (old, new) in known.vars.iter_mut().zip(vars) {
                        *old = old.filter(|_| *old == new);
                    }
                }
            }
        }
        known.unwrap_or_default()
    }

    /// Goes over the locations until nothing changes any more. A sweep believes that what goes round
    /// a loop comes back as it was; where it does not, the next sweep has a symbol.
    fn procedure(&self, values: &mut Values, proc: ProcId) {
        let order = reverse_postorder(self.xcfa, self.xcfa[proc].init);
        let mut merged = Merged::default();
        let entry = self.entry(values, proc);
        loop {
            for &loc in &order {
                for &edge in &self.xcfa[loc].out {
                    values.after[edge.0 as usize] = None;
                }
            }
            for &loc in &order {
                let start = (loc == self.xcfa[proc].init).then_some(&entry);
                self.arrive(values, &mut merged, loc, start);
                let Some(env) = values.at[loc.0 as usize].clone() else {
                    continue;
                };
                for &edge in &self.xcfa[loc].out {
                    values.after[edge.0 as usize] = self.take(values, edge, &env);
                }
            }
            if !self.disagrees(values, &mut merged, &order) {
                return;
            }
        }
    }

    fn entry(&self, values: &mut Values, proc: ProcId) -> Env {
        let xcfa = self.xcfa;
        let is_root = self.threads.running(proc).eq([proc]) && !self.is_called(proc);
        let initial = |values: &mut Values, var: VarId| match xcfa[var].init {
            Some(init) => init,
            None => values.symbol_term(xcfa, Site::Entry, var),
        };
        let of_main = proc == xcfa.main && self.alone[xcfa[proc].init.0 as usize];
        let mut env = Vec::with_capacity(xcfa.vars.len());
        for var in xcfa.var_ids() {
            env.push(match xcfa[var].scope {
                Scope::Local(of) if of != proc => None,
                Scope::Local(_) if xcfa[proc].params.contains(&var) => {
                    Some(values.symbol_term(xcfa, Site::Entry, var))
                }
                Scope::Local(_) => Some(values.terms.constant(xcfa[var].sort, 0)),
                Scope::ThreadLocal if is_root && var != xcfa.self_var => Some(initial(values, var)),
                Scope::ThreadLocal => Some(values.symbol_term(xcfa, Site::Entry, var)),
                Scope::Global if of_main => Some(initial(values, var)),
                Scope::Global => None,
            });
        }
        Rc::new(State {
            vars: env,
            memory: Memory::default(),
        })
    }

    fn is_called(&self, proc: ProcId) -> bool {
        let mut labels = self.xcfa.edges.iter().flat_map(|edge| &edge.labels);
        labels.any(|label| matches!(label, Label::Call { callee, .. } if may_call(callee, proc)))
    }

    /// Puts together what comes in over the edges that have been taken in this sweep.
    fn arrive(&self, values: &mut Values, merged: &mut Merged, loc: LocId, start: Option<&Env>) {
        let edges = self.xcfa[loc].inc.iter();
        let mut coming: Vec<Env> = edges
            .filter_map(|&edge| values.after[edge.0 as usize].clone())
            .collect();
        coming.extend(start.cloned());
        if coming.is_empty() && !merged.forced.contains(&loc) {
            values.at[loc.0 as usize] = None;
            return;
        }
        let mut env = Vec::with_capacity(self.xcfa.vars.len());
        for var in self.xcfa.var_ids() {
            let first = coming.first().and_then(|env| env.vars[var.0 as usize]);
            let agree = coming.iter().all(|env| env.vars[var.0 as usize] == first);
            if !merged.contains(loc, var) && agree {
                env.push(first);
                continue;
            }
            merged.insert(loc, var);
            let tracked = coming.iter().all(|env| env.vars[var.0 as usize].is_some());
            let lost = !tracked || merged.untracked.contains(&(loc, var));
            env.push((!lost).then(|| values.symbol_term(self.xcfa, Site::Loc(loc), var)));
        }
        let mut memory = match merged.forced.contains(&loc) {
            true => Memory::default(),
            false => coming
                .first()
                .map_or_else(Memory::default, |env| env.memory.clone()),
        };
        coming
            .iter()
            .for_each(|env| memory.intersect_with(&env.memory));
        memory.cells.retain(|&at, cell| {
            let stale = |values: &mut Values, term| values.mentions(term, Site::Loc(loc));
            !merged.cells.contains(&(loc, at)) && !stale(values, at) && !stale(values, cell.value)
        });
        values.at[loc.0 as usize] = Some(Rc::new(State { vars: env, memory }));
    }

    /// Do edges back to a location bring what the sweep did not expect there?
    fn disagrees(&self, values: &mut Values, merged: &mut Merged, order: &[LocId]) -> bool {
        let mut found = false;
        for &loc in order {
            let edges: Vec<EdgeId> = self.xcfa[loc].inc.clone();
            for edge in edges {
                let Some(coming) = values.after[edge.0 as usize].clone() else {
                    continue;
                };
                let Some(expected) = values.at[loc.0 as usize].clone() else {
                    merged.force(self.xcfa, loc);
                    found = true;
                    continue;
                };
                for (&at, cell) in &expected.memory.cells {
                    if coming.memory.cells.get(&at) != Some(cell) {
                        found |= merged.cells.insert((loc, at));
                    }
                }
                for var in self.xcfa.var_ids() {
                    let (new, old) = (coming.vars[var.0 as usize], expected.vars[var.0 as usize]);
                    if merged.contains(loc, var) {
                        if new.is_none() && old.is_some() {
                            found |= merged.untracked.insert((loc, var));
                        }
                        continue;
                    }
                    let stale = merged.at(loc)
                        && new.is_some_and(|term| values.mentions(term, Site::Loc(loc)));
                    if new != old || stale {
                        found |= merged.insert(loc, var);
                    }
                }
            }
        }
        found
    }

    /// Executes an edge; none if one of its conditions is certainly false.
    fn take(&self, values: &mut Values, id: EdgeId, before: &Env) -> Option<Env> {
        let edge: &Edge = &self.xcfa[id];
        let mut env = before.clone();
        values.evaluated[id.0 as usize].clear();
        for (index, label) in edge.labels.iter().enumerate() {
            let site = Site::Label(id, index);
            if self.cyclic[edge.source.0 as usize] {
                self.age(values, &mut env, id, index);
            }
            let terms: Vec<Term> = label
                .terms()
                .map(|term| self.substitute(values, &env, edge.source, site, term))
                .collect();
            values.evaluated[id.0 as usize].push(terms.clone());
            match label {
                Label::Assume(_) | Label::Await(_)
                    if values.terms.as_const(terms[0]) == Some(0) =>
                {
                    return None;
                }
                Label::Start { .. } | Label::Call { .. } => {
                    self.others_run(values, &mut env, label, site)
                }
                _ => {}
            }
            let alone =
                self.alone[edge.source.0 as usize] && !edge.labels.iter().take(index).any(is_start);
            let found = self.found(values, &env, edge.source, label, &terms);
            let memory = &mut Rc::make_mut(&mut env).memory;
            memory.pass(&values.terms, &self.ownership, label, &terms, alone);
            let Some(var) = label.defines() else {
                continue;
            };
            let tracked = !self.xcfa.is_global(var) || env.vars[var.0 as usize].is_some();
            let value = match label {
                Label::Assign { .. } => terms[0],
                _ => found.unwrap_or_else(|| values.symbol_term(self.xcfa, site, var)),
            };
            Rc::make_mut(&mut env).vars[var.0 as usize] = tracked.then_some(value);
        }
        Some(env)
    }

    /// Is a thread that stands there certainly behind the first start?
    fn is_settled(&self, loc: LocId) -> bool {
        let proc = self.xcfa[loc].proc;
        // What `main` calls may run before globals are frozen.
        match proc == self.xcfa.main {
            true => !self.alone[loc.0 as usize],
            false => !self
                .threads
                .running(proc)
                .any(|root| root == self.xcfa.main),
        }
    }

    /// What a load finds, if that is known.
    fn found(
        &self,
        values: &Values,
        env: &Env,
        loc: LocId,
        label: &Label,
        terms: &[Term],
    ) -> Option<Term> {
        let Label::Load { var, .. } = label else {
            return None;
        };
        let sort = self.xcfa[*var].sort;
        let known = env.memory.load(&values.terms, terms[0], sort.width());
        let settled = || {
            let settled = self.xcfa[loc].proc != self.xcfa.main && self.is_settled(loc);
            let memory = &self.settled.memory;
            memory
                .load(&values.terms, terms[0], sort.width())
                .filter(|_| settled)
        };
        known
            .or_else(settled)
            .filter(|&value| values.terms.sort(value) == sort)
    }

    fn substitute(
        &self,
        values: &mut Values,
        env: &Env,
        loc: LocId,
        site: Site,
        term: Term,
    ) -> Term {
        let settled = self.is_settled(loc);
        let constant = |var: VarId| {
            let known = self.settled.vars.get(var.0 as usize).copied().flatten();
            known.filter(|_| settled)
        };
        let mut with = FxHashMap::default();
        for var in self.xcfa.terms.vars(term) {
            let value = match env.vars[var.0 as usize].or_else(|| constant(var)) {
                Some(value) => value,
                None if settled && self.frozen[var.0 as usize] => {
                    values.symbol_term(self.xcfa, Site::Frozen, var)
                }
                None => values.symbol_term(self.xcfa, site, var),
            };
            with.insert(var, value);
        }
        values.terms.substitute(term, &with)
    }

    /// The symbols of a label are about to get new values: what was built from the old ones becomes
    /// a symbol itself.
    fn age(&self, values: &mut Values, env: &mut Env, edge: EdgeId, label: usize) {
        let (set, aged) = (Site::Label(edge, label), Site::Aged(edge, label));
        for var in self.xcfa.var_ids() {
            if let Some(term) = env.vars[var.0 as usize]
                && (values.mentions(term, set) || values.mentions(term, aged))
            {
                let symbol = values.symbol_term(self.xcfa, aged, var);
                Rc::make_mut(env).vars[var.0 as usize] = Some(symbol);
            }
        }
        let mut old = |term| values.mentions(term, set) || values.mentions(term, aged);
        if env
            .memory
            .cells
            .iter()
            .any(|(&at, cell)| old(at) || old(cell.value))
        {
            let cells = &mut Rc::make_mut(env).memory.cells;
            cells.retain(|&at, cell| !old(at) && !old(cell.value));
        }
    }

    /// Another thread, or another procedure, may write from here on.
    fn others_run(&self, values: &mut Values, env: &mut Env, label: &Label, site: Site) {
        let is_call = matches!(label, Label::Call { .. });
        for var in self.xcfa.var_ids() {
            let entry = &mut Rc::make_mut(env).vars[var.0 as usize];
            match self.xcfa[var].scope {
                Scope::Global if is_call || !self.frozen[var.0 as usize] => *entry = None,
                Scope::ThreadLocal if is_call && var != self.xcfa.self_var => {
                    *entry = Some(values.symbol_term(self.xcfa, site, var));
                }
                _ => {}
            }
        }
    }
}

/// Where variables have symbols because different values meet.
#[derive(Default)]
struct Merged {
    vars: FxHashSet<(LocId, VarId)>,
    locs: FxHashSet<LocId>,
    /// Locations that are only reached backwards.
    forced: FxHashSet<LocId>,
    /// Some way to the location does not track the variable.
    untracked: FxHashSet<(LocId, VarId)>,
    /// Ways to the location do not agree about the memory at that address.
    cells: FxHashSet<(LocId, Term)>,
}

impl Merged {
    fn contains(&self, loc: LocId, var: VarId) -> bool {
        self.vars.contains(&(loc, var))
    }

    fn at(&self, loc: LocId) -> bool {
        self.locs.contains(&loc)
    }

    fn insert(&mut self, loc: LocId, var: VarId) -> bool {
        self.locs.insert(loc);
        self.vars.insert((loc, var))
    }

    fn force(&mut self, xcfa: &Xcfa, loc: LocId) {
        self.forced.insert(loc);
        let proc = xcfa[loc].proc;
        for var in xcfa.var_ids() {
            self.insert(loc, var);
            let own = match xcfa[var].scope {
                Scope::Local(of) => of == proc,
                Scope::ThreadLocal => true,
                Scope::Global => false,
            };
            if !own {
                self.untracked.insert((loc, var));
            }
        }
    }
}

fn is_start(label: &Label) -> bool {
    matches!(label, Label::Start { .. } | Label::Call { .. })
}

fn may_call(callee: &xcfa::Callee, proc: ProcId) -> bool {
    match callee {
        xcfa::Callee::Direct(to) => *to == proc,
        xcfa::Callee::Pointer(_) => true,
    }
}

/// Globals that are written only in steps of `main` before the first thread is started.
fn frozen_globals(xcfa: &Xcfa, alone: &[bool]) -> Vec<bool> {
    let mut frozen: Vec<bool> = xcfa.var_ids().map(|var| xcfa.is_global(var)).collect();
    for edge in &xcfa.edges {
        let starts = |label: &Label| matches!(label, Label::Start { .. } | Label::Call { .. });
        if alone[edge.source.0 as usize] && !edge.labels.iter().any(starts) {
            continue;
        }
        for var in edge.labels.iter().filter_map(Label::defines) {
            frozen[var.0 as usize] = false;
        }
    }
    frozen
}

fn reverse_postorder(xcfa: &Xcfa, start: LocId) -> Vec<LocId> {
    let mut seen: FxHashSet<LocId> = FxHashSet::default();
    let mut order = Vec::new();
    let mut path = vec![(start, 0)];
    seen.insert(start);
    while let Some((loc, next)) = path.last_mut() {
        let loc = *loc;
        match xcfa[loc].out.get(*next) {
            Some(&edge) => {
                *next += 1;
                let target = xcfa[edge].target;
                if seen.insert(target) {
                    path.push((target, 0));
                }
            }
            None => {
                order.push(loc);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}
