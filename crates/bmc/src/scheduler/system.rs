//! A program as a transition system: state variables, threads with locations, guarded updates.

use super::effect::Effects;
use crate::encode::Refusal;
use analysis::Flat;
use expr::{ObjId, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{EdgeId, ErrorKind, Label, LocId, ProcId, Scope, Span, Xcfa};

/// A thread, by number; `main` is 0.
pub type ThreadId = usize;

/// A variable of the state.
#[derive(Clone, Debug)]
pub struct StateVar {
    /// The variable.
    pub var: VarId,
    /// Its sort.
    pub sort: Sort,
    /// Its first value; nothing if that is arbitrary.
    pub first: Option<Term>,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// What it runs.
    pub proc: ProcId,
    /// Where it starts.
    pub init: LocId,
    /// Its own copies of thread-local variables.
    pub locals: FxHashMap<VarId, VarId>,
    /// The local variables of what it runs.
    pub own: FxHashSet<VarId>,
    /// Has it ended?
    pub ended: VarId,
    /// What it ended with.
    pub result: VarId,
    /// Its handle once it is started, and 0 before.
    pub handle: VarId,
    /// Indices of its transitions.
    pub transitions: Vec<usize>,
}

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a location.
    Loc(LocId),
    /// The thread ends.
    End,
}

/// A transition of one thread.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Whose it is.
    pub thread: ThreadId,
    /// The edge that it is.
    pub edge: EdgeId,
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: Target,
    /// When it can happen, over the state before it.
    pub guard: Term,
    /// What it changes, over the state before it; each variable once.
    pub updates: Vec<(VarId, Term)>,
    /// Unknowns that the environment chooses.
    pub inputs: Vec<(VarId, Sort)>,
    /// What variables of the program hold afterwards that the environment may have chosen.
    pub chosen: Vec<(VarId, Term)>,
    /// The threads that it starts.
    pub starts: Vec<ThreadId>,
}

/// Flags of the whole system.
#[derive(Clone, Copy, Debug)]
pub struct Flags {
    /// The process has ended.
    pub over: VarId,
    /// An error was reached.
    pub bad: VarId,
    /// A run went on beyond what was unrolled.
    pub beyond: VarId,
    /// One more than the number of the thread that is in an atomic section, or 0.
    pub holder: VarId,
    /// How many threads have been started, `main` among them.
    pub started: VarId,
}

/// A transition system.
pub struct System {
    /// Owns the terms.
    pub terms: Terms,
    /// The state.
    pub vars: Vec<StateVar>,
    /// The threads.
    pub threads: Vec<Thread>,
    /// The transitions of all threads.
    pub transitions: Vec<Transition>,
    /// The variables that are not the program's.
    pub flags: Flags,
    /// Addresses of objects.
    pub bases: FxHashMap<ObjId, u64>,
    /// Numbers of the variables that memory has become.
    pub made: std::ops::Range<u32>,
    next_var: u32,
}

impl System {
    /// The system of a program without memory in which every procedure runs at most once.
    pub fn new(mut flat: Flat, checked: ErrorKind) -> Result<System, Refusal> {
        let terms = std::mem::take(&mut flat.xcfa.terms);
        let mut system = System {
            terms,
            vars: Vec::new(),
            threads: Vec::new(),
            transitions: Vec::new(),
            flags: Flags {
                over: VarId(0),
                bad: VarId(0),
                beyond: VarId(0),
                holder: VarId(0),
                started: VarId(0),
            },
            bases: std::mem::take(&mut flat.bases),
            made: flat.made.clone(),
            next_var: flat.xcfa.vars.len() as u32,
        };
        system.add_variables(&flat)?;
        let effects = Effects::of(&flat.xcfa, &mut system, checked)?;
        for (at, transition) in effects.into_iter().enumerate() {
            system.threads[transition.thread].transitions.push(at);
            system.transitions.push(transition);
        }
        Ok(system)
    }

    /// A new variable, which is not part of the state.
    pub fn fresh(&mut self) -> VarId {
        self.next_var += 1;
        VarId(self.next_var - 1)
    }

    fn add(&mut self, sort: Sort, first: u64) -> VarId {
        let var = self.fresh();
        let first = Some(self.terms.constant(sort, first));
        self.vars.push(StateVar { var, sort, first });
        var
    }

    fn add_variables(&mut self, flat: &Flat) -> Result<(), Refusal> {
        let xcfa = &flat.xcfa;
        let width = Sort::Bv(xcfa.pointer_bits());
        self.flags = Flags {
            over: self.add(Sort::Bool, 0),
            bad: self.add(Sort::Bool, 0),
            beyond: self.add(Sort::Bool, 0),
            holder: self.add(Sort::Bv(8), 0),
            started: self.add(width, 1),
        };
        for var in xcfa.var_ids() {
            let (sort, init) = (xcfa[var].sort, xcfa[var].init);
            let first = match xcfa[var].scope {
                Scope::ThreadLocal => continue,
                Scope::Global if flat.arbitrary.contains(&var) => None,
                Scope::Global if init.is_some() => init,
                _ => Some(self.terms.constant(sort, 0)),
            };
            self.vars.push(StateVar { var, sort, first });
        }
        let procs = threads_of(xcfa)?;
        for (number, &proc) in procs.iter().enumerate() {
            let mut locals = FxHashMap::default();
            for var in xcfa.var_ids() {
                if xcfa[var].scope != Scope::ThreadLocal {
                    continue;
                }
                let (sort, copy) = (xcfa[var].sort, self.fresh());
                let first = match xcfa[var].init {
                    _ if var == xcfa.self_var => self.terms.constant(sort, u64::from(number == 0)),
                    Some(init) => init,
                    None => self.terms.constant(sort, 0),
                };
                let first = Some(first);
                self.vars.push(StateVar {
                    var: copy,
                    sort,
                    first,
                });
                locals.insert(var, copy);
            }
            let is_own = |&var: &VarId| xcfa[var].scope == Scope::Local(proc);
            let thread = Thread {
                proc,
                init: xcfa[proc].init,
                locals,
                own: xcfa.var_ids().filter(is_own).collect(),
                ended: self.add(Sort::Bool, 0),
                result: self.add(width, 0),
                handle: self.add(width, u64::from(number == 0)),
                transitions: Vec::new(),
            };
            self.threads.push(thread);
        }
        match self.threads.len() < 255 {
            true => Ok(()),
            false => Err(Refusal::at(Span::default(), "more than 254 threads")),
        }
    }
}

/// The procedures that run as threads, a starter before those that it starts.
fn threads_of(xcfa: &Xcfa) -> Result<Vec<ProcId>, Refusal> {
    let mut procs = vec![xcfa.main];
    let mut at = 0;
    while at < procs.len() {
        let of_proc = xcfa
            .edges
            .iter()
            .filter(|edge| xcfa[edge.source].proc == procs[at]);
        let mut found = Vec::new();
        for edge in of_proc {
            for label in &edge.labels {
                if let Label::Start { proc, .. } = label {
                    if procs.contains(proc) || found.contains(proc) {
                        return Err(Refusal::at(edge.span, "a thread that is started twice"));
                    }
                    found.push(*proc);
                }
            }
        }
        procs.extend(found);
        at += 1;
    }
    Ok(procs)
}
