//! Mutexes, reader-writer locks, spin locks and condition variables.
//!
//! These are plain mutexes: if a program makes recursive or error-checking ones, `lib/mutex.c` is
//! added and defines the mutex functions instead.

use super::{Answer, Request};
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::{Sort, Term};
use xcfa::{Label, LockMode};

const EBUSY: i64 = 16;
const ETIMEDOUT: i64 = 110;
const THRD_TIMEDOUT: i64 = 4;

impl FunctionLowering<'_, '_> {
    /// Locks and condition variables.
    pub(super) fn sync_call(&mut self, request: &Request) -> Lowered<Answer> {
        use LockMode::{Exclusive, Read, Write};
        match request.name {
            "pthread_mutex_lock" | "pthread_spin_lock" => self.lock(request, Exclusive),
            "pthread_rwlock_rdlock" => self.lock(request, Read),
            "pthread_rwlock_wrlock" => self.lock(request, Write),
            "pthread_mutex_unlock" | "pthread_spin_unlock" => self.unlock(request, Exclusive),
            "pthread_rwlock_unlock" => self.unlock(request, Write),
            "pthread_mutex_trylock" | "pthread_spin_trylock" => self.try_lock(request, Exclusive),
            "pthread_rwlock_tryrdlock" => self.try_lock(request, Read),
            "pthread_rwlock_trywrlock" => self.try_lock(request, Write),
            "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => {
                self.timed_lock(request, Exclusive)
            }
            "pthread_rwlock_timedrdlock" => self.timed_lock(request, Read),
            "pthread_rwlock_timedwrlock" => self.timed_lock(request, Write),
            "pthread_mutex_init" | "pthread_spin_init" => self.init_lock(request, 1),
            "pthread_rwlock_init" => self.init_lock(request, 2),
            "pthread_cond_wait" | "cnd_wait" => self.wait(request, None),
            "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
                self.wait(request, Some(ETIMEDOUT))
            }
            "cnd_timedwait" => self.wait(request, Some(THRD_TIMEDOUT)),
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

    fn unlock(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        self.emit_atomic(vec![Label::Unlock { addr, mode }], request.span);
        self.answer(request, 0)
    }

    /// Two edges to one place with different results.
    pub(super) fn either(
        &mut self,
        request: &Request,
        first: Vec<Label>,
        second: Vec<Label>,
        codes: [i64; 2],
    ) -> Lowered<Answer> {
        let span = request.span;
        self.no_fusing(span)?;
        let result = self.temp(Sort::Bv(32));
        let end = self.new_loc();
        for (mut labels, code) in [first, second].into_iter().zip(codes) {
            let value = self.int(code);
            labels.push(Label::Assign { var: result, value });
            self.add_edge_to(end, labels, true, span);
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
        self.either(request, lock, labels, [0, EBUSY])
    }

    /// The 32-bit word of a lock, read by a label added to `labels`.
    fn word_at(&mut self, addr: Term, offset: u64, labels: &mut Vec<Label>) -> Term {
        let temp = self.temp(Sort::Bv(32));
        let addr = self.offset(addr, offset);
        labels.push(Label::Load { var: temp, addr });
        self.read_var(temp)
    }

    /// Takes the lock, or gives up at any time.
    fn timed_lock(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        let lock = vec![Label::Lock { addr, mode }];
        self.either(request, lock, Vec::new(), [0, ETIMEDOUT])
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

    /// Gives the mutex back and waits as one step, then goes on with the mutex held.
    fn wait(&mut self, request: &Request, timeout: Option<i64>) -> Lowered<Answer> {
        let (cond, mutex) = (request.arg(0)?, request.arg(1)?);
        let cond = self.settled(cond, request);
        let addr = self.settled(mutex, request);
        let mode = LockMode::Exclusive;
        let leave = vec![Label::Unlock { addr, mode }, Label::Wait { cond }];
        self.emit_atomic(leave, request.span);
        let woken = |timed| vec![Label::AwaitSignal { timed }, Label::Lock { addr, mode }];
        match timeout {
            None => {
                self.emit_atomic(woken(false), request.span);
                self.answer(request, 0)
            }
            Some(code) => self.either(request, woken(false), woken(true), [0, code]),
        }
    }

    /// A value as it is now, for use in later steps.
    fn settled(&mut self, value: Term, request: &Request) -> Term {
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
