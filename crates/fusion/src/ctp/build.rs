//! From an execution to its CSSA form.

use super::{Goal, Op, TraceProgram};
use crate::event::Event;
use expr::{Env, Node, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Machine, Outcome, Script, State, Step, Tid};
use xcfa::{EdgeId, ErrorKind, Label, LockMode, ObjectKind, Scope};

/// Executions with more events than this are not looked at.
const MOST_EVENTS: usize = 100;

struct Addresses<'a>(&'a semantics::Layout);

impl Env for Addresses<'_> {
    fn var(&self, _: VarId) -> u64 {
        0
    }

    fn base(&self, obj: ObjId) -> u64 {
        self.0.base(obj)
    }
}

/// Builds the trace program of an execution; `None` if it does something that has no such form.
pub fn build(machine: &Machine<'_>, events: &[Event]) -> Option<TraceProgram> {
    if events.len() > MOST_EVENTS {
        return None;
    }
    let mut builder = Builder {
        machine,
        state: machine.initial(),
        before: machine.initial(),
        program: TraceProgram {
            terms: machine.xcfa.terms.clone(),
            ops: Vec::new(),
            order: Vec::new(),
            initial: Vec::new(),
            goals: Vec::new(),
            next_var: machine.xcfa.vars.len() as u32,
        },
        locals: vec![FxHashMap::default()],
        results: FxHashMap::default(),
        last: FxHashMap::default(),
        last_start: None,
    };
    for event in events.iter().filter(|event| !event.steps.is_empty()) {
        builder.event(event, &event.steps)?;
    }
    builder.overlaps_are_exact().then_some(builder.program)
}

struct Builder<'m, 'x> {
    machine: &'m Machine<'x>,
    state: State,
    /// Before the step at hand.
    before: State,
    program: TraceProgram,
    /// By thread: the values of its variables.
    locals: Vec<FxHashMap<VarId, Term>>,
    /// What threads returned.
    results: FxHashMap<u32, Term>,
    /// By thread: its last event, or the one that started it.
    last: FxHashMap<u32, usize>,
    last_start: Option<usize>,
}

impl Builder<'_, '_> {
    fn event(&mut self, event: &Event, steps: &[Step]) -> Option<()> {
        let tid = event.shape.tid;
        let index = self.program.ops.len();
        let mut op = Op {
            tid,
            answers: event.shape.answers.clone(),
            ..Op::default()
        };
        if let Some(&before) = self.last.get(&tid) {
            self.program.order.push((before, index));
        }
        for step in steps {
            self.step(index, &mut op, step)?;
        }
        self.last.insert(tid, index);
        self.program.ops.push(op);
        Some(())
    }

    fn step(&mut self, index: usize, op: &mut Op, step: &Step) -> Option<()> {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        self.before.clone_from(&self.state);
        let mut host = Script::new(&step.choices);
        let outcome = self.machine.step(&mut self.state, tid, edge, &mut host);
        let Outcome::Moved { .. } = outcome else {
            return None;
        };
        let bytes: Vec<(u64, u64)> = host
            .accesses
            .iter()
            .filter_map(|access| match access.cell {
                Cell::Bytes { start, len } => Some((start, len)),
                Cell::Var(_) => None,
            })
            .collect();
        self.goals(index, op, edge, &bytes);
        let mut bytes = bytes.into_iter();
        let mut choices = step.choices.iter().copied();
        for label in &self.machine.xcfa[edge].labels {
            let access = takes_bytes(label).then(|| bytes.next()).flatten();
            self.label(index, op, tid, label, access, &mut choices)?;
        }
        // A question that no label accounts for was about undefined memory.
        choices.next().is_none().then_some(())
    }

    /// Other edges of the same location that lead to an error.
    fn goals(&mut self, index: usize, op: &mut Op, taken: EdgeId, bytes: &[(u64, u64)]) {
        let xcfa = self.machine.xcfa;
        let tid = Tid(op.tid);
        for &edge in &xcfa[self.before.thread(tid).loc].out {
            if edge == taken || xcfa[xcfa[edge].target].error != Some(ErrorKind::Reached) {
                continue;
            }
            let kept = self.locals[op.tid as usize].clone();
            let mut other = op.clone();
            let mut bytes = bytes.iter().copied();
            let same = xcfa[taken].labels.iter().zip(&xcfa[edge].labels);
            let same = same.take_while(|(a, b)| a == b).count();
            let labels = xcfa[edge].labels.iter().enumerate();
            let mut none = std::iter::empty();
            let possible = labels.into_iter().try_for_each(|(at, label)| {
                let access = match takes_bytes(label) {
                    true if at < same => bytes.next(),
                    true => return None,
                    false => None,
                };
                self.label(index, &mut other, tid, label, access, &mut none)
            });
            self.locals[op.tid as usize] = kept;
            if possible.is_some() {
                // What it reads is what the event reads.
                op.reads.clone_from(&other.reads);
                let guards = other.guards;
                self.program.goals.push(Goal { op: index, guards });
            }
        }
    }

    fn label(
        &mut self,
        index: usize,
        op: &mut Op,
        tid: Tid,
        label: &Label,
        access: Option<(u64, u64)>,
        choices: &mut dyn Iterator<Item = u64>,
    ) -> Option<()> {
        let cell = access.map(|(start, len)| Cell::Bytes { start, len });
        match label {
            Label::Assign { var, value } => {
                let value = self.value(op, *value)?;
                self.set(op, *var, value);
            }
            Label::Havoc { var, .. } => {
                let sort = self.machine.xcfa[*var].sort;
                let value = self.program.terms.constant(sort, choices.next()?);
                self.set(op, *var, value);
            }
            Label::Load { var, addr } => {
                self.address(op, *addr, access?.0)?;
                let value = self.read(op, cell?)?;
                (self.program.terms.sort(value) == self.machine.xcfa[*var].sort).then_some(())?;
                self.set(op, *var, value);
            }
            Label::Store { addr, value } => {
                self.address(op, *addr, access?.0)?;
                let value = self.value(op, *value)?;
                let width = self.program.terms.sort(value);
                (width == Sort::Bv(8 * access?.1 as u32)).then_some(())?;
                write(op, cell?, value);
            }
            Label::Assume(cond) | Label::Await(cond) => {
                let cond = self.value(op, *cond)?;
                op.guards.push(cond);
            }
            Label::Lock {
                addr,
                mode: LockMode::Exclusive,
            } => {
                self.address(op, *addr, access?.0)?;
                let owner = self.read(op, cell?)?;
                let free = self.program.terms.bv(32, 0);
                let free = self.program.terms.eq(owner, free);
                op.guards.push(free);
                let handle = self.program.terms.bv(32, tid.handle());
                write(op, cell?, handle);
            }
            Label::Unlock {
                addr,
                mode: LockMode::Exclusive,
            } => {
                self.address(op, *addr, access?.0)?;
                let free = self.program.terms.bv(32, 0);
                write(op, cell?, free);
            }
            Label::Start { handle, proc, arg } => {
                let arg = self.value(op, *arg)?;
                self.start(index, op, *handle, *proc, arg)?;
            }
            Label::Join { thread, result } => self.join(index, op, *thread, *result)?,
            Label::ThreadExit(value) => {
                let value = self.value(op, *value)?;
                self.results.insert(op.tid, value);
            }
            Label::Alloc { var, .. } => {
                let sort = self.machine.xcfa[*var].sort;
                let base = self.machine.value(&self.state, tid, *var);
                let value = self.program.terms.constant(sort, base);
                self.set(op, *var, value);
            }
            Label::AtomicBegin
            | Label::AtomicEnd
            | Label::Dealloc(_)
            | Label::Wait { .. }
            | Label::AwaitSignal { .. }
            | Label::Signal { .. } => {}
            _ => return None,
        }
        Some(())
    }

    fn start(
        &mut self,
        index: usize,
        op: &mut Op,
        handle: VarId,
        proc: xcfa::ProcId,
        arg: Term,
    ) -> Option<()> {
        let child = self.locals.len() as u32;
        let mut locals = FxHashMap::default();
        if let Some(&param) = self.machine.xcfa[proc].params.first() {
            locals.insert(param, arg);
        }
        self.locals.push(locals);
        self.last.insert(child, index);
        if let Some(before) = self
            .last_start
            .replace(index)
            .filter(|&before| before != index)
        {
            self.program.order.push((before, index));
        }
        let sort = self.machine.xcfa[handle].sort;
        let value = self.program.terms.constant(sort, Tid(child).handle());
        self.set(op, handle, value);
        Some(())
    }

    fn join(
        &mut self,
        index: usize,
        op: &mut Op,
        thread: Term,
        result: Option<VarId>,
    ) -> Option<()> {
        let was = self.machine.eval(&self.before, Tid(op.tid), thread);
        self.address(op, thread, was)?;
        let target = Tid::from_handle(was)?;
        let last = *self.last.get(&target.0)?;
        self.program.order.push((last, index));
        if let Some(var) = result {
            let value = *self.results.get(&target.0)?;
            self.set(op, var, value);
        }
        Some(())
    }

    /// An address, or the handle of a thread, has to be the one that it was.
    fn address(&mut self, op: &mut Op, addr: Term, was: u64) -> Option<()> {
        let addr = self.value(op, addr)?;
        let sort = self.program.terms.sort(addr);
        let was = self.program.terms.constant(sort, was);
        let same = self.program.terms.eq(addr, was);
        if self.program.terms.as_const(same) != Some(1) {
            op.guards.push(same);
        }
        Some(())
    }

    /// A term over what the thread knows and the pi functions of the event.
    fn value(&mut self, op: &mut Op, term: Term) -> Option<Term> {
        let xcfa = self.machine.xcfa;
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for var in self.program.terms.vars(term) {
            let value = match xcfa[var].scope {
                Scope::Global => self.read(op, Cell::Var(var))?,
                _ => match self.locals[op.tid as usize].get(&var) {
                    Some(&value) => value,
                    None if var == xcfa.self_var => {
                        let handle = Tid(op.tid).handle();
                        self.program.terms.constant(xcfa[var].sort, handle)
                    }
                    None if xcfa[var].init.is_some() => return None,
                    None => self.program.terms.constant(xcfa[var].sort, 0),
                },
            };
            with.insert(var, value);
        }
        let layout = &self.machine.layout;
        Some(
            self.program
                .terms
                .map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                    Node::Var(var, _) => with.get(&var).copied(),
                    Node::Base(obj, width) => Some(terms.bv(width, layout.base(obj))),
                    _ => None,
                }),
        )
    }

    fn set(&mut self, op: &mut Op, var: VarId, value: Term) {
        match self.machine.xcfa[var].scope {
            Scope::Global => write(op, Cell::Var(var), value),
            _ => {
                self.locals[op.tid as usize].insert(var, value);
            }
        }
    }

    /// What an event finds in a cell: its own last write, or a pi function.
    fn read(&mut self, op: &mut Op, cell: Cell) -> Option<Term> {
        let own = op.writes.iter().find(|(written, _)| *written == cell);
        let known = own.or_else(|| op.reads.iter().find(|(read, _)| *read == cell));
        if let Some((_, value)) = known {
            return Some(*value);
        }
        let sort = match cell {
            Cell::Var(var) => self.machine.xcfa[var].sort,
            Cell::Bytes { len, .. } => Sort::Bv(8 * len as u32),
        };
        let value = self.fresh(sort);
        op.reads.push((cell, value));
        if !self.program.initial.iter().any(|(known, _)| *known == cell) {
            let initial = self.initial(cell, sort);
            self.program.initial.push((cell, initial));
        }
        Some(value)
    }

    fn fresh(&mut self, sort: Sort) -> Term {
        self.program.next_var += 1;
        let var = VarId(self.program.next_var - 1);
        self.program.terms.var(var, sort)
    }

    /// What a cell holds before the first step; open where it is not plain to see.
    fn initial(&mut self, cell: Cell, sort: Sort) -> Term {
        let bits = match cell {
            Cell::Var(var) => match self.machine.xcfa[var].init {
                Some(term) => Some(self.constant(term)),
                None => Some(0),
            },
            Cell::Bytes { start, len } => self.initial_bytes(start, len),
        };
        match bits {
            Some(bits) => self.program.terms.constant(sort, bits & sort.mask()),
            None => self.fresh(sort),
        }
    }

    fn constant(&self, term: Term) -> u64 {
        let terms: &Terms = &self.machine.xcfa.terms;
        terms.eval(term, &Addresses(&self.machine.layout))
    }

    fn initial_bytes(&self, start: u64, len: u64) -> Option<u64> {
        let xcfa = self.machine.xcfa;
        xcfa.obj_ids().find_map(|obj| {
            let ObjectKind::Static { init } = &xcfa[obj].kind else {
                return None;
            };
            let offset = start.checked_sub(self.machine.layout.base(obj))?;
            (offset < xcfa[obj].size?).then_some(())?;
            let size = |term: Term| u64::from(xcfa.terms.width(term)).div_ceil(8);
            let mut around = init
                .iter()
                .filter(|(at, term)| *at < offset + len && offset < at + size(*term));
            match around.next() {
                None => Some(0),
                Some((at, term)) if *at == offset && size(*term) == len => {
                    Some(self.constant(*term))
                }
                Some(_) => None,
            }
        })
    }

    /// Cells that overlap are not followed byte by byte.
    fn overlaps_are_exact(&self) -> bool {
        let ops = self.program.ops.iter();
        let cells: Vec<Cell> = ops
            .flat_map(|op| op.reads.iter().chain(&op.writes).map(|(cell, _)| *cell))
            .collect();
        cells
            .iter()
            .all(|a| cells.iter().all(|b| a == b || !a.overlaps(*b)))
    }
}

fn takes_bytes(label: &Label) -> bool {
    matches!(
        label,
        Label::Load { .. }
            | Label::Store { .. }
            | Label::Lock { .. }
            | Label::Unlock { .. }
            | Label::Wait { .. }
            | Label::Signal { .. }
            | Label::Free(_)
    )
}

fn write(op: &mut Op, cell: Cell, value: Term) {
    match op.writes.iter_mut().find(|(known, _)| *known == cell) {
        Some((_, old)) => *old = value,
        None => op.writes.push((cell, value)),
    }
}
