//! What each label means for the terms of a trace program.

use super::build::{Builder, Made};
use super::{Goal, GoalKind, Op, Point};
use expr::{ObjId, Sort, Term, Terms, VarId};
use semantics::{Cell, Outcome, Script, Tid};
use symbolic::{Store, Value};
use xcfa::{EdgeId, ErrorKind, Label, ProcId};

impl Builder<'_, '_> {
    /// Other edges of the same location that lead to an error.
    pub fn goals(&mut self, index: usize, op: &mut Op, taken: EdgeId) {
        let xcfa = self.machine.xcfa;
        for &edge in &xcfa[xcfa[taken].source].out {
            if edge == taken || xcfa[xcfa[edge].target].error != Some(ErrorKind::Reached) {
                continue;
            }
            let (locals, guard) = (self.line(op.tid).locals.clone(), self.line(op.tid).guard);
            let mut other = op.clone();
            let same = xcfa[taken].labels.iter().zip(&xcfa[edge].labels);
            let same = same.take_while(|(a, b)| a == b).count();
            let start = self.at.clone();
            let mut following = Following::new(self, index, &mut other, edge, &[]);
            let mut labels = xcfa[edge].labels.iter().enumerate();
            let possible = labels.try_for_each(|(at, label)| {
                following.passed = at < same;
                following.label(label)?;
                match following.passed {
                    true => following.pass(label, &mut Script::default()),
                    false => Some(()),
                }
            });
            self.at = start;
            let reached = self.line(op.tid).guard;
            (self.line(op.tid).locals, self.line(op.tid).guard) = (locals, guard);
            let (guard, kind) = match possible {
                Some(()) => (reached, GoalKind::Error),
                None => (guard, GoalKind::Unclear),
            };
            // What it reads is what the event reads.
            op.reads = other.reads;
            self.program.goals.push(Goal {
                op: index,
                guard,
                kind,
            });
        }
    }
}

/// A label has no form in a trace program.
pub(super) struct Unfollowed;

/// An event on its way along an edge: the symbolic store of a trace program.
pub(super) struct Following<'f, 'b, 'x> {
    pub builder: &'f mut Builder<'b, 'x>,
    /// The number of the event.
    pub index: usize,
    pub op: &'f mut Op,
    edge: EdgeId,
    /// What the environment has chosen, as far as it was not asked for yet.
    pub choices: std::iter::Copied<std::slice::Iter<'f, u64>>,
    /// Has the machine come by here? Where it has not, only terms tell what a label does.
    pub passed: bool,
}

impl<'f, 'b, 'x> Following<'f, 'b, 'x> {
    pub fn new(
        builder: &'f mut Builder<'b, 'x>,
        index: usize,
        op: &'f mut Op,
        edge: EdgeId,
        choices: &'f [u64],
    ) -> Following<'f, 'b, 'x> {
        Following {
            builder,
            index,
            op,
            edge,
            choices: choices.iter().copied(),
            passed: true,
        }
    }

    pub fn label(&mut self, label: &Label) -> Option<()> {
        symbolic::step(self.builder.machine.xcfa, self, label).ok()
    }

    /// The machine goes past a label.
    pub fn pass(&mut self, label: &Label, host: &mut Script) -> Option<()> {
        let (machine, tid) = (self.builder.machine, Tid(self.op.tid));
        let outcome = machine.step_label(&mut self.builder.at, tid, self.edge, label, host);
        matches!(outcome, Outcome::Moved { .. }).then_some(())
    }

    fn guard(&mut self) -> &mut Term {
        &mut self.builder.line(self.op.tid).guard
    }

    fn sort(&self, var: VarId) -> Sort {
        self.builder.machine.xcfa[var].sort
    }

    fn constant(&mut self, sort: Sort, bits: u64) -> Term {
        self.terms().constant(sort, bits)
    }

    fn choice(&mut self) -> Result<u64, Unfollowed> {
        self.choices.next().ok_or(Unfollowed)
    }

    /// An address, a size or the handle of a thread has to be the one that it was; nothing is known
    /// of executions in which it is another.
    fn fix(&mut self, term: Term) -> Result<u64, Unfollowed> {
        self.passed.then_some(()).ok_or(Unfollowed)?;
        let Builder { machine, at, .. } = &*self.builder;
        let was = machine.eval(at, Tid(self.op.tid), term);
        let value = self.eval(term)?;
        let guard = *self.guard();
        let terms = self.terms();
        let constant = terms.constant(terms.sort(value), was);
        let same = terms.eq(value, constant);
        match terms.as_const(same) {
            Some(1) => return Ok(was),
            Some(_) => return Err(Unfollowed),
            None => {}
        }
        let other = terms.not(same);
        let elsewhere = terms.and(guard, other);
        *self.guard() = self.terms().and(guard, same);
        self.builder.program.goals.push(Goal {
            op: self.index,
            guard: elsewhere,
            kind: GoalKind::Unclear,
        });
        Ok(was)
    }
}

impl Store for Following<'_, '_, '_> {
    type Stop = Unfollowed;
    type Address = u64;
    type Word = Cell;
    type Ended = Tid;

    fn terms(&mut self) -> &mut Terms {
        &mut self.builder.program.terms
    }

    fn eval(&mut self, term: Term) -> Value<Self> {
        self.value(term).ok_or(Unfollowed)
    }

    fn set(&mut self, var: VarId, value: Term) -> Result<(), Unfollowed> {
        match self.builder.machine.xcfa.is_global(var) {
            true => self.write_cell(Cell::Var(var), value),
            false => {
                let line = self.builder.line(self.op.tid);
                line.locals.insert(var, value);
            }
        }
        Ok(())
    }

    fn choose(&mut self, var: VarId) -> Value<Self> {
        let value = self.builder.fresh(self.sort(var));
        let was = self.choice()?;
        self.op.inputs.push((value, was));
        Ok(value)
    }

    fn assume(&mut self, cond: Term) -> Result<(), Unfollowed> {
        let guard = *self.guard();
        *self.guard() = self.terms().and(guard, cond);
        Ok(())
    }

    fn wait_until(&mut self, cond: Term) -> Result<(), Unfollowed> {
        let guard = *self.guard();
        let elsewhere = self.terms().not(guard);
        let needed = self.terms().or(elsewhere, cond);
        self.op.needed.push(needed);
        Ok(())
    }

    fn place(&mut self, addr: Term) -> Result<u64, Unfollowed> {
        self.fix(addr)
    }

    fn load(&mut self, place: &u64, var: VarId) -> Value<Self> {
        let sort = self.sort(var);
        let len = sort.bytes();
        let cell = Cell::Bytes { start: *place, len };
        let value = self.read_cell(cell);
        let fits = self.terms().sort(value) == sort;
        fits.then_some(()).ok_or(Unfollowed)?;
        let Builder { machine, at, .. } = &*self.builder;
        if machine.peek(at, cell).is_none() {
            // It was undefined: the first thread that reads it chooses its value.
            let was = self.choice()?;
            self.op.inputs.push((value, was));
            self.builder.program.complete = false;
        }
        Ok(value)
    }

    fn store(&mut self, place: &u64, value: Term) -> Result<(), Unfollowed> {
        let len = self.terms().bytes(value);
        let whole = self.terms().sort(value) == Sort::Bv(8 * len as u32);
        whole.then_some(()).ok_or(Unfollowed)?;
        self.write_cell(Cell::Bytes { start: *place, len }, value);
        Ok(())
    }

    fn alloc(&mut self, var: VarId, object: ObjId, size: Term, zeroed: bool) -> Value<Self> {
        let label = Label::Alloc {
            var,
            object,
            size,
            zeroed,
        };
        let size = self.fix(size)?;
        let before = self.builder.at.clone();
        let passed = self.pass(&label, &mut Script::default());
        let made = std::mem::replace(&mut self.builder.at, before);
        passed.ok_or(Unfollowed)?;
        let base = self.builder.machine.value(&made, Tid(self.op.tid), var);
        // An object that comes again has arbitrary contents again, which pi functions do not say.
        let mut known = self.builder.objects.iter();
        self.builder.program.complete &= known.all(|known| known.base != base);
        self.builder.objects.push(Made {
            base,
            size,
            obj: object,
            zeroed,
        });
        Ok(self.constant(self.sort(var), base))
    }

    fn free(&mut self, addr: Term) -> Result<(), Unfollowed> {
        match self.fix(addr)? {
            0 => Err(Unfollowed),
            _ => Ok(()),
        }
    }

    fn lock_word(&mut self, place: &u64, at: u64) -> Result<Cell, Unfollowed> {
        let start = place + at;
        Ok(Cell::Bytes { start, len: 4 })
    }

    fn read(&mut self, word: &Cell) -> Value<Self> {
        Ok(self.read_cell(*word))
    }

    fn write(&mut self, word: &Cell, _always: Term, value: Term) -> Result<(), Unfollowed> {
        self.write_cell(*word, value);
        Ok(())
    }

    fn start(&mut self, handle: VarId, proc: ProcId, arg: Term) -> Value<Self> {
        self.passed.then_some(()).ok_or(Unfollowed)?;
        let (index, guard) = (self.index, *self.guard());
        let builder = &mut *self.builder;
        let child = builder.at.threads.len() as u32;
        if let Some(&param) = builder.machine.xcfa[proc].params.first() {
            builder.line(child).locals.insert(param, arg);
        }
        builder.line(child).guard = guard;
        builder.line(child).last = Some(index);
        // Handles are numbers in the order of creation.
        if let Some((before, starter)) = builder.last_start.replace((index, self.op.tid)) {
            builder.program.complete &= starter == self.op.tid;
            if before != index {
                builder.order(Point::Op(before), Point::Op(index), None);
            }
        }
        Ok(self.constant(self.sort(handle), Tid(child).handle()))
    }

    fn join(&mut self, thread: Term) -> Result<Tid, Unfollowed> {
        let target = Tid::from_handle(self.fix(thread)?).ok_or(Unfollowed)?;
        let (index, guard) = (self.index, *self.guard());
        self.builder
            .order(Point::End(target.0), Point::Op(index), Some(guard));
        Ok(target)
    }

    fn result(&mut self, ended: &Tid, _: VarId, sort: Sort) -> Value<Self> {
        let value = self.builder.line(ended.0).result;
        let value = value.filter(|&value| self.terms().sort(value) == sort);
        value.ok_or(Unfollowed)
    }

    fn end_thread(&mut self, value: Term) -> Result<(), Unfollowed> {
        self.builder.line(self.op.tid).result = Some(value);
        Ok(())
    }

    fn end_process(&mut self) -> Result<(), Unfollowed> {
        Err(Unfollowed)
    }

    fn unfollowed(&self, _: &str) -> Unfollowed {
        Unfollowed
    }
}
