//! A program with its meaning for one property.

use crate::attempt::Saved;
use crate::layout::{Layout, Slot};
use crate::step::{Exec, Halt};
use crate::view::View;
use crate::{Cell, Host, Memory, Property, Reached, Script, State, Status, Thread, Tid, Violation};
use expr::{Env, ObjId, Sort, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use xcfa::{EdgeId, Label, ObjectKind, ProcId, Xcfa};

/// What came of trying an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The step was taken. It is `spurious` if it is a spurious wake-up.
    Moved {
        /// Was it a spurious wake-up?
        spurious: bool,
    },
    /// The thread has to wait for others.
    Blocked,
    /// An assumption does not hold, or the behaviour is undefined, by this violation of another property:
    /// no run goes on here.
    Cut(Option<Violation>),
    /// The step violates the property.
    Violation(Violation),
    /// The step is more than the machine can follow; nothing may be concluded.
    Beyond(&'static str),
}

/// Gives a program its meaning.
///
/// Law: the outcome of a step depends on the state, the thread, the edge and the answers of the
/// host alone; after any outcome but `Moved` the state is unspecified.
#[derive(Clone, Debug)]
pub struct Machine<'x> {
    /// The program.
    pub xcfa: &'x Xcfa,
    /// Where its variables and objects live.
    pub layout: Layout,
    /// What is checked.
    pub property: Property,
    pub(crate) global_reads: Vec<Box<[VarId]>>,
    /// By edge: the terms whose value C may leave open.
    pub(crate) open: Vec<Box<[Open]>>,
    /// The products that must not wrap in C.
    pub(crate) products: FxHashSet<Term>,
    /// By edge: see [`crate::attempt`].
    pub(crate) entangled: Vec<bool>,
    /// Where it is noted what was executed, if somebody wants to know.
    pub(crate) reached: Option<Arc<Reached>>,
}

/// A term of a label in which one of [`Xcfa::ordered`] occurs, or an index that may wrap around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub label: usize,
    pub term: Term,
}

/// The terms of all edges that are open, and the products in them.
fn open(xcfa: &Xcfa) -> (Vec<Box<[Open]>>, FxHashSet<Term>) {
    let mut products = FxHashSet::default();
    let mut known = FxHashMap::default();
    let mut is_open = |term: Term| {
        *known.entry(term).or_insert_with(|| {
            let mut found = false;
            xcfa.terms.for_each_subterm(term, &mut |sub, _| {
                let new = xcfa.wrapping_products(sub);
                found |= !new.is_empty();
                found |= xcfa.ordered.contains(&sub);
                products.extend(new);
            });
            found
        })
    };
    let mut of_edge = |edge: &xcfa::Edge| {
        let labels = edge.labels.iter().enumerate();
        let terms = labels.flat_map(|(label, it)| it.terms().map(move |term| (label, term)));
        let terms = terms.filter(|&(_, term)| is_open(term));
        terms.map(|(label, term)| Open { label, term }).collect()
    };
    let found = xcfa.edges.iter().map(&mut of_edge).collect();
    (found, products)
}

/// Evaluates initial values: they mention no variables.
struct Addresses<'a>(&'a Layout);

impl Env for Addresses<'_> {
    fn var(&self, var: VarId) -> u64 {
        unreachable!("an initial value reads the variable {}", var.0)
    }

    fn base(&self, obj: ObjId) -> u64 {
        self.0.base(obj)
    }
}

impl<'x> Machine<'x> {
    /// Prepares a program.
    pub fn new(xcfa: &'x Xcfa, property: Property) -> Machine<'x> {
        let global_reads = xcfa
            .edges
            .iter()
            .map(|edge| {
                let terms = edge.labels.iter().flat_map(Label::terms);
                let vars = terms.flat_map(|term| xcfa.terms.vars(term));
                vars.filter(|&var| xcfa.is_global(var)).collect()
            })
            .collect();
        let (open, products) = open(xcfa);
        Machine {
            xcfa,
            layout: Layout::of(xcfa, property),
            property,
            global_reads,
            open,
            products,
            entangled: crate::attempt::entangled(xcfa),
            reached: None,
        }
    }

    /// With notes of what is executed, in whatever state and order. They must be about the same program.
    pub fn noting(mut self, reached: Option<Arc<Reached>>) -> Machine<'x> {
        self.reached = reached;
        self
    }

    /// So many labels of an edge were begun.
    pub(crate) fn note(&self, edge: EdgeId, begun: usize) {
        if let Some(reached) = &self.reached {
            reached.note(edge, begun);
        }
    }

    /// The state before the first step.
    pub fn initial(&self) -> State {
        let globals = self
            .layout
            .globals
            .iter()
            .map(|&var| self.initial_value(var))
            .collect();
        let mut state = State {
            globals,
            memory: self.initial_memory(),
            threads: Vec::new(),
            holder: None,
            ended: false,
        };
        let main = self.new_thread(Tid(0), self.xcfa.main);
        state.threads.push(main);
        state
    }

    fn initial_value(&self, var: VarId) -> u64 {
        let init = self.xcfa[var].init;
        init.map_or(0, |term| {
            self.xcfa.terms.eval(term, &Addresses(&self.layout))
        })
    }

    fn initial_memory(&self) -> Memory {
        let mut memory = Memory {
            statics: vec![0; self.layout.static_bytes],
            ..Memory::default()
        };
        for range in &self.layout.statics {
            let ObjectKind::Static { init } = &self.xcfa[range.obj].kind else {
                continue;
            };
            for &(offset, term) in init {
                let bits = self.xcfa.terms.eval(term, &Addresses(&self.layout));
                let len = self.xcfa.terms.bytes(term);
                assert!(
                    offset + len <= range.size,
                    "an initialiser stays inside its object"
                );
                memory.initialise(range.at + offset as usize, len, bits);
            }
        }
        memory
    }

    /// A thread at the start of a procedure, with its thread-local variables set.
    pub(crate) fn new_thread(&self, tid: Tid, proc: ProcId) -> Thread {
        let locals = &self.layout.thread_locals;
        let mut slots: Vec<u64> = locals.iter().map(|&var| self.initial_value(var)).collect();
        if let Slot::ThreadLocal(slot) = self.layout.slots[self.xcfa.self_var.0 as usize] {
            slots[slot as usize] = tid.handle();
        }
        let base = slots.len();
        slots.resize(base + self.layout.frame_size(proc), 0);
        Thread {
            loc: self.xcfa[proc].init,
            status: Status::Running,
            waiting: 0,
            atomic_depth: 0,
            result: 0,
            heap_used: 0,
            slots,
            base: base as u32,
            frames: Vec::new(),
        }
    }

    /// The edges that leave the location of a thread.
    pub fn edges(&self, state: &State, tid: Tid) -> &'x [EdgeId] {
        &self.xcfa[state.thread(tid).loc].out
    }

    /// The value of a term as a thread sees it.
    pub fn eval(&self, state: &State, tid: Tid, term: Term) -> u64 {
        self.xcfa
            .terms
            .eval(term, &View::new(&self.layout, state, tid))
    }

    /// The value of a variable as a thread sees it.
    pub fn value(&self, state: &State, tid: Tid, var: VarId) -> u64 {
        View::new(&self.layout, state, tid).var(var)
    }

    /// Puts a value into a variable of a thread's current frame or a global.
    pub fn set_value(&self, state: &mut State, tid: Tid, var: VarId, bits: u64) {
        match self.layout.slots[var.0 as usize] {
            Slot::Global(slot) => state.globals[slot as usize] = bits,
            Slot::ThreadLocal(slot) => state.thread_mut(tid).slots[slot as usize] = bits,
            Slot::Local(slot) => {
                let thread = state.thread_mut(tid);
                thread.slots[thread.base as usize + slot as usize] = bits;
            }
        }
    }

    /// What a global or a cell of up to eight bytes holds; `None` if some of it is undefined, or if
    /// there is no such cell.
    pub fn peek(&self, state: &State, cell: Cell) -> Option<u64> {
        match cell {
            Cell::Var(var) => match self.layout.slots[var.0 as usize] {
                Slot::Global(slot) => Some(state.globals[slot as usize]),
                _ => None,
            },
            Cell::Bytes { start, len } => {
                let sort = (1..=8).contains(&len).then_some(Sort::Bv(8 * len as u32))?;
                let loaded = state.memory.load(&self.layout, start, len).ok()?;
                (loaded.defined & sort.mask() == sort.mask()).then_some(loaded.bits)
            }
        }
    }

    /// A word of a synchronisation object, if there is one; bytes that were never set count as zero.
    pub fn word(&self, state: &State, addr: u64) -> Option<u64> {
        let loaded = state.memory.load(&self.layout, addr, 4).ok()?;
        Some(loaded.bits & loaded.defined)
    }

    /// Is there such a cell?
    pub fn exists(&self, state: &State, cell: Cell) -> bool {
        match cell {
            Cell::Var(var) => matches!(self.layout.slots[var.0 as usize], Slot::Global(_)),
            Cell::Bytes { start, len } => state.memory.is_valid(&self.layout, start, len),
        }
    }

    /// Ends the life of the object at an address.
    pub fn release(&self, state: &mut State, base: u64) {
        state.memory.release(base);
    }

    /// Puts a value into a global or a cell of up to eight bytes, if there is such a cell.
    pub fn poke(&self, state: &mut State, cell: Cell, bits: u64) -> bool {
        match cell {
            Cell::Var(var) => match self.layout.slots[var.0 as usize] {
                Slot::Global(slot) => {
                    state.globals[slot as usize] = bits;
                    true
                }
                _ => false,
            },
            Cell::Bytes { len, .. } if !(1..=8).contains(&len) => false,
            Cell::Bytes { start, len } => {
                let stored = state.memory.store(&self.layout, start, len, bits);
                stored.is_ok()
            }
        }
    }

    /// A quick test: `false` only if the first label of the edge is a guard that does not hold,
    /// so that trying the edge would give `Cut`.
    pub fn guard_holds(&self, state: &State, tid: Tid, edge: EdgeId) -> bool {
        match self.xcfa[edge].labels.first() {
            // What C leaves open: trying the edge tells.
            Some(_) if self.is_open(edge) => true,
            Some(&Label::Assume(cond)) => self.eval(state, tid, cond) != 0,
            _ => true,
        }
    }

    /// May C leave open what this edge does?
    fn is_open(&self, edge: EdgeId) -> bool {
        !self.open[edge.0 as usize].is_empty()
    }

    /// Takes one edge with one thread. Whether the thread may move at all (atomic sections) is
    /// up to the caller: see [`State::runnable`].
    pub fn step<H: Host>(
        &self,
        state: &mut State,
        tid: Tid,
        edge: EdgeId,
        host: &mut H,
    ) -> Outcome {
        let mut exec = Exec::new(self, state, tid, edge, host);
        let done = exec.run();
        outcome(done, exec.spurious)
    }

    /// The same, but a thread that is started gets this number. It must be larger than that of who starts it, and
    /// nobody else's. (Where threads have no common order, they are not numbered in the order of their creation.)
    pub fn step_starting<H: Host>(
        &self,
        state: &mut State,
        tid: Tid,
        edge: EdgeId,
        host: &mut H,
        number: u32,
    ) -> Outcome {
        let labels = &self.xcfa[edge].labels;
        if !labels.iter().any(|it| matches!(it, Label::Start { .. })) {
            return self.step(state, tid, edge, host);
        }
        let room = (tid.0 < number && self.layout.has_region(Tid(number)))
            .then(|| state.make_room(number as usize))
            .flatten();
        let Some(others) = room else {
            return Outcome::Beyond("a thread that cannot have this number");
        };
        let outcome = self.step(state, tid, edge, host);
        state.threads.extend(others.into_iter().skip(1));
        outcome
    }

    /// Does what one label of an edge does, and nothing else: the thread stays where it is. For
    /// callers that follow an edge label by label, because what a label works with may have been
    /// set by those before it. Calls and ends are more than that, and so [`Outcome::Beyond`].
    pub fn step_label<H: Host>(
        &self,
        state: &mut State,
        tid: Tid,
        edge: EdgeId,
        label: &Label,
        host: &mut H,
    ) -> Outcome {
        let mut exec = Exec::new(self, state, tid, edge, host);
        let done = match label {
            Label::Call { .. } | Label::ThreadExit(_) | Label::Exit(_) => {
                Err(Halt::Beyond("a label that leaves its edge"))
            }
            other => exec.label(other),
        };
        outcome(done, exec.spurious)
    }

    /// Can no thread move although some thread has not ended, with none cut off?
    ///
    /// A spurious wake-up does not count as moving. A step that asks the host is tried with the
    /// answer 0 only: if that cuts the run, there is no deadlock to report.
    pub fn is_deadlock(&self, state: &State) -> bool {
        let mut trial = (state.clone(), Saved::default());
        let mut blocked = false;
        for tid in state.runnable() {
            match self.standing(state, tid, &mut trial) {
                Standing::Moves | Standing::Cut => return false,
                Standing::Blocked => blocked = true,
            }
        }
        blocked
    }

    /// Does a thread have to wait for others? (A spurious wake-up would not be waiting's end.)
    pub fn is_blocked(&self, state: &State, tid: Tid) -> bool {
        let mut trial = (state.clone(), Saved::default());
        matches!(self.standing(state, tid, &mut trial), Standing::Blocked)
    }

    /// `trial` is a copy of the state, and is one afterwards unless the thread moves.
    fn standing(&self, state: &State, tid: Tid, trial: &mut (State, Saved)) -> Standing {
        let (copy, saved) = trial;
        let mut standing = Standing::Cut;
        for &edge in self.edges(state, tid) {
            let mut host = Script::default();
            match self.attempt(copy, tid, edge, &mut host, saved) {
                Outcome::Moved { spurious: false } | Outcome::Violation(_) | Outcome::Beyond(_) => {
                    return Standing::Moves;
                }
                Outcome::Moved { spurious: true } => {
                    copy.clone_from(state);
                    standing = Standing::Blocked;
                }
                Outcome::Blocked => standing = Standing::Blocked,
                Outcome::Cut(_) => {}
            }
        }
        standing
    }
}

enum Standing {
    Moves,
    Blocked,
    Cut,
}

pub(crate) fn outcome(done: Result<(), Halt>, spurious: bool) -> Outcome {
    match done {
        Ok(()) => Outcome::Moved { spurious },
        Err(Halt::Blocked) => Outcome::Blocked,
        Err(Halt::Cut(undefined)) => Outcome::Cut(undefined),
        Err(Halt::Violation(violation)) => Outcome::Violation(violation),
        Err(Halt::Beyond(what)) => Outcome::Beyond(what),
    }
}
