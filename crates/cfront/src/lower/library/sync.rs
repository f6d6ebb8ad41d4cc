//! Mutexes, reader-writer locks, spin locks and condition variables.
//!
//! These are plain mutexes: if a program makes recursive or error-checking ones, `lib/mutex.c` is
//! added and defines the mutex functions instead.

use super::{Answer, Request};
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::{Sort, Term};
use xcfa::{HavocOrigin, Inexact, Label, LockMode};

const EBUSY: i64 = 16;
pub(super) const EDEADLK: i64 = 35;
const ETIMEDOUT: i64 = 110;

/// Atomic steps, and what a call returns that takes them.
type Way = (Vec<Vec<Label>>, i64);

impl FunctionLowering<'_, '_> {
    /// Locks and condition variables.
    pub(super) fn sync_call(&mut self, request: &Request) -> Lowered<Answer> {
        use LockMode::{Exclusive, Read, Write};
        match request.name {
            "pthread_mutex_lock" | "pthread_spin_lock" => self.lock(request, Exclusive),
            "pthread_rwlock_rdlock" => self.lock_shared(request, Read),
            "pthread_rwlock_wrlock" => self.lock_shared(request, Write),
            "pthread_mutex_unlock" | "pthread_spin_unlock" => self.unlock(request, Exclusive),
            "pthread_rwlock_unlock" => self.unlock(request, Write),
            "pthread_mutex_trylock" | "pthread_spin_trylock" => self.try_lock(request, Exclusive),
            "pthread_rwlock_tryrdlock" => self.try_lock(request, Read),
            "pthread_rwlock_trywrlock" => self.try_lock(request, Write),
            "pthread_mutex_init" | "pthread_spin_init" => self.init_lock(request, 1),
            "pthread_rwlock_init" => self.init_lock(request, 2),
            "pthread_cond_wait" | "cnd_wait" => self.wait(request, false),
            "pthread_cond_signal" | "cnd_signal" => self.signal(request, false),
            "pthread_cond_broadcast" | "cnd_broadcast" => self.signal(request, true),
            _ => Ok(Answer::NotMine),
        }
    }

    fn lock(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        self.emit_atomic(vec![Label::Lock { addr, mode }], request.span);
        self.answer(request, 0)
    }

    /// A reader-writer lock. A thread that holds it for writing already gets an error, or waits.
    fn lock_shared(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        let mut mine = Vec::new();
        let owner = self.word_at(addr, 0, &mut mine);
        let this = self.ctx.xcfa.self_var;
        let this = self.read_var(this);
        let this = self.terms().resize(this, 32, false);
        let is_mine = self.terms().eq(owner, this);
        mine.push(Label::Assume(is_mine));
        let lock = || vec![Label::Lock { addr, mode }];
        let told = mine.clone();
        let mut ways = vec![(vec![lock()], 0), (vec![told], EDEADLK)];
        if self.ctx.options.waits {
            mine.extend(self.may_wait(request));
            ways.push((vec![mine, lock()], 0));
        }
        self.one_of(request, ways)
    }

    /// A thread that waits for itself where it could have got an error: the standard allows both, and
    /// a violation that depends on it is none for sure.
    pub(super) fn may_wait(&mut self, request: &Request) -> [Label; 2] {
        let name = request.name.to_string();
        self.inexact(request, Inexact::Every);
        let origin = HavocOrigin::External(name, request.span);
        let var = self.temp(Sort::Bool);
        let waits = self.read_var(var);
        [Label::Havoc { var, origin }, Label::Assume(waits)]
    }

    fn unlock(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        self.emit_atomic(vec![Label::Unlock { addr, mode }], request.span);
        self.answer(request, 0)
    }

    /// Several ways to one place.
    fn one_of(&mut self, request: &Request, ways: Vec<Way>) -> Lowered<Answer> {
        let span = request.span;
        self.no_fusing(span)?;
        let result = self.temp(Sort::Bv(32));
        let (start, end) = (self.at, self.new_loc());
        for (mut steps, code) in ways {
            let value = self.int(code);
            let mut last = steps.pop().unwrap_or_default();
            last.push(Label::Assign { var: result, value });
            for step in steps {
                self.emit_atomic(step, span);
            }
            self.add_edge_to(end, last, true, span);
            self.at = start;
        }
        self.at = end;
        let value = self.read_var(result);
        self.answer_term(request, value)
    }

    /// Takes the lock if it is free, and says so if it is not.
    fn try_lock(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        let mut labels = Vec::new();
        let owner = self.word_at(addr, 0, &mut labels);
        let mut taken = self.terms().is_nonzero(owner);
        if mode == LockMode::Write {
            let readers = self.word_at(addr, 4, &mut labels);
            let readers = self.terms().is_nonzero(readers);
            taken = self.terms().or(taken, readers);
        }
        labels.push(Label::Assume(taken));
        let lock = vec![Label::Lock { addr, mode }];
        self.one_of(request, vec![(vec![lock], 0), (vec![labels], EBUSY)])
    }

    /// The 32-bit word of a lock, read by a label added to `labels`.
    fn word_at(&mut self, addr: Term, offset: u64, labels: &mut Vec<Label>) -> Term {
        let temp = self.temp(Sort::Bv(32));
        let addr = self.offset(addr, offset);
        labels.push(Label::Load { var: temp, addr });
        self.read_var(temp)
    }

    fn init_lock(&mut self, request: &Request, words: u64) -> Lowered<Answer> {
        let base = request.arg(0)?;
        let mut labels = Vec::new();
        for word in 0..words {
            let addr = self.offset(base, 4 * word);
            let value = self.int(0);
            labels.push(Label::Store { addr, value });
        }
        self.emit_atomic(labels, request.span);
        self.answer(request, 0)
    }

    /// Unlocks the mutex and waits as one step, then locks it. Without a mutex it only waits.
    pub(super) fn wait(&mut self, request: &Request, timed: bool) -> Lowered<Answer> {
        let cond = request.arg(0)?;
        let cond = self.settled(cond, request);
        let mutex = request.args.get(1).copied();
        let mutex = mutex.map(|mutex| self.settled(mutex, request));
        let mode = LockMode::Exclusive;
        let unlock = mutex.map(|addr| Label::Unlock { addr, mode });
        let leave = unlock.into_iter().chain([Label::Wait { cond }]).collect();
        self.emit_atomic(leave, request.span);
        let woken = |timed| {
            let lock = mutex.map(|addr| Label::Lock { addr, mode });
            let woken = [Label::AwaitSignal { timed }];
            woken.into_iter().chain(lock).collect::<Vec<_>>()
        };
        match timed {
            false => {
                self.emit_atomic(woken(false), request.span);
                self.answer(request, 0)
            }
            true => {
                let ways = vec![(vec![woken(false)], 0), (vec![woken(true)], ETIMEDOUT)];
                self.one_of(request, ways)
            }
        }
    }

    /// A value as it is now, for use in later steps.
    pub(super) fn settled(&mut self, value: Term, request: &Request) -> Term {
        match self.is_volatile(value) {
            true => self.keep(value, request.span),
            false => value,
        }
    }

    fn signal(&mut self, request: &Request, all: bool) -> Lowered<Answer> {
        let cond = request.arg(0)?;
        self.emit_atomic(vec![Label::Signal { cond, all }], request.span);
        self.answer(request, 0)
    }
}
