//! Steps of one thread, taken by the machine, with what they depend on.
//!
//! What a step depends on is the thread's own state, and columns of three sorts: those that its labels always look
//! at (`Needs`), the cells that the machine says it accesses, and the threads that it joins. A step that looks
//! at something else is never kept ([`Learner::run`] says so).

use crate::choices::Odometer;
use crate::column_set::ColumnSet;
use crate::inputs::Inputs;
use crate::rows::{COUNT, HOLDER, Rows, ThreadColumns};
use crate::scratch::Scratch;
use crate::tables::{Leaves, Rare, Standing};
use expr::{Term, VarId};
use rustc_hash::FxHashSet;
use semantics::{
    Access, Cell, Choice, Host, Machine, Open, Outcome, State, Status, Step, Tid, Violation,
};
use xcfa::{EdgeId, Label, LocId, ObjectKind, Xcfa};

/// What there is in a program.
struct Facts {
    calls: bool,
    /// Objects on stacks.
    stack: bool,
    /// Terms whose value depends on where all objects are.
    ordered: FxHashSet<Term>,
}

impl Facts {
    fn of(xcfa: &Xcfa) -> Facts {
        let mut labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
        Facts {
            calls: labels.any(|it| matches!(it, Label::Call { .. })),
            stack: xcfa.objects.iter().any(|it| it.kind == ObjectKind::Stack),
            ordered: xcfa.ordered.iter().copied().collect(),
        }
    }

    /// Does an edge look at where all objects are?
    fn is_ordered(&self, xcfa: &Xcfa, edge: EdgeId) -> bool {
        let mut found = false;
        for term in xcfa[edge].labels.iter().flat_map(Label::terms) {
            let note = &mut |part, _| found |= self.ordered.contains(&part);
            xcfa.terms.for_each_subterm(term, note);
        }
        found
    }
}

/// What steps from a location look at, whatever happens.
#[derive(Clone, Default)]
struct Needs {
    /// Slots of globals.
    globals: Vec<u32>,
    count: bool,
    holder: bool,
    /// The thread's own stack and heap, and what it waits on.
    stack: bool,
    heap: bool,
    waiting: bool,
    /// What all threads wait on, and the objects of all threads.
    all_waiting: bool,
    all_objects: bool,
    /// More than can be said.
    everything: bool,
}

impl Needs {
    fn of(machine: &Machine<'_>, loc: LocId, facts: &Facts) -> Needs {
        let xcfa = machine.xcfa;
        let tracks = machine.property.is_violated_by(Violation::InvalidMemtrack);
        let mut needs = Needs {
            stack: facts.stack,
            everything: tracks && facts.calls,
            ..Needs::default()
        };
        for &edge in &xcfa[loc].out {
            let labels = &xcfa[edge].labels;
            let vars = labels.iter().flat_map(Label::terms);
            let vars = vars.flat_map(|term| xcfa.terms.vars(term));
            let globals = vars.filter(|&var: &VarId| xcfa.is_global(var));
            needs
                .globals
                .extend(globals.map(|var| machine.layout.slot(var)));
            let ends = labels
                .iter()
                .any(|it| matches!(it, Label::ThreadExit(_) | Label::Exit(_)));
            let fails = xcfa[xcfa[edge].target].error.is_some();
            needs.everything |= facts.is_ordered(xcfa, edge) || tracks && (ends || fails);
            for label in labels {
                needs.add(xcfa, label);
            }
        }
        needs.globals.sort_unstable();
        needs.globals.dedup();
        needs
    }

    fn add(&mut self, xcfa: &Xcfa, label: &Label) {
        match label {
            Label::AtomicBegin | Label::AtomicEnd | Label::ThreadExit(_) => self.holder = true,
            Label::Start { .. } | Label::Join { .. } => self.count = true,
            Label::Wait { .. } | Label::AwaitSignal { .. } => self.waiting = true,
            Label::Signal { .. } => self.all_waiting = true,
            Label::Free(_) => self.all_objects = true,
            Label::Alloc { object, .. } => {
                self.heap = true;
                self.all_objects |= xcfa[*object].reuses;
            }
            // These look at their terms and at what they access.
            Label::Assign { .. }
            | Label::Havoc { .. }
            | Label::Load { .. }
            | Label::Store { .. }
            | Label::Assume(_)
            | Label::Await(_)
            | Label::Lock { .. }
            | Label::Unlock { .. }
            | Label::Dealloc(_)
            | Label::Call { .. }
            | Label::Exit(_) => {}
        }
    }

    /// Notes the columns of this, in a state with so many threads.
    fn columns(&self, rows: &Rows, own: ThreadColumns, threads: usize, found: &mut ColumnSet) {
        let globals = self.globals.iter();
        found.extend(globals.map(|&slot| rows.global(slot)));
        let others = self.all_waiting || self.all_objects;
        let single = [
            (self.count || others, COUNT),
            (self.holder, HOLDER),
            (self.stack, own.stack),
            (self.heap, own.heap),
            (self.waiting, own.waiting),
        ];
        found.extend(single.iter().filter(|it| it.0).map(|it| it.1));
        for thread in &rows.threads()[..threads] {
            if self.all_waiting {
                found.add(thread.waiting);
            }
            if self.all_objects {
                found.extend([thread.stack, thread.heap]);
            }
        }
    }
}

/// Takes steps and watches what they look at.
struct Watcher<'i> {
    odometer: Odometer<'i>,
    accesses: Vec<Access>,
    /// Threads that are joined, and after how many accesses.
    joined: Vec<(usize, Tid)>,
}

impl Host for Watcher<'_> {
    const OBSERVES: bool = true;

    fn open(&mut self, open: Open) {
        self.odometer.open(open);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        self.odometer.answer(choice)
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.joined.push((self.accesses.len(), thread));
    }
}

/// A thread in a state whose steps are taken.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// The state.
    pub state: &'s State,
    /// Its row.
    pub row: &'s [u32],
    /// The thread.
    pub tid: Tid,
}

/// Takes steps by the machine.
pub struct Learner<'m, 'x> {
    machine: &'m Machine<'x>,
    /// By location.
    needs: Vec<Needs>,
    scratch: Scratch,
    /// The columns that the last steps have looked at, in order.
    reads: ColumnSet,
    row: Vec<u32>,
    accesses: Vec<Access>,
}

impl<'m, 'x> Learner<'m, 'x> {
    /// For a machine.
    pub fn new(machine: &'m Machine<'x>) -> Learner<'m, 'x> {
        let xcfa = machine.xcfa;
        let facts = Facts::of(xcfa);
        let needs = |loc| Needs::of(machine, loc, &facts);
        Learner {
            machine,
            needs: xcfa.loc_ids().map(needs).collect(),
            scratch: Scratch::new(xcfa, machine.initial()),
            reads: ColumnSet::default(),
            row: Vec::new(),
            accesses: Vec::new(),
        }
    }

    /// Takes all steps of a thread and adds them to `leaves`. Gives the leaf, and what it depends on besides the
    /// thread's own state, as columns in a fixed order with the numbers in them; `None` if that cannot be said.
    pub fn run(
        &mut self,
        rows: &mut Rows,
        inputs: &mut Inputs,
        subject: Subject<'_>,
        leaves: &mut Leaves,
    ) -> (u32, Option<Vec<(u32, u32)>>) {
        let Subject { state, row, tid } = subject;
        self.scratch.forget();
        self.reads.clear();
        let thread = state.thread(tid);
        if state.ended || thread.status != Status::Running {
            let leaf = leaves.finish(Standing::Ended, Rare::default());
            return (leaf, Some(Vec::new()));
        }
        let own = rows.thread(tid).expect("a thread of a state has columns");
        let needs = &self.needs[thread.loc.0 as usize];
        let mut known = !needs.everything;
        needs.columns(rows, own, state.threads.len(), &mut self.reads);
        let mut told = Told::default();
        for &edge in self.machine.edges(state, tid) {
            if self.machine.guard_holds(state, tid, edge) {
                known &= self.take(rows, inputs, subject, edge, (leaves, &mut told));
            }
        }
        let standing = match told {
            Told { moves: true, .. } => Standing::Moves,
            Told { blocked: true, .. } => Standing::Blocked,
            _ => Standing::Cut,
        };
        let leaf = leaves.finish(standing, told.rare);
        let others = self.reads.iter().filter(|&column| column != own.own);
        let number = |column: u32| row.get(column as usize).copied().unwrap_or(0);
        let reads = others.map(|column| (column, number(column)));
        (leaf, known.then(|| reads.collect()))
    }

    /// Takes one edge in every way. Is it known what these depend on?
    fn take(
        &mut self,
        rows: &mut Rows,
        inputs: &mut Inputs,
        Subject { state, row, tid }: Subject<'_>,
        edge: EdgeId,
        (leaves, told): (&mut Leaves, &mut Told),
    ) -> bool {
        let mut known = true;
        let mut watcher = Watcher {
            odometer: Odometer::new(inputs),
            accesses: std::mem::take(&mut self.accesses),
            joined: Vec::new(),
        };
        loop {
            watcher.accesses.clear();
            let result = self.scratch.for_step(state, tid, edge);
            let outcome = self.machine.step(result, tid, edge, &mut watcher);
            let mut noted = 0;
            for (after, thread) in watcher.joined.drain(..) {
                known &= self.reads_of(rows, &watcher.accesses[noted..after]);
                noted = after;
                let columns = rows.thread(thread);
                known &= columns.is_some();
                self.reads.extend(columns.map(|it| it.own));
            }
            known &= self.reads_of(rows, &watcher.accesses[noted..]);
            told.rare.open = told.rare.open.or(watcher.odometer.open);
            match outcome {
                Outcome::Moved { spurious } => {
                    told.moves |= !spurious;
                    told.blocked |= spurious;
                    leaves.add_accesses(&watcher.accesses);
                    let result = self.scratch.result();
                    self.row.clear();
                    self.row.extend_from_slice(row);
                    match self.scratch.reaches_others(edge) {
                        true => rows.split(self.machine, result, &mut self.row),
                        false => {
                            rows.split_changed(self.machine, (state, result), tid, &mut self.row)
                        }
                    }
                    if result.ended {
                        leaves.add_way((edge, spurious, true), std::iter::empty());
                    } else {
                        let before = row.iter().copied().chain(std::iter::repeat(0));
                        let pairs = (0..).zip(self.row.iter().copied().zip(before));
                        let changes = pairs.filter(|(_, (now, before))| now != before);
                        let changes = changes.map(|(column, (now, _))| (column, now));
                        // What a step changes, it depends on: elsewhere it may change nothing.
                        let explained = |column| {
                            let started = rows.threads().iter().skip(state.threads.len());
                            self.reads.contains(column)
                                || rows.thread(tid).is_some_and(|it| it.own == column)
                                || started.clone().any(|it| it.own == column)
                        };
                        let noted = |&(column, _): &(u32, u32)| {
                            debug_assert!(
                                explained(column),
                                "a step changes what it does not access"
                            );
                            known &= explained(column);
                        };
                        leaves.add_way((edge, spurious, false), changes.inspect(noted));
                    }
                }
                Outcome::Blocked => told.blocked = true,
                Outcome::Cut(_) => {}
                Outcome::Violation(violation) => {
                    let answers = watcher.odometer.answers();
                    told.rare.violation = Some((violation, Step::new(tid.0, edge.0, answers)));
                    break;
                }
                Outcome::Beyond(what) => {
                    told.moves = true;
                    told.rare.beyond = Some(what);
                }
            }
            if !watcher.odometer.next() {
                break;
            }
        }
        self.accesses = watcher.accesses;
        known
    }

    /// Notes the columns of accesses; are there such columns?
    fn reads_of(&mut self, rows: &mut Rows, accesses: &[Access]) -> bool {
        let mut known = true;
        for access in accesses {
            match access.cell {
                Cell::Var(var) => self.reads.add(rows.global(self.machine.layout.slot(var))),
                Cell::Bytes { start, len } => {
                    known &= rows.of_bytes(self.machine, (start, len), &mut self.reads);
                }
            }
        }
        known
    }
}

/// What the steps of a thread have shown.
#[derive(Default)]
struct Told {
    moves: bool,
    blocked: bool,
    rare: Rare,
}
