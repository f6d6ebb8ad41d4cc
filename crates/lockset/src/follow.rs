//! Following values along the paths of a procedure; see [`crate::values`].

use crate::memory::{Memory, Ownership};
use crate::merge::Merged;
use crate::steady::Alone;
use crate::values::{Env, Site, State, Values};
use dataflow::Analysed;
use dataflow::graph::on_cycle;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

use expr::{Node, Op, Term, Terms, VarId};
use xcfa::{Edge, EdgeId, Label, LocId, ProcId, Scope, Xcfa};

/// An address is followed back through so many places where ways meet.
const MOST_MERGES: usize = 4;

/// What does not change while values are followed.
pub struct Follower<'a> {
    xcfa: &'a Analysed,
    /// By variable: a global that is only written there.
    frozen: Vec<bool>,
    /// By variable: a global that is only written while there is no thread but the first.
    steady: Vec<bool>,
    /// By location: is there no thread but the first?
    alone: Vec<bool>,
    cyclic: Vec<bool>,
    ownership: Ownership<'a>,
    /// What frozen variables and memory hold, as far as that is constant.
    pub settled: State,
}

impl<'a> Follower<'a> {
    pub fn new(xcfa: &'a Analysed, alone: Alone) -> Follower<'a> {
        Follower {
            xcfa,
            ownership: Ownership::of(xcfa, alone.steady),
            frozen: frozen_globals(xcfa, xcfa.before_threads()),
            steady: frozen_globals(xcfa, &alone.at),
            alone: alone.at,
            cyclic: on_cycle(&dataflow::graph::location_successors(xcfa)),
            settled: State::default(),
        }
    }

    /// What is constant and frozen whenever `main` starts a thread.
    pub fn at_starts(&self, values: &Values) -> State {
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
    pub fn procedure(&self, values: &mut Values, proc: ProcId) {
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
        let is_root = self.xcfa.threads().running(proc).eq([proc]) && !self.is_called(proc);
        let initial = |values: &mut Values, var: VarId| match xcfa[var].init {
            Some(init) => init,
            None => values.symbol_term(xcfa, Site::Entry, var),
        };
        let of_main = proc == xcfa.main && self.xcfa.before_threads()[xcfa[proc].init.0 as usize];
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
                    if values.terms.as_const(terms[0]) == Some(0)
                        || self.is_excluded(values, terms[0]) =>
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
            let here = (self.xcfa[edge.source].proc, label);
            memory.pass(&values.terms, &self.ownership, here, &terms, alone);
            let Some(var) = label.defines() else {
                continue;
            };
            let known = env.vars[var.0 as usize].is_some();
            let tracked = !self.xcfa.is_global(var) || known || alone;
            let value = match label {
                Label::Assign { .. } => terms[0],
                _ => found.unwrap_or_else(|| values.symbol_term(self.xcfa, site, var)),
            };
            Rc::make_mut(&mut env).vars[var.0 as usize] = tracked.then_some(value);
        }
        Some(env)
    }

    /// Is a condition false because no object is at address 0?
    fn is_excluded(&self, values: &Values, condition: Term) -> bool {
        let made = |var: VarId| self.is_made(values, var, MOST_MERGES);
        truth(&values.terms, condition, &made) == Some(false)
    }

    /// Is the symbol the address of a new object, on each way that comes together in so many places at most?
    fn is_made(&self, values: &Values, symbol: VarId, merges: usize) -> bool {
        let Some(it) = values.symbol(symbol) else {
            return false;
        };
        match it.site {
            Site::Label(edge, label) => {
                matches!(self.xcfa[edge].labels[label], Label::Alloc { var: of, .. } if it.var == of)
            }
            // A way that was not taken yet in this sweep may be taken later.
            Site::Loc(loc) if merges > 0 && loc != self.xcfa[self.xcfa[loc].proc].init => {
                self.xcfa[loc].inc.iter().all(|&edge| {
                    let value = values.after(edge, it.var);
                    let symbol = value.and_then(|value| values.terms.as_var(value));
                    symbol.is_some_and(|symbol| self.is_made(values, symbol, merges - 1))
                })
            }
            _ => false,
        }
    }

    /// Is a thread there certainly behind the first start?
    fn is_settled(&self, loc: LocId) -> bool {
        let proc = self.xcfa[loc].proc;
        // What `main` calls may run before globals are frozen.
        match proc == self.xcfa.main {
            true => !self.xcfa.before_threads()[loc.0 as usize],
            false => !self
                .xcfa
                .threads()
                .running(proc)
                .any(|root| root == self.xcfa.main),
        }
    }

    /// What a load finds, if that is known.
    fn found(
        &self,
        values: &mut Values,
        env: &Env,
        loc: LocId,
        label: &Label,
        terms: &[Term],
    ) -> Option<Term> {
        let Label::Load { var, addr } = label else {
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
        let found = known
            .or_else(settled)
            .filter(|&value| values.terms.sort(value) == sort);
        let plain = values.terms.vars(terms[0]).is_empty();
        if found.is_some() || !plain || !self.is_settled(loc) {
            return found;
        }
        // Nobody writes there any more, so every load finds the same.
        let targets = self.xcfa.points_to().targets(self.xcfa, *addr);
        let alike = self.xcfa.var_ids().find(|&it| self.xcfa[it].sort == sort)?;
        let in_main = self.xcfa[loc].proc == self.xcfa.main;
        let site = if self.ownership.is_frozen(&targets) {
            Site::Settled(terms[0])
        } else if !in_main && self.ownership.is_steady(&targets) {
            Site::Steady(Some(terms[0]))
        } else {
            return None;
        };
        Some(values.symbol_term(self.xcfa, site, alike))
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
        let in_main = self.xcfa[loc].proc == self.xcfa.main;
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
                None if settled && !in_main && self.steady[var.0 as usize] => {
                    values.symbol_term(self.xcfa, Site::Steady(None), var)
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

/// What a condition is if these symbols are not zero, as far as that decides it.
fn truth(terms: &Terms, condition: Term, not_zero: &impl Fn(VarId) -> bool) -> Option<bool> {
    let of = |term: Term| truth(terms, term, not_zero);
    match terms.node(condition) {
        Node::Const(..) => terms.as_const(condition).map(|value| value != 0),
        Node::Unary(Op::Not, a) => of(a).map(|value| !value),
        Node::Binary(Op::And, a, b) => match (of(a), of(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        Node::Binary(Op::Or, a, b) => match (of(a), of(b)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Node::Binary(Op::Eq, a, b) => {
            let is = |a: Term, b: Term| {
                let symbol = terms.as_var(a).is_some_and(not_zero);
                symbol && terms.as_const(b) == Some(0)
            };
            (is(a, b) || is(b, a)).then_some(false)
        }
        _ => None,
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

/// Globals that are written only in steps of `main` at which it is alone.
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
