//! From an execution to its CSSA form.

use super::label::Following;
use super::region::Regions;
use super::{Op, Order, Point, TraceProgram};
use crate::event::Event;
use crate::statics::Statics;
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Machine, Outcome, Script, State, Status, Step, Tid};
use verdict::Budget;
use xcfa::EdgeId;

/// Executions with more events than this are not examined.
const MOST_EVENTS: usize = 250;

/// The trace program of an execution that ends in `end`, to be asked about within a budget; `None` if
/// it has no such form.
pub fn build(
    machine: &Machine<'_>,
    statics: &Statics<'_>,
    regions: &mut Regions,
    events: &[Event],
    end: &State,
    budget: &Budget,
) -> Option<TraceProgram> {
    if events.len() > MOST_EVENTS {
        return None;
    }
    let mut builder = Builder::new(machine, statics, regions, events, end, budget);
    for event in events.iter().filter(|event| !event.steps.is_empty()) {
        builder.event(event)?;
    }
    builder.finish()
}

/// A thread on its way through the trace.
pub(super) struct Line {
    /// The edges that it takes.
    pub path: Vec<EdgeId>,
    /// How many of them it has taken.
    pub taken: usize,
    /// It is here if this holds.
    pub guard: Term,
    /// The values of its variables.
    pub locals: FxHashMap<VarId, Term>,
    /// Its last event, or the one that started it.
    pub last: Option<usize>,
    /// What it returned.
    pub result: Option<Term>,
    /// Phantom edges that come back to it, and where.
    pub merges: Vec<Merge>,
}

/// The end of a phantom edge.
pub(super) struct Merge {
    /// The thread has taken this many edges there.
    pub at: usize,
    /// The phantom edge.
    pub phantom: usize,
    /// Variables that may have been set on the way.
    pub locals: Vec<VarId>,
    /// The thread has come there.
    pub reached: bool,
}

/// An object made on the way.
pub(super) struct Made {
    pub base: u64,
    pub size: u64,
    pub obj: ObjId,
    pub zeroed: bool,
}

pub(super) struct Builder<'b, 'x> {
    pub machine: &'b Machine<'x>,
    pub statics: &'b Statics<'b>,
    pub regions: &'b mut Regions,
    pub state: State,
    /// Before the current step.
    pub before: State,
    /// Before the current label: what a label works with may have been set by those before it.
    pub at: State,
    pub program: TraceProgram,
    pub lines: Vec<Line>,
    /// The last event that started a thread, and which thread it belongs to.
    pub last_start: Option<(usize, u32)>,
    /// Objects made on the way.
    pub objects: Vec<Made>,
    /// Places that phantom edges may write, by phantom edge.
    pub places: Vec<std::rc::Rc<super::region::Region>>,
}

impl<'b, 'x> Builder<'b, 'x> {
    fn new(
        machine: &'b Machine<'x>,
        statics: &'b Statics<'b>,
        regions: &'b mut Regions,
        events: &[Event],
        end: &State,
        budget: &Budget,
    ) -> Builder<'b, 'x> {
        let mut paths: Vec<Vec<EdgeId>> = vec![Vec::new(); end.threads.len()];
        for step in events.iter().flat_map(|event| event.steps.iter()) {
            paths[step.thread as usize].push(EdgeId(step.edge));
        }
        let mut terms = machine.xcfa.terms.clone();
        let guard = terms.bool(true);
        let line = |path| Line {
            path,
            taken: 0,
            guard,
            locals: FxHashMap::default(),
            last: None,
            result: None,
            merges: Vec::new(),
        };
        let finished = |tid: Tid| {
            let thread = end.thread(tid);
            thread.status != Status::Running || statics.loc(thread.loc).is_end
        };
        Builder {
            machine,
            statics,
            regions,
            state: machine.initial(),
            before: machine.initial(),
            at: machine.initial(),
            program: TraceProgram {
                terms,
                ops: Vec::new(),
                order: Vec::new(),
                initial: Vec::new(),
                phantoms: Vec::new(),
                goals: Vec::new(),
                complete: end.tids().all(finished),
                threads: end.threads.len() as u32,
                next_var: machine.xcfa.vars.len() as u32,
                budget: budget.clone(),
            },
            lines: paths.into_iter().map(line).collect(),
            last_start: None,
            objects: Vec::new(),
            places: Vec::new(),
        }
    }

    pub fn line(&mut self, tid: u32) -> &mut Line {
        &mut self.lines[tid as usize]
    }

    fn event(&mut self, event: &Event) -> Option<()> {
        let (tid, index) = (event.tid, self.program.ops.len());
        self.merge_here(tid);
        self.close_phantoms(tid, index);
        let guard = self.line(tid).guard;
        let mut op = Op {
            tid,
            event: event.index as usize,
            answers: event.shape.answers.clone(),
            guard,
            needed: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            inputs: Vec::new(),
        };
        if let Some(before) = self.line(tid).last {
            self.order(Point::Op(before), Point::Op(index), None);
        }
        self.line(tid).last = Some(index);
        for step in event.steps.iter() {
            self.step(index, &mut op, step)?;
        }
        self.program.ops.push(op);
        Some(())
    }

    /// Phantom edges that have come back happened before an event.
    fn close_phantoms(&mut self, tid: u32, index: usize) {
        let line = &self.lines[tid as usize];
        for merge in line.merges.iter().filter(|merge| merge.at <= line.taken) {
            let until = &mut self.program.phantoms[merge.phantom].until;
            *until = until.or(Some(index));
        }
    }

    pub fn order(&mut self, first: Point, second: Point, guard: Option<Term>) {
        let guard = guard.unwrap_or_else(|| self.program.terms.bool(true));
        self.program.order.push(Order {
            first,
            second,
            guard,
        });
    }

    fn step(&mut self, index: usize, op: &mut Op, step: &Step) -> Option<()> {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        self.merge_here(tid.0);
        self.before.clone_from(&self.state);
        self.at.clone_from(&self.state);
        let mut host = Script::new(&step.choices);
        let outcome = self.machine.step(&mut self.state, tid, edge, &mut host);
        let Outcome::Moved { .. } = outcome else {
            return None;
        };
        self.goals(index, op, edge);
        let guard = self.line(tid.0).guard;
        let written = op.writes.clone();
        self.labels(index, op, edge, &step.choices)?;
        self.leave_beside(index, op, edge, guard);
        self.guard_writes(op, &written, guard);
        self.line(tid.0).taken += 1;
        Some(())
    }

    /// The labels of an edge that was taken; fails if there was a question that no label accounts
    /// for, which was about undefined memory.
    fn labels(&mut self, index: usize, op: &mut Op, edge: EdgeId, choices: &[u64]) -> Option<()> {
        let mut host = Script::new(choices);
        let labels = &self.machine.xcfa[edge].labels;
        let mut following = Following::new(self, index, op, edge, choices);
        for (at, label) in labels.iter().enumerate() {
            following.label(label)?;
            if at + 1 < labels.len() {
                following.pass(label, &mut host)?;
            }
        }
        following.choices.next().is_none().then_some(())
    }

    /// An edge happens as a whole: what it writes it writes if all its conditions hold.
    fn guard_writes(&mut self, op: &mut Op, before: &[super::Write], was: Term) {
        let now = self.line(op.tid).guard;
        if now == was && before.is_empty() {
            return;
        }
        let terms = &mut self.program.terms;
        for write in &mut op.writes {
            match before.iter().find(|old| old.cell == write.cell) {
                Some(old) if old.value == write.value => {}
                Some(old) => {
                    write.value = terms.ite(now, write.value, old.value);
                    write.guard = terms.or(now, old.guard);
                }
                None => write.guard = now,
            }
        }
    }

    pub fn fresh(&mut self, sort: Sort) -> Term {
        self.program.next_var += 1;
        let var = VarId(self.program.next_var - 1);
        self.program.terms.var(var, sort)
    }

    fn finish(mut self) -> Option<TraceProgram> {
        for tid in 0..self.lines.len() as u32 {
            if let Some(last) = self.line(tid).last {
                self.order(Point::Op(last), Point::End(tid), None);
            }
        }
        self.overlaps_are_exact().then_some(())?;
        self.name_cells();
        Some(self.program)
    }

    /// Cells that overlap are not followed byte by byte.
    fn overlaps_are_exact(&self) -> bool {
        let ops = self.program.ops.iter();
        let cells: Vec<Cell> = ops
            .flat_map(|op| {
                let reads = op.reads.iter().map(|read| read.cell);
                reads.chain(op.writes.iter().map(|write| write.cell))
            })
            .collect();
        cells
            .iter()
            .all(|a| cells.iter().all(|b| a == b || !a.overlaps(*b)))
    }
}
