//! What each edge does, as a guard and updates over the state before it.

use super::system::{System, Target, Thread, ThreadId, Transition};
use crate::encode::Refusal;
use expr::{Sort, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{Edge, EdgeId, ErrorKind, Label, LocId, ProcId, Xcfa};

/// Finds the transitions of a program.
pub struct Effects<'a> {
    xcfa: &'a Xcfa,
    system: &'a mut System,
    checked: ErrorKind,
    thread_of: FxHashMap<ProcId, ThreadId>,
    /// By location: in how many atomic sections a thread there is.
    depth: Vec<Option<u32>>,
}

/// An edge being followed.
struct Run {
    transition: Transition,
    env: FxHashMap<VarId, Term>,
}

impl<'a> Effects<'a> {
    /// The transitions of all threads; an error of the kind `checked` is one that counts.
    pub fn of(
        xcfa: &'a Xcfa,
        system: &'a mut System,
        checked: ErrorKind,
    ) -> Result<Vec<Transition>, Refusal> {
        let threads = system.threads.iter().enumerate();
        let thread_of = threads.map(|(at, thread)| (thread.proc, at)).collect();
        let depth = depths(xcfa)?;
        let mut effects = Effects {
            xcfa,
            system,
            checked,
            thread_of,
            depth,
        };
        let mut transitions = Vec::new();
        for edge in xcfa.edge_ids() {
            let source = xcfa[edge].source;
            let Some(&thread) = effects.thread_of.get(&xcfa[source].proc) else {
                continue;
            };
            if effects.depth[source.0 as usize].is_none() {
                continue;
            }
            if let Some(transition) = effects.edge(thread, edge)? {
                transitions.push(transition);
            }
        }
        Ok(transitions)
    }

    fn edge(&mut self, thread: ThreadId, edge: EdgeId) -> Result<Option<Transition>, Refusal> {
        let Edge { source, target, .. } = self.xcfa[edge];
        let mut run = Run {
            transition: Transition {
                thread,
                edge,
                source,
                target: Target::Loc(target),
                guard: self.may_move(source),
                updates: Vec::new(),
                inputs: Vec::new(),
                chosen: Vec::new(),
                starts: Vec::new(),
            },
            env: FxHashMap::default(),
        };
        let mut depth = self.depth[source.0 as usize].unwrap_or(0);
        let before = depth;
        let xcfa = self.xcfa;
        let mut goes_on = true;
        for label in &xcfa[edge].labels {
            match label {
                Label::AtomicBegin => depth += 1,
                Label::AtomicEnd => depth = depth.saturating_sub(1),
                Label::Exit(_) => {
                    self.raise(&mut run, self.system.flags.over);
                    (goes_on, depth) = (false, 0);
                }
                Label::ThreadExit(value) => {
                    self.end_thread(&mut run, *value);
                    (goes_on, depth) = (false, 0);
                }
                other => self.label(&mut run, other, edge)?,
            }
            if !goes_on {
                break;
            }
        }
        if goes_on && let Some(kind) = xcfa[target].error {
            self.error(&mut run, kind);
        }
        if (before > 0) != (depth > 0) {
            let holder = if depth > 0 { thread as u64 + 1 } else { 0 };
            let holder = self.system.terms.bv(8, holder);
            run.env.insert(self.system.flags.holder, holder);
        }
        if self.system.terms.as_const(run.transition.guard) == Some(0) {
            return Ok(None);
        }
        run.finish(self.system);
        Ok(Some(run.transition))
    }

    /// The process goes on, and no other thread is in an atomic section.
    fn may_move(&mut self, source: LocId) -> Term {
        let flags = self.system.flags;
        let terms = &mut self.system.terms;
        let over = terms.var(flags.over, Sort::Bool);
        let goes_on = terms.not(over);
        let sections = self.depth.iter().flatten().any(|&depth| depth > 0);
        if !sections || self.depth[source.0 as usize].unwrap_or(0) > 0 {
            return goes_on;
        }
        let holder = terms.var(flags.holder, Sort::Bv(8));
        let nobody = terms.bv(8, 0);
        let free = terms.eq(holder, nobody);
        terms.and(goes_on, free)
    }

    fn raise(&mut self, run: &mut Run, flag: VarId) {
        let truth = self.system.terms.bool(true);
        run.env.insert(flag, truth);
    }

    fn error(&mut self, run: &mut Run, kind: ErrorKind) {
        let flags = self.system.flags;
        self.raise(run, flags.over);
        match kind {
            ErrorKind::Unwound => self.raise(run, flags.beyond),
            kind if kind == self.checked => self.raise(run, flags.bad),
            // An error of another property ends the process.
            _ => {}
        }
    }

    fn end_thread(&mut self, run: &mut Run, value: Term) {
        let value = self.eval(run, value);
        let width = self.xcfa.pointer_bits();
        let value = self.system.terms.resize(value, width, false);
        let Thread { ended, result, .. } = self.system.threads[run.transition.thread];
        self.raise(run, ended);
        run.env.insert(result, value);
        run.transition.target = Target::End;
    }

    fn label(&mut self, run: &mut Run, label: &Label, edge: EdgeId) -> Result<(), Refusal> {
        match label {
            Label::Assign { var, value } => {
                let value = self.eval(run, *value);
                run.transition.chosen.push((*var, value));
                self.set(run, *var, value);
            }
            Label::Havoc { var, .. } => {
                let sort = self.xcfa[*var].sort;
                let input = self.system.fresh();
                run.transition.inputs.push((input, sort));
                let value = self.system.terms.var(input, sort);
                run.transition.chosen.push((*var, value));
                self.set(run, *var, value);
            }
            Label::Assume(condition) | Label::Await(condition) => {
                let condition = self.eval(run, *condition);
                let guard = run.transition.guard;
                run.transition.guard = self.system.terms.and(guard, condition);
            }
            Label::Start { handle, proc, arg } => self.start(run, *handle, *proc, *arg),
            Label::Join { thread, result } => self.join(run, *thread, *result),
            _ => {
                let span = self.xcfa[edge].span;
                return Err(Refusal::at(
                    span,
                    "memory that could not be turned into variables",
                ));
            }
        }
        Ok(())
    }

    fn start(&mut self, run: &mut Run, handle: VarId, proc: ProcId, arg: Term) {
        let arg = self.eval(run, arg);
        let width = self.xcfa.pointer_bits();
        let started = self.system.flags.started;
        let count = self.get(run, started, Sort::Bv(width));
        let one = self.system.terms.bv(width, 1);
        let value = self.system.terms.add(count, one);
        run.env.insert(started, value);
        let child = self.thread_of[&proc];
        run.transition.starts.push(child);
        run.env.insert(self.system.threads[child].handle, value);
        let own = self.system.threads[child].locals[&self.xcfa.self_var];
        run.env.insert(own, value);
        if let Some(&param) = self.xcfa[proc].params.first() {
            let arg = match self.system.terms.sort(arg) == self.xcfa[param].sort {
                true => arg,
                false => {
                    let width = self.xcfa[param].sort.width();
                    self.system.terms.resize(arg, width, false)
                }
            };
            run.env.insert(param, arg);
        }
        let width = self.xcfa[handle].sort.width();
        let shown = self.system.terms.resize(value, width, false);
        self.set(run, handle, shown);
    }

    fn join(&mut self, run: &mut Run, thread: Term, result: Option<VarId>) {
        let width = self.xcfa.pointer_bits();
        let meant = self.eval(run, thread);
        let meant = self.system.terms.resize(meant, width, false);
        let mut any = self.system.terms.bool(false);
        let mut value = self.system.terms.bv(width, 0);
        for other in 0..self.system.threads.len() {
            if other == run.transition.thread {
                continue;
            }
            let thread = &self.system.threads[other];
            let (handle, ended, returned) = (thread.handle, thread.ended, thread.result);
            let terms = &mut self.system.terms;
            let handle = terms.var(handle, Sort::Bv(width));
            let (same, ended) = (terms.eq(meant, handle), terms.var(ended, Sort::Bool));
            let fits = terms.and(same, ended);
            let returned = terms.var(returned, Sort::Bv(width));
            value = terms.ite(fits, returned, value);
            any = terms.or(any, fits);
        }
        let guard = run.transition.guard;
        run.transition.guard = self.system.terms.and(guard, any);
        if let Some(var) = result {
            let width = self.xcfa[var].sort.width();
            let value = self.system.terms.resize(value, width, false);
            self.set(run, var, value);
        }
    }

    // Variables.

    fn own(&self, run: &Run, var: VarId) -> VarId {
        let locals = &self.system.threads[run.transition.thread].locals;
        locals.get(&var).copied().unwrap_or(var)
    }

    fn get(&mut self, run: &Run, var: VarId, sort: Sort) -> Term {
        match run.env.get(&var) {
            Some(&value) => value,
            None => self.system.terms.var(var, sort),
        }
    }

    fn set(&mut self, run: &mut Run, var: VarId, value: Term) {
        let var = self.own(run, var);
        run.env.insert(var, value);
    }

    fn eval(&mut self, run: &Run, term: Term) -> Term {
        let mut values = FxHashMap::default();
        for var in self.system.terms.vars(term) {
            let value = self.get(run, self.own(run, var), self.xcfa[var].sort);
            values.insert(var, value);
        }
        self.system.terms.substitute(term, &values)
    }
}

impl Run {
    /// Writes down what has changed.
    fn finish(&mut self, system: &mut System) {
        let mut updates: Vec<(VarId, Term)> = self.env.drain().collect();
        updates.retain(|&(var, value)| system.terms.as_var(value) != Some(var));
        updates.sort_unstable();
        self.transition.updates = updates;
    }
}

/// In how many atomic sections a thread is at each location that it can get to.
fn depths(xcfa: &Xcfa) -> Result<Vec<Option<u32>>, Refusal> {
    let mut depth: Vec<Option<u32>> = vec![None; xcfa.locs.len()];
    let mut work: Vec<LocId> = Vec::new();
    for proc in &xcfa.procs {
        depth[proc.init.0 as usize] = Some(0);
        work.push(proc.init);
    }
    while let Some(loc) = work.pop() {
        for &edge in &xcfa[loc].out {
            let edge = &xcfa[edge];
            let mut now = depth[loc.0 as usize].unwrap_or(0);
            let mut ends = false;
            for label in &edge.labels {
                match label {
                    Label::AtomicBegin => now += 1,
                    Label::AtomicEnd => now = now.saturating_sub(1),
                    Label::ThreadExit(_) | Label::Exit(_) => ends = true,
                    _ => {}
                }
            }
            if ends {
                continue;
            }
            match depth[edge.target.0 as usize] {
                None => {
                    depth[edge.target.0 as usize] = Some(now);
                    work.push(edge.target);
                }
                Some(known) if known == now || xcfa[edge.target].out.is_empty() => {}
                Some(_) => {
                    let what = "an atomic section that begins or ends on some paths only";
                    return Err(Refusal::at(edge.span, what));
                }
            }
        }
    }
    Ok(depth)
}
