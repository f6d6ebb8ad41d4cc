//! A thread on its way along an edge: the symbolic store of the encoding.

use super::Unsupported;
use super::events::{ThreadId, Touched};
use super::memory::{PossibleCell, PossibleCells, to_bits};
use super::state::State;
use super::walk::{Moment, Walker};
use expr::{ObjId, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use semantics::Tid;
use symbolic::{Store, Value};
use xcfa::{EdgeId, ProcId};

/// What an edge does if it is taken.
pub(super) struct Effect {
    pub(super) edge: EdgeId,
    pub(super) state: State,
    /// When it can be taken, given that the thread is at its source.
    pub(super) condition: Term,
    /// When the thread has to wait for others here.
    pub(super) blocked: Term,
    /// Handles of the threads that signals wake.
    pub(super) wakes: Vec<Term>,
    /// In how many atomic sections the thread is.
    pub(super) depth: u32,
    /// Threads that it starts: their procedures, arguments and handles.
    pub(super) starts: Vec<(ThreadId, ProcId, Term, Term)>,
    pub(super) waits: Vec<(ThreadId, Term)>,
    pub(super) chosen: Vec<(VarId, Term)>,
    /// The cells that it accesses; noted for weak memory.
    pub(super) touched: Vec<Touched>,
    pub(super) end: End,
}

/// How an edge ends.
#[derive(Clone, Copy)]
pub(super) enum End {
    /// At its target.
    Goes,
    /// The thread ends with this value.
    Thread(Term),
    /// The process ends.
    Process,
}

/// An edge of a thread, up to one of its labels.
pub(super) struct Following<'f, 'a> {
    pub(super) walker: &'f mut Walker<'a>,
    pub(super) moment: &'f mut Moment,
    pub(super) effect: Effect,
    /// The number of the label.
    pub(super) at: usize,
}

pub(super) enum Word {
    /// Of a lock, this many bytes behind one of these places.
    Lock(Vec<PossibleCell>, u64),
    /// What a thread waits on, as a variable.
    Waiting(ThreadId, VarId),
}

impl Walker<'_> {
    pub(super) fn edge(
        &mut self,
        moment: &mut Moment,
        edge: EdgeId,
        state: &State,
    ) -> Result<Effect, Unsupported> {
        let effect = Effect {
            edge,
            state: state.clone(),
            condition: self.events.terms.bool(true),
            blocked: self.events.terms.bool(false),
            wakes: Vec::new(),
            depth: self.regions.depth(self.xcfa[edge].source),
            starts: Vec::new(),
            waits: Vec::new(),
            chosen: Vec::new(),
            touched: Vec::new(),
            end: End::Goes,
        };
        if self.is_weak {
            self.seen.clear();
        }
        let xcfa = self.xcfa;
        let mut following = Following {
            walker: self,
            moment,
            effect,
            at: 0,
        };
        for (at, label) in xcfa[edge].labels.iter().enumerate() {
            following.at = at;
            following.see_label(label);
            symbolic::step(xcfa, &mut following, label)?;
            if !matches!(following.effect.end, End::Goes) {
                break;
            }
        }
        let Following {
            walker, mut effect, ..
        } = following;
        if walker.is_weak {
            let mut seen = std::mem::take(&mut walker.seen);
            seen.retain(|seen| walker.shared.contains(&seen.cell));
            effect.touched = seen.into_iter().map(Touched::from).collect();
        }
        Ok(effect)
    }
}

impl Following<'_, '_> {
    /// A join is blocked if the thread has been started and has not ended.
    fn blocked_by_join(&mut self, meant: Term, ended: Term) {
        let sort = Sort::Bv(self.walker.xcfa.pointer_bits());
        let mut started = self.terms().bool(false);
        for other in 0..self.walker.start_guards.len() {
            let Some(guard) = self.walker.start_guards[other] else {
                continue;
            };
            let handle = self.walker.events.threads[other].handle;
            let terms = self.terms();
            let handle = terms.var(handle, sort);
            let same = terms.eq(meant, handle);
            let mut here = terms.and(guard, same);
            if other == self.moment.thread {
                here = same;
            }
            started = self.terms().or(started, here);
        }
        let condition = self.effect.condition;
        let terms = self.terms();
        let running = terms.not(ended);
        let waits = terms.and(started, running);
        let here = terms.and(condition, waits);
        self.effect.blocked = self.walker.events.terms.or(self.effect.blocked, here);
    }
}

impl Store for Following<'_, '_> {
    type Stop = Unsupported;
    type Address = PossibleCells;
    type Word = Word;
    /// What it returned.
    type Ended = Term;

    fn terms(&mut self) -> &mut Terms {
        &mut self.walker.events.terms
    }

    fn eval(&mut self, term: Term) -> Value<Self> {
        let mut values = FxHashMap::default();
        for var in self.terms().vars(term) {
            let value = self.get(var);
            values.insert(var, value);
        }
        Ok(self.terms().substitute(term, &values))
    }

    fn set(&mut self, var: VarId, value: Term) -> Result<(), Unsupported> {
        self.effect.chosen.push((var, value));
        self.set_var(var, value);
        Ok(())
    }

    fn choose(&mut self, var: VarId) -> Value<Self> {
        let sort = self.sort(var);
        Ok(self.walker.events.unknown(sort).1)
    }

    fn assume(&mut self, cond: Term) -> Result<(), Unsupported> {
        self.effect.condition = self.walker.events.terms.and(self.effect.condition, cond);
        Ok(())
    }

    fn wait_until(&mut self, cond: Term) -> Result<(), Unsupported> {
        let terms = &mut self.walker.events.terms;
        let not = terms.not(cond);
        let here = terms.and(self.effect.condition, not);
        self.effect.blocked = terms.or(self.effect.blocked, here);
        self.assume(cond)
    }

    fn atomic(&mut self, enters: bool) {
        let depth = self.effect.depth;
        self.effect.depth = match enters {
            true => depth + 1,
            false => depth.saturating_sub(1),
        };
    }

    fn place(&mut self, addr: Term) -> Result<PossibleCells, Unsupported> {
        let addr = self.eval(addr)?;
        self.places(addr)
    }

    fn load(&mut self, places: &PossibleCells, var: VarId) -> Value<Self> {
        let sort = self.sort(var);
        let bytes = self.access().map_or(0, |access| access.bytes);
        Ok(match self.load_bytes(&places.list, bytes, 0)? {
            Some(bits) => self.as_sort(bits, sort),
            None => self.terms().constant(sort, 0),
        })
    }

    fn store(&mut self, places: &PossibleCells, value: Term) -> Result<(), Unsupported> {
        let bits = to_bits(self.terms(), value);
        self.store_bytes(&places.list, bits, 0)
    }

    fn alloc(&mut self, var: VarId, object: ObjId, size: Term, _: bool) -> Value<Self> {
        let size = self.eval(size)?;
        let base = self.new_object(object, size)?;
        let sort = self.sort(var);
        Ok(self.terms().constant(sort, base))
    }

    fn free(&mut self, addr: Term) -> Result<(), Unsupported> {
        let addr = self.eval(addr)?;
        self.end_object(addr)
    }

    fn lock_word(&mut self, places: &PossibleCells, at: u64) -> Result<Word, Unsupported> {
        Ok(Word::Lock(places.list.clone(), at))
    }

    /// A wait may end spuriously, so for errors condition variables order nothing.
    fn waiting(&mut self) -> Result<Option<Word>, Unsupported> {
        let thread = self.moment.thread;
        let var = self.walker.waiting.get(thread);
        Ok(var.map(|&var| Word::Waiting(thread, var)))
    }

    fn waiters(&mut self, _: Term) -> Result<Vec<Word>, Unsupported> {
        let all = self.walker.waiting.iter().copied().enumerate();
        let others = all.filter(|&(other, _)| other != self.moment.thread);
        Ok(others
            .map(|(other, var)| Word::Waiting(other, var))
            .collect())
    }

    fn read(&mut self, word: &Word) -> Value<Self> {
        Ok(match word {
            Word::Waiting(_, var) => self.get(*var),
            Word::Lock(places, at) => match self.load_bytes(places, 4, *at)? {
                Some(bits) => bits,
                None => self.terms().bv(32, 0),
            },
        })
    }

    fn write(&mut self, word: &Word, cond: Term, value: Term) -> Result<(), Unsupported> {
        match word {
            Word::Waiting(_, var) => self.set_if(*var, cond, value),
            Word::Lock(places, at) => self.store_bytes(places, value, *at)?,
        }
        Ok(())
    }

    /// No thread has to wake up; a thread that is not woken in the end is blocked.
    fn goes_on(&mut self, word: &Word, timed: bool) -> Value<Self> {
        match (self.walker.at_end, timed) {
            (false, _) => self.choose_waiter(),
            (true, true) => Ok(self.terms().bool(true)),
            (true, false) => self.is_woken(word),
        }
    }

    fn choose_waiter(&mut self) -> Value<Self> {
        Ok(self.walker.events.unknown(Sort::Bool).1)
    }

    fn wakes(&mut self, waiters: &[(Word, Term)]) {
        let width = self.walker.xcfa.pointer_bits();
        let mut handle = self.terms().bv(width, 0);
        for (word, wakes) in waiters {
            if let Word::Waiting(thread, _) = word {
                let its = self.walker.events.threads[*thread].handle;
                let its = self.terms().var(its, Sort::Bv(width));
                handle = self.terms().ite(*wakes, its, handle);
            }
        }
        self.effect.wakes.push(handle);
    }

    fn start(&mut self, handle: VarId, proc: ProcId, arg: Term) -> Value<Self> {
        let width = self.walker.xcfa.pointer_bits();
        let thread = self.walker.thread_of[&proc];
        let value = match self.walker.is_weak {
            // No order of all starts exists that handles could be counted in.
            true => self.terms().bv(width, Tid(thread as u32).handle()),
            false => {
                let started = self.walker.started;
                let count = self.get(started);
                let one = self.terms().bv(width, 1);
                let value = self.terms().add(count, one);
                self.set_var(started, value);
                value
            }
        };
        self.effect.state.alone = false;
        self.effect.starts.push((thread, proc, arg, value));
        let width = self.sort(handle).width();
        Ok(self.terms().resize(value, width, false))
    }

    /// The thread that is meant is the one whose handle the value is; it has to have ended.
    fn join(&mut self, thread: Term) -> Value<Self> {
        let width = self.walker.xcfa.pointer_bits();
        let meant = self.eval(thread)?;
        let meant = self.terms().resize(meant, width, false);
        let mut value = self.terms().bv(width, 0);
        let mut any = self.terms().bool(false);
        let threads = self.walker.events.threads.len();
        for other in (0..threads).filter(|&other| other != self.moment.thread) {
            let events = &mut self.walker.events;
            let thread = &events.threads[other];
            let known = events.definitions.get(&thread.handle).copied();
            let terms = &mut events.terms;
            // A handle of 0 so far means that the thread has not been followed to its start yet.
            let handle = match known {
                Some(known) if terms.as_const(known) != Some(0) => known,
                _ => terms.var(thread.handle, Sort::Bv(width)),
            };
            let same = terms.eq(meant, handle);
            let ended = terms.var(thread.ended, Sort::Bool);
            let fits = terms.and(same, ended);
            if terms.as_const(fits) == Some(0) {
                continue;
            }
            let returned = terms.var(thread.result, Sort::Bv(width));
            value = terms.ite(fits, returned, value);
            any = terms.or(any, fits);
            self.effect.waits.push((other, fits));
        }
        if self.walker.at_end {
            self.blocked_by_join(meant, any);
        }
        self.assume(any)?;
        Ok(value)
    }

    fn result(&mut self, ended: &Term, _: VarId, sort: Sort) -> Value<Self> {
        Ok(self.terms().resize(*ended, sort.width(), false))
    }

    fn end_thread(&mut self, value: Term) -> Result<(), Unsupported> {
        self.effect.end = End::Thread(value);
        Ok(())
    }

    fn end_process(&mut self) -> Result<(), Unsupported> {
        self.effect.end = End::Process;
        Ok(())
    }

    fn unfollowed(&self, what: &str) -> Unsupported {
        Unsupported::at(self.walker.xcfa[self.effect.edge].span, what)
    }
}
