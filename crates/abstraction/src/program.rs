//! The program as threads, variables and actions.
//!
//! Threads are unrolled ([`passes::unroll`] with loops kept), memory has become variables
//! ([`passes::cells()`]). Locks, and what is left of threads, become variables here: how many have
//! been started, the handle of each, whether it has ended and what it returned. What an edge does
//! to them, [`symbolic::step`] says. So an action is nothing but a condition and assignments,
//! and two actions can only meet in variables.
//!
//! Law: the program has the same reachable error locations as the one it was made from, as far as
//! no `Unwound` location is reached; it may have more of them if memory was given up
//! ([`Program::given_up`]). Where memory is checked ([`Xcfa::checks_memory`]), every access and `free`
//! that may be invalid, and every end of the process at which memory may be lost, has an action of its
//! own that leads to an error, so that memory safety is about locations too. The end of the process is not an action: a run that ends it
//! and shows an error has shown it before.

mod additions;
mod compile;
mod given_up;
mod lock_words;
mod memory;
mod middle;
mod templates;
mod view;
mod waiting;
mod words;

use crate::{Action, ActionId};
pub use additions::Addition;
use compile::Compiler;
use dataflow::{Analysed, BitSet, JoinTargets, Liveness, PointsTo};
use expr::{ObjId, Sort, Term, Terms, VarId};
use given_up::give_up;
use memory::remember;
pub use memory::{AccessKind, Memory, MemoryAccess};
use passes::{Limits, OnInvalid, Unrolled, Unsupported};
use passes::{cells_for, unroll};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Index;
use templates::{alike, started_in_loops};
pub use view::View;
use view::{addresses_exist, forget_memory};
use waiting::Waiting;
use words::Words;
use xcfa::{ErrorKind, Label, LocId, ProcId, Scope, Span, Xcfa};

/// A variable of the program.
#[derive(Clone, Debug)]
pub struct StateVar {
    /// For messages.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The value it starts with; none if that is arbitrary.
    pub init: Option<u64>,
    /// The only thread that uses it, if there is one.
    pub owner: Option<usize>,
    /// A lock, or something about threads, which every precision contains.
    pub control: bool,
    /// Chosen by the environment during one action, rather than a part of the state?
    pub input: bool,
}

/// A thread, which runs at most once, or a template of which there can be many.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its procedure.
    pub proc: ProcId,
    /// Where it starts.
    pub init: LocId,
    /// The name of its function.
    pub name: String,
    /// Is it a template of any number of threads? Its variables then represent those of one.
    pub many: bool,
}

/// What is known about a thread, as variables.
#[derive(Clone, Copy, Debug)]
pub struct ThreadVars {
    /// Its handle, 0 before it is started.
    pub handle: VarId,
    /// Has it ended?
    pub ended: VarId,
    /// What it returned.
    pub result: VarId,
}

/// What there is at a location beside actions, as conditions over variables and inputs.
#[derive(Clone, Copy, Debug)]
pub struct BlockedOrExiting {
    /// Some way on is closed, and only another thread can open it. (A way that an assumption closes
    /// is not meant: a run that is cut there is no execution.)
    pub waits: Term,
    /// The process can end from here.
    pub exits: Term,
}

/// A program without memory, locks and calls.
#[derive(Debug)]
pub struct Program {
    /// All variables, by [`VarId`].
    pub vars: Vec<StateVar>,
    /// All threads; the first one is there from the start.
    pub threads: Vec<Thread>,
    /// What is known about threads, by number of the thread.
    pub about: Vec<ThreadVars>,
    /// All actions, by [`ActionId`].
    pub actions: Vec<Action>,
    /// By location: the actions that leave it.
    out: Vec<Vec<ActionId>>,
    /// By location: is it an error?
    errors: Vec<Option<ErrorKind>>,
    /// By location: the variables of its thread whose values are never used again.
    dead: Vec<BitSet>,
    /// By location: what is to be known about threads that do not move on.
    blocked_or_exiting: Vec<BlockedOrExiting>,
    /// Says whether wake-ups may be spurious, if waiting on condition variables is followed.
    pub spurious: Option<VarId>,
    /// Additions to shared variables, each with a flag, in programs for proofs about one thread at a time.
    pub additions: Vec<Addition>,
    /// Objects whose contents are arbitrary here.
    pub given_up: Vec<GivenUp>,
    /// What is remembered of them, if that was asked for.
    pub memory: Memory,
    /// Addresses of objects.
    pub bases: FxHashMap<ObjId, u64>,
    /// The variables that memory has become.
    pub made: Vec<VarId>,
    /// By thread: its own copies of thread-local variables.
    own: Vec<FxHashMap<VarId, VarId>>,
    /// Where it comes from: actions name its edges. An edge that accesses memory which may be invalid
    /// has several actions, where that is checked.
    pub unrolled: Unrolled,
}

/// An object that could not become variables.
#[derive(Clone, Debug)]
pub struct GivenUp {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// Why it is so.
    pub why: String,
}

impl Index<ActionId> for Program {
    type Output = Action;
    fn index(&self, action: ActionId) -> &Action {
        &self.actions[action.0 as usize]
    }
}

/// What else a program follows.
#[derive(Clone, Copy, Debug, Default)]
struct Extras {
    /// Waiting on condition variables.
    waits: bool,
    /// What threads saw in memory that could not become variables.
    memory: bool,
    /// For proofs about one thread at a time: what is told apart.
    view: Option<View>,
}

/// In the coarse view an object with more places than this, of which an access does not say which, is
/// memory.
const FEW_PLACES: usize = 6;

/// Loops that start threads and have a proven bound up to this are unrolled as a whole.
const SMALL_LOOP: u64 = 64;

impl Program {
    /// Translates a prepared program; loops that start threads or allocate are unrolled `rounds`
    /// times unless they have a small bound. The terms come apart from it, because engines go on
    /// building terms while they look at the program.
    pub fn of(xcfa: &Analysed, rounds: u32) -> Result<(Program, Terms), Unsupported> {
        Program::with(xcfa, rounds, FxHashSet::default(), Extras::default())
    }

    /// The same, but waiting on condition variables is followed: [`Program::spurious`] says whether
    /// a wait may end without a signal.
    pub fn waiting(xcfa: &Analysed, rounds: u32) -> Result<(Program, Terms), Unsupported> {
        let extras = Extras {
            waits: true,
            ..Extras::default()
        };
        Program::with(xcfa, rounds, FxHashSet::default(), extras)
    }

    /// The same as [`Program::of`], but threads remember what they saw in memory that could not become
    /// variables ([`Program::memory`]).
    pub fn remembering(xcfa: &Analysed, rounds: u32) -> Result<(Program, Terms), Unsupported> {
        let extras = Extras {
            memory: true,
            ..Extras::default()
        };
        Program::with(xcfa, rounds, FxHashSet::default(), extras)
    }

    /// The same, but threads that are started without a bound are templates of which there can be
    /// many; nothing if there are none.
    pub fn counted(xcfa: &Analysed, rounds: u32) -> Option<Result<(Program, Terms), Unsupported>> {
        let shared = started_in_loops(xcfa, SMALL_LOOP);
        (!shared.is_empty()).then(|| Program::with(xcfa, rounds, shared, Extras::default()))
    }

    /// For proofs about one thread at a time. Threads that are started in loops are templates; each of
    /// them has a handle of its own, which is a variable of the thread.
    pub fn modular(xcfa: &Analysed, view: View) -> Result<(Program, Terms), Unsupported> {
        let longest = match view {
            View::Coarse => 0,
            View::Fine => SMALL_LOOP,
        };
        let shared = started_in_loops(xcfa, longest);
        let extras = Extras {
            view: Some(view),
            ..Extras::default()
        };
        Program::with(xcfa, 1, shared, extras)
    }

    fn with(
        xcfa: &Analysed,
        rounds: u32,
        shared: FxHashSet<ProcId>,
        extras: Extras,
    ) -> Result<(Program, Terms), Unsupported> {
        let mut limits = Limits {
            rounds,
            keep_loops: true,
            repeated_objects: extras.view == Some(View::Coarse),
            shared,
            ..Limits::default()
        };
        for l in &xcfa.loops().loops {
            if let Some(bound) = l.bound.filter(|&bound| bound <= SMALL_LOOP) {
                limits.rounds_at.insert(l.head, (bound as u32).max(rounds));
            }
        }
        let unrolled = unroll(xcfa, &limits)?;
        let on_invalid = match unrolled.xcfa.checks_memory {
            true => OnInvalid::Error,
            false => OnInvalid::EndRun,
        };
        let most_places = match extras.view {
            Some(View::Coarse) => FEW_PLACES,
            _ => usize::MAX,
        };
        let mut cells = cells_for(&unrolled.xcfa, on_invalid, most_places);
        let mut left = std::mem::take(&mut cells.in_memory);
        left.retain(|left| !left.only_locks);
        let mut given_up: Vec<ObjId> = left.iter().map(|left| left.object).collect();
        if extras.view.is_some() {
            addresses_exist(&mut cells.xcfa);
        }
        if extras.view == Some(View::Coarse) {
            forget_memory(&mut cells.xcfa);
            given_up.clear();
        }
        // Where pointers point to is asked before reads of them become arbitrary.
        let mut points_to = None;
        let mut memory = Memory::default();
        if extras.memory {
            let targets = PointsTo::of(&cells.xcfa);
            memory = remember(&mut cells.xcfa, &targets, &given_up);
            points_to = Some(targets);
        }
        let before = cells.xcfa.vars.len();
        let waiting = extras.waits.then(|| Waiting::add_to(&mut cells.xcfa));
        let points_to = points_to.unwrap_or_else(|| PointsTo::of(&cells.xcfa));
        if !unrolled.shared.is_empty() {
            alike(&unrolled, &cells.xcfa, &points_to, &given_up, extras.view)?;
        }
        give_up(&mut cells.xcfa, &points_to, &given_up)?;
        // Without memory that was given up, nothing has changed since.
        let join_targets = match given_up.is_empty() && !extras.memory {
            true => JoinTargets::of(&cells.xcfa, &points_to),
            false => JoinTargets::of(&cells.xcfa, &PointsTo::of(&cells.xcfa)),
        };
        let words = Words::new(&cells.xcfa, points_to);
        let threads = (unrolled.shared.as_slice(), join_targets);
        let compiler = Compiler::new(words, waiting.as_ref(), before, threads, extras.view);
        let (mut program, mut terms) = compiler.program(unrolled, &cells.origin)?;
        if extras.view.is_some() {
            program.count_additions(&mut terms);
        }
        if let Some(spurious) = program.spurious {
            let about = &mut program.vars[spurious.0 as usize];
            (about.init, about.input) = (None, true);
        }
        let given_up = left.into_iter().map(|left| GivenUp {
            name: cells.xcfa[left.object].name.clone(),
            span: cells.xcfa[left.object].span,
            why: left.why.to_string(),
        });
        program.given_up = given_up.collect();
        program.memory = memory;
        Ok((program, terms))
    }

    /// Are there templates of which there can be many threads?
    pub fn has_templates(&self) -> bool {
        self.threads.iter().any(|thread| thread.many)
    }

    /// The template that a variable belongs to, if it belongs to one.
    pub fn template(&self, var: VarId) -> Option<usize> {
        let owner = self.vars[var.0 as usize].owner;
        owner.filter(|&thread| self.threads[thread].many)
    }

    /// The variable that a thread means: its own copy if it is a thread-local one.
    pub fn own(&self, thread: usize, var: VarId) -> VarId {
        self.own[thread].get(&var).copied().unwrap_or(var)
    }

    /// The actions that leave a location.
    pub fn out(&self, loc: LocId) -> &[ActionId] {
        &self.out[loc.0 as usize]
    }

    /// Is the location an error?
    pub fn error(&self, loc: LocId) -> Option<ErrorKind> {
        self.errors[loc.0 as usize]
    }

    /// What there is at a location beside actions.
    pub fn blocked_or_exiting(&self, loc: LocId) -> BlockedOrExiting {
        self.blocked_or_exiting[loc.0 as usize]
    }

    /// The variables of the thread at `loc` that are of no use from there on.
    pub fn dead(&self, loc: LocId) -> &BitSet {
        &self.dead[loc.0 as usize]
    }

    /// All actions.
    pub fn action_ids(&self) -> impl DoubleEndedIterator<Item = ActionId> + use<> {
        (0..self.actions.len() as u32).map(ActionId)
    }

    /// That two threads, which have been started, are different ones: their handles differ. The second
    /// one is a bystander, whose variables have other names if there may be more threads like it.
    pub fn apart(&self, terms: &mut Terms, moving: usize, standing: usize) -> Term {
        let handle = |thread: usize| self.about[thread].handle;
        let theirs = match self.threads[standing].many {
            true => crate::twin(self, handle(standing)),
            false => handle(standing),
        };
        let sort = self.vars[handle(moving).0 as usize].sort;
        let (mine, theirs) = (terms.var(handle(moving), sort), terms.var(theirs, sort));
        terms.ne(mine, theirs)
    }

    /// How many locations there are.
    pub fn locations(&self) -> usize {
        self.out.len()
    }
}

/// The threads that can be started, the first one first.
fn threads(xcfa: &Xcfa, shared: &[ProcId]) -> (Vec<Thread>, FxHashMap<ProcId, usize>) {
    let mut found = vec![xcfa.main];
    let mut next = 0;
    while let Some(&proc) = found.get(next) {
        next += 1;
        for edge in &xcfa.edges {
            if xcfa[edge.source].proc != proc {
                continue;
            }
            for label in &edge.labels {
                match label {
                    Label::Start { proc, .. } if !found.contains(proc) => found.push(*proc),
                    _ => {}
                }
            }
        }
    }
    let numbers = found.iter().enumerate();
    let numbers = numbers.map(|(number, &proc)| (proc, number)).collect();
    let threads = found.iter().map(|&proc| Thread {
        proc,
        init: xcfa[proc].init,
        name: xcfa[proc].function().to_owned(),
        many: shared.contains(&proc),
    });
    (threads.collect(), numbers)
}

/// By location: locals of its procedure that are not live there.
fn dead_variables(xcfa: &Xcfa) -> Vec<BitSet> {
    let liveness = Liveness::of(xcfa);
    let mut locals: FxHashMap<ProcId, BitSet> = FxHashMap::default();
    for var in xcfa.var_ids() {
        if let Scope::Local(proc) = xcfa[var].scope {
            locals.entry(proc).or_default().insert(var.0 as usize);
        }
    }
    let dead_at = |loc: LocId| -> BitSet {
        let own = locals.get(&xcfa[loc].proc);
        let mut dead = own.cloned().unwrap_or_default();
        for var in liveness.live(loc) {
            dead.remove(var.0 as usize);
        }
        dead
    };
    xcfa.loc_ids().map(dead_at).collect()
}
