//! What each label does to the terms: the symbolic store of a run.

use super::shadow::{Shadow, Stop};
use expr::{Node, ObjId, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Outcome, Script, Tid};
use symbolic::{Store, Value};
use xcfa::{Label, ProcId, Scope};

impl Shadow<'_, '_> {
    /// Is the current edge only tried, rather than taken?
    fn tries(&self) -> bool {
        self.choices.is_none()
    }

    /// What cannot be on an edge that is taken.
    fn impossible(&self) -> Stop {
        match self.tries() {
            true => Stop::Closed,
            false => Stop::Lost,
        }
    }

    /// Fails if the current edge is only tried: what it would do there is not known.
    fn needs_machine(&self) -> Result<(), Stop> {
        (!self.tries()).then_some(()).ok_or(Stop::Lost)
    }

    /// The next input. On an edge that is taken it has the value that was chosen next.
    pub(super) fn input(&mut self, sort: Sort) -> Result<Term, Stop> {
        let input = self.space.input(self.name, sort).ok_or(Stop::Lost)?;
        self.name.2 += 1;
        if let Some(choices) = &mut self.choices {
            let was = choices.next().ok_or(Stop::Lost)? & sort.mask();
            let same = self.space.eval(input) == was;
            same.then_some(()).ok_or(Stop::Lost)?;
        }
        Ok(input)
    }

    /// The value of an address, a size or a handle, which has to stay what it is.
    fn fix(&mut self, term: Term) -> Result<u64, Stop> {
        let term = self.eval(term)?;
        let bits = self.space.eval(term);
        let sort = self.space.terms.sort(term);
        let now = self.space.terms.constant(sort, bits);
        let same = self.space.terms.eq(term, now);
        self.space.note(same);
        Ok(bits)
    }
}

impl Store for Shadow<'_, '_> {
    type Stop = Stop;
    type Address = u64;
    type Word = Cell;
    type Ended = Option<Tid>;

    fn terms(&mut self) -> &mut Terms {
        &mut self.space.terms
    }

    /// A term over the inputs.
    fn eval(&mut self, term: Term) -> Value<Self> {
        let xcfa = self.machine.xcfa;
        let mut with: FxHashMap<VarId, Term> = FxHashMap::default();
        for var in self.space.terms.vars(term) {
            let known = match xcfa[var].scope {
                Scope::Global => self.cells.get(&Cell::Var(var)),
                _ => self.locals.get(&(self.tid.0, var)),
            };
            let value = match known {
                Some(&value) => value,
                None => {
                    let bits = self.machine.value(&self.before, self.tid, var);
                    self.space.terms.constant(xcfa[var].sort, bits)
                }
            };
            with.insert(var, value);
        }
        let layout = &self.machine.layout;
        let terms = &mut self.space.terms;
        Ok(
            terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
                Node::Var(var, _) => with.get(&var).copied(),
                Node::Base(obj, width) => Some(terms.bv(width, layout.base(obj))),
                _ => None,
            }),
        )
    }

    fn set(&mut self, var: VarId, value: Term) -> Result<(), Stop> {
        match self.machine.xcfa[var].scope {
            Scope::Global => self.cells.insert(Cell::Var(var), value),
            _ => self.locals.insert((self.tid.0, var), value),
        };
        Ok(())
    }

    /// A truth value is tried both ways; which way it was is known only of an edge that is taken.
    fn choose(&mut self, var: VarId) -> Value<Self> {
        match self.machine.xcfa[var].sort {
            Sort::Bool => {
                let choices = self.choices.as_mut();
                let chosen = choices.and_then(Iterator::next).ok_or(Stop::Lost)?;
                Ok(self.space.terms.constant(Sort::Bool, chosen & 1))
            }
            sort => self.input(sort),
        }
    }

    fn assume(&mut self, cond: Term) -> Result<(), Stop> {
        self.space.note(cond);
        let holds = self.space.eval(cond) != 0;
        holds.then_some(()).ok_or(self.impossible())
    }

    /// Whether others have to be waited for is not a matter of inputs, and attempts that had to
    /// wait are not part of the execution.
    fn wait_until(&mut self, cond: Term) -> Result<(), Stop> {
        self.space.terms.as_const(cond).ok_or(Stop::Lost)?;
        match self.tries() {
            true => Err(Stop::Closed),
            false => Ok(()),
        }
    }

    fn place(&mut self, addr: Term) -> Result<u64, Stop> {
        self.fix(addr)
    }

    fn load(&mut self, place: &u64, var: VarId) -> Value<Self> {
        self.load_cell(*place, self.machine.xcfa[var].sort)
    }

    fn store(&mut self, place: &u64, value: Term) -> Result<(), Stop> {
        let len = self.space.terms.bytes(value);
        self.store_cell(Cell::Bytes { start: *place, len }, value)
    }

    fn alloc(&mut self, var: VarId, object: ObjId, size: Term, zeroed: bool) -> Value<Self> {
        self.needs_machine()?;
        let label = Label::Alloc {
            var,
            object,
            size,
            zeroed,
        };
        let size = self.fix(size)?;
        let (machine, tid) = (self.machine, self.tid);
        let mut made = self.before.clone();
        let mut host = Script::default();
        let outcome = machine.step_label(&mut made, tid, self.edge, &label, &mut host);
        let moved = matches!(outcome, Outcome::Moved { .. });
        moved.then_some(()).ok_or(Stop::Lost)?;
        let base = machine.value(&made, tid, var);
        self.forget(base, size)?;
        Ok(self.space.terms.constant(machine.xcfa[var].sort, base))
    }

    fn free(&mut self, addr: Term) -> Result<(), Stop> {
        self.fix(addr).map(|_| ())
    }

    fn lock_word(&mut self, place: &u64, at: u64) -> Result<Cell, Stop> {
        let start = place + at;
        Ok(Cell::Bytes { start, len: 4 })
    }

    fn read(&mut self, word: &Cell) -> Value<Self> {
        if let Some(known) = self.known(*word)? {
            return Ok(known);
        }
        let &Cell::Bytes { start, .. } = word else {
            return Err(Stop::Lost);
        };
        let bits = self.machine.word(&self.before, start);
        let bits = bits.ok_or(self.impossible())?;
        Ok(self.space.terms.bv(32, bits))
    }

    fn write(&mut self, word: &Cell, _always: Term, value: Term) -> Result<(), Stop> {
        self.store_cell(*word, value)
    }

    fn start(&mut self, handle: VarId, proc: ProcId, arg: Term) -> Value<Self> {
        self.needs_machine()?;
        let child = Tid(self.before.threads.len() as u32);
        if let Some(&param) = self.machine.xcfa[proc].params.first() {
            self.locals.insert((child.0, param), arg);
        }
        let sort = self.machine.xcfa[handle].sort;
        Ok(self.space.terms.constant(sort, child.handle()))
    }

    fn join(&mut self, thread: Term) -> Result<Option<Tid>, Stop> {
        let handle = self.fix(thread)?;
        match self.tries() {
            true => Err(Stop::Closed),
            false => Ok(Tid::from_handle(handle)),
        }
    }

    fn result(&mut self, ended: &Option<Tid>, _: VarId, sort: Sort) -> Value<Self> {
        let value = ended.and_then(|tid| self.results.get(&tid.0)).copied();
        let value = value.filter(|&value| self.space.terms.sort(value) == sort);
        value.ok_or(Stop::Lost)
    }

    fn end_thread(&mut self, value: Term) -> Result<(), Stop> {
        self.results.insert(self.tid.0, value);
        Ok(())
    }

    fn unfollowed(&self, _: &str) -> Stop {
        Stop::Lost
    }
}
