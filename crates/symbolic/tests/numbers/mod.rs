//! A store of numbers: the machine's state, but what a label does to it is said by the step.

use expr::{ObjId, Sort, Term, Terms, VarId};
use semantics::{Cell, Machine, Outcome, Script, State, Status, Thread, Tid};
use symbolic::Store;
use xcfa::{EdgeId, Label, ProcId};

/// Why the step does not happen.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    Blocked,
    Cut,
}

pub struct Numbers<'a, 'x> {
    machine: &'a Machine<'x>,
    pub state: State,
    tid: Tid,
    edge: EdgeId,
    terms: Terms,
    answers: std::vec::IntoIter<u64>,
    /// Which threads have been asked about, of those that a signal can wake.
    asked: u64,
}

/// A word.
pub enum Word {
    Memory(u64),
    Waiting(usize),
}

impl<'a, 'x> Numbers<'a, 'x> {
    pub fn new(
        machine: &'a Machine<'x>,
        state: &State,
        tid: Tid,
        edge: EdgeId,
        answers: Vec<u64>,
    ) -> Numbers<'a, 'x> {
        Numbers {
            machine,
            state: state.clone(),
            tid,
            edge,
            terms: machine.xcfa.terms.clone(),
            answers: answers.into_iter(),
            asked: 0,
        }
    }

    /// Takes the edge.
    pub fn follow(&mut self) -> Result<(), Stop> {
        let edge = &self.machine.xcfa[self.edge];
        for label in &edge.labels {
            symbolic::step(self.machine.xcfa, self, label)?;
        }
        let gone = self.state.ended || self.me().status != Status::Running;
        if !gone {
            self.me().loc = edge.target;
        }
        assert_eq!(self.answers.next(), None, "an answer that nobody wanted");
        Ok(())
    }

    fn me(&mut self) -> &mut Thread {
        &mut self.state.threads[self.tid.0 as usize]
    }

    fn bits(&self, value: Term) -> u64 {
        self.terms.as_const(value).expect("values are numbers")
    }

    fn holds(&self, cond: Term, otherwise: Stop) -> Result<(), Stop> {
        (self.bits(cond) != 0).then_some(()).ok_or(otherwise)
    }

    fn cell(&self, start: u64, width: u32) -> Result<Cell, Stop> {
        let len = u64::from(width).div_ceil(8);
        let cell = Cell::Bytes { start, len };
        let exists = self.machine.exists(&self.state, cell);
        exists.then_some(cell).ok_or(Stop::Cut)
    }

    fn poke(&mut self, cell: Cell, bits: u64) -> Result<(), Stop> {
        let poked = self.machine.poke(&mut self.state, cell, bits);
        poked.then_some(()).ok_or(Stop::Cut)
    }

    /// Objects come and go as the machine says.
    fn machine_does(&mut self, label: &Label) -> Result<(), Stop> {
        let mut host = Script::default();
        let state = &mut self.state;
        match self
            .machine
            .step_label(state, self.tid, self.edge, label, &mut host)
        {
            Outcome::Moved { .. } => Ok(()),
            _ => Err(Stop::Cut),
        }
    }
}

impl Store for Numbers<'_, '_> {
    type Stop = Stop;
    type Address = u64;
    type Word = Word;
    type Ended = u64;

    fn terms(&mut self) -> &mut Terms {
        &mut self.terms
    }

    fn eval(&mut self, term: Term) -> Result<Term, Stop> {
        let env = Variables(self.machine, &self.state, self.tid);
        let bits = self.terms.eval(term, &env);
        let sort = self.terms.sort(term);
        Ok(self.terms.constant(sort, bits))
    }

    fn set(&mut self, var: VarId, value: Term) -> Result<(), Stop> {
        let bits = self.bits(value);
        self.machine.set_value(&mut self.state, self.tid, var, bits);
        Ok(())
    }

    fn choose(&mut self, var: VarId) -> Result<Term, Stop> {
        let sort = self.machine.xcfa[var].sort;
        let answer = self.answers.next().expect("the machine was asked");
        Ok(self.terms.constant(sort, answer & sort.mask()))
    }

    fn assume(&mut self, cond: Term) -> Result<(), Stop> {
        self.holds(cond, Stop::Cut)
    }

    fn wait_until(&mut self, cond: Term) -> Result<(), Stop> {
        self.holds(cond, Stop::Blocked)
    }

    fn atomic(&mut self, enters: bool) {
        let me = self.me();
        me.atomic_depth = match enters {
            true => me.atomic_depth + 1,
            false => me.atomic_depth.saturating_sub(1),
        };
        let inside = me.atomic_depth > 0;
        self.state.holder = inside.then_some(self.tid);
    }

    fn place(&mut self, addr: Term) -> Result<u64, Stop> {
        let addr = self.eval(addr)?;
        let start = self.bits(addr);
        self.cell(start, 8)?;
        Ok(start)
    }

    fn load(&mut self, place: &u64, var: VarId) -> Result<Term, Stop> {
        let sort = self.machine.xcfa[var].sort;
        let cell = self.cell(*place, sort.width())?;
        let bits = match self.machine.peek(&self.state, cell) {
            Some(bits) => bits,
            None => {
                let chosen = self.answers.next().expect("the machine was asked");
                self.poke(cell, chosen)?;
                chosen
            }
        };
        Ok(self.terms.constant(sort, bits))
    }

    fn store(&mut self, place: &u64, value: Term) -> Result<(), Stop> {
        let cell = self.cell(*place, self.terms.width(value))?;
        self.poke(cell, self.bits(value))
    }

    fn alloc(&mut self, var: VarId, object: ObjId, size: Term, zeroed: bool) -> Result<Term, Stop> {
        let label = Label::Alloc {
            var,
            object,
            size,
            zeroed,
        };
        self.machine_does(&label)?;
        let base = self.machine.value(&self.state, self.tid, var);
        Ok(self.terms.constant(self.machine.xcfa[var].sort, base))
    }

    fn free(&mut self, addr: Term) -> Result<(), Stop> {
        self.machine_does(&Label::Free(addr))
    }

    fn dealloc(&mut self, object: ObjId) -> Result<(), Stop> {
        self.machine_does(&Label::Dealloc(object))
    }

    fn lock_word(&mut self, place: &u64, at: u64) -> Result<Word, Stop> {
        self.cell(place + at, 32)?;
        Ok(Word::Memory(place + at))
    }

    fn waiting(&mut self) -> Result<Option<Word>, Stop> {
        Ok(Some(Word::Waiting(self.tid.0 as usize)))
    }

    fn waiters(&mut self, _: Term) -> Result<Vec<Word>, Stop> {
        Ok((0..self.state.threads.len()).map(Word::Waiting).collect())
    }

    fn read(&mut self, word: &Word) -> Result<Term, Stop> {
        Ok(match *word {
            Word::Memory(start) => {
                let cell = self.cell(start, 32)?;
                let bits = self.machine.peek(&self.state, cell).unwrap_or(0);
                self.terms.bv(32, bits)
            }
            Word::Waiting(thread) => self.terms.bv(64, self.state.threads[thread].waiting),
        })
    }

    fn write(&mut self, word: &Word, cond: Term, value: Term) -> Result<(), Stop> {
        if self.bits(cond) == 0 {
            return Ok(());
        }
        let bits = self.bits(value);
        match *word {
            Word::Memory(start) => self.poke(self.cell(start, 32)?, bits),
            Word::Waiting(thread) => {
                self.state.threads[thread].waiting = bits;
                Ok(())
            }
        }
    }

    /// A wake-up may be spurious.
    fn goes_on(&mut self, _: &Word, _: bool) -> Result<Term, Stop> {
        Ok(self.terms.bool(true))
    }

    /// The machine was asked if at least two wait; it said which of those.
    fn choose_waiter(&mut self) -> Result<Term, Stop> {
        let number = self.asked as usize;
        self.asked += 1;
        let on = |thread: &Thread| thread.waiting;
        let threads = &self.state.threads;
        // The step asks about threads up to the last that waits on the same.
        let place = |label: &Label| match label {
            Label::Signal { cond, .. } => self.machine.eval(&self.state, self.tid, *cond),
            _ => 0,
        };
        let labels = &self.machine.xcfa[self.edge].labels;
        let cond = labels.iter().map(place).max().unwrap_or(0);
        let waiting: Vec<usize> = (0..threads.len())
            .filter(|&at| on(&threads[at]) == cond)
            .collect();
        let answer = match waiting.len() {
            1 => 0,
            _ => self.answers.as_slice()[0] as usize,
        };
        let is_it = waiting[answer] == number;
        let last = *waiting.last().expect("somebody waits");
        if waiting.len() > 1 && number + 1 == last {
            self.answers.next();
        }
        Ok(self.terms.bool(is_it))
    }

    fn start(&mut self, handle: VarId, proc: ProcId, arg: Term) -> Result<Term, Stop> {
        let xcfa = self.machine.xcfa;
        let child = Tid(self.state.threads.len() as u32);
        let base = self.state.threads[0].base;
        self.state.threads.push(Thread {
            loc: xcfa[proc].init,
            status: Status::Running,
            waiting: 0,
            atomic_depth: 0,
            result: 0,
            heap_used: 0,
            slots: vec![0; base as usize + self.machine.layout.frame_size(proc)],
            base,
            frames: Vec::new(),
        });
        let arg = self.bits(arg);
        let state = &mut self.state;
        self.machine
            .set_value(state, child, xcfa.self_var, child.handle());
        if let Some(&param) = xcfa[proc].params.first() {
            self.machine.set_value(state, child, param, arg);
        }
        Ok(self.terms.constant(xcfa[handle].sort, child.handle()))
    }

    fn join(&mut self, thread: Term) -> Result<u64, Stop> {
        let handle = self.eval(thread)?;
        let target = Tid::from_handle(self.bits(handle)).ok_or(Stop::Cut)?;
        let thread = self
            .state
            .threads
            .get_mut(target.0 as usize)
            .ok_or(Stop::Cut)?;
        match thread.status {
            Status::Running => Err(Stop::Blocked),
            Status::Joined => Err(Stop::Cut),
            Status::Ended => {
                thread.status = Status::Joined;
                Ok(std::mem::take(&mut thread.result))
            }
        }
    }

    fn result(&mut self, ended: &u64, _: VarId, sort: Sort) -> Result<Term, Stop> {
        Ok(self.terms.constant(sort, *ended))
    }

    fn end_thread(&mut self, value: Term) -> Result<(), Stop> {
        let (xcfa, result) = (self.machine.xcfa, self.bits(value));
        let me = self.me();
        *me = Thread {
            loc: xcfa[xcfa[me.loc].proc].exit,
            status: Status::Ended,
            waiting: 0,
            atomic_depth: 0,
            result,
            heap_used: 0,
            slots: Vec::new(),
            base: 0,
            frames: Vec::new(),
        };
        Ok(())
    }

    fn end_process(&mut self) -> Result<(), Stop> {
        self.state.ended = true;
        Ok(())
    }

    fn unfollowed(&self, what: &str) -> Stop {
        panic!("{what} is in no program")
    }
}

/// What variables and addresses are in a state.
struct Variables<'a, 'x>(&'a Machine<'x>, &'a State, Tid);

impl expr::Env for Variables<'_, '_> {
    fn var(&self, var: VarId) -> u64 {
        self.0.value(self.1, self.2, var)
    }

    fn base(&self, object: ObjId) -> u64 {
        self.0.layout.base(object)
    }
}
