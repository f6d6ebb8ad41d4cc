//! Mutexes, reader-writer locks, spin locks and condition variables.
//!
//! These are plain mutexes: if a program makes recursive or error-checking ones, `lib/mutex.c` is
//! added and defines the mutex functions instead. In a program that destroys mutexes, the owner of one
//! that is destroyed is [`DESTROYED`], and every use of it is an error (`EINVAL`), as in glibc.

use super::cancel::Wait;
use super::{Answer, Request};
use crate::hir::Type;
use crate::lower::function::FunctionLowering;
use crate::lower::types::Lowered;
use expr::{Sort, Term, VarId};
use xcfa::{DESTROYED, HavocOrigin, Inexact, Label, LocId, LockMode, Span};

const EBUSY: i64 = 16;
const EINVAL: i64 = 22;
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
            "pthread_mutex_init" | "pthread_spin_init" | "cnd_init" => self.init_lock(request, 1),
            "pthread_cond_init" => {
                self.read_attributes(request, 1)?;
                self.init_lock(request, 1)
            }
            "pthread_rwlock_init" => {
                self.read_attributes(request, 1)?;
                self.init_lock(request, 2)
            }
            "pthread_mutex_destroy" => self.destroy_mutex(request),
            "pthread_rwlock_destroy"
            | "pthread_spin_destroy"
            | "pthread_cond_destroy"
            | "cnd_destroy" => {
                self.look_atomically(request)?;
                self.answer(request, 0)
            }
            "pthread_cond_wait" | "cnd_wait" => self.wait(request, false),
            "pthread_cond_signal" | "cnd_signal" => self.signal(request, false),
            "pthread_cond_broadcast" | "cnd_broadcast" => self.signal(request, true),
            _ => Ok(Answer::NotMine),
        }
    }

    fn lock(&mut self, request: &Request, mode: LockMode) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        let lock = vec![Label::Lock { addr, mode }];
        match self.may_be_destroyed(request) {
            true => {
                let destroyed = self.destroyed(addr, true);
                let ways = vec![(vec![lock], 0), (vec![destroyed], EINVAL)];
                self.one_of(request, ways)
            }
            false => {
                self.emit_atomic(lock, request.span);
                self.answer(request, 0)
            }
        }
    }

    /// Is the call about a mutex, in a program that destroys mutexes?
    fn may_be_destroyed(&self, request: &Request) -> bool {
        let is_about_mutex =
            request.name.starts_with("pthread_mutex_") || request.name.contains("cond_");
        is_about_mutex && self.ctx.uses("pthread_mutex_destroy")
    }

    /// Goes on only if a mutex is destroyed, or only if it is not.
    fn destroyed(&mut self, addr: Term, wanted: bool) -> Vec<Label> {
        let mut labels = Vec::new();
        let owner = self.word_at(addr, 0, &mut labels);
        let destroyed = self.terms().bv(32, DESTROYED);
        let is_destroyed = self.terms().eq(owner, destroyed);
        labels.push(Label::Assume(match wanted {
            true => is_destroyed,
            false => self.terms().not(is_destroyed),
        }));
        labels
    }

    /// A mutex that is locked stays as it is. Destroying one that another thread uses is no race, as little as
    /// locking it is: the library's own accesses are atomic.
    fn destroy_mutex(&mut self, request: &Request) -> Lowered<Answer> {
        let addr = request.arg(0)?;
        let addr = self.settled(addr, request);
        self.look_atomically(request)?;
        let mut held = Vec::new();
        let owner = self.word_at(addr, 0, &mut held);
        let mut free = held.clone();
        let value = self.terms().bv(32, DESTROYED);
        let zero = self.terms().bv(32, 0);
        let is_free = self.terms().eq(owner, zero);
        let is_destroyed = self.terms().eq(owner, value);
        let is_free = self.terms().or(is_free, is_destroyed);
        let is_held = self.terms().not(is_free);
        held.push(Label::Assume(is_held));
        free.extend([Label::Assume(is_free), Label::Store { addr, value }]);
        self.one_of(request, vec![(vec![free], 0), (vec![held], EBUSY)])
    }

    /// Reads the beginning of an object that the library uses: it has to be there, and no other thread
    /// may change it. Only races and memory safety can tell.
    pub(super) fn look_at(&mut self, request: &Request, at: usize, sort: Sort) -> Lowered<()> {
        let addr = request.arg(at)?;
        if self.ctx.options.reads {
            let var = self.temp(sort);
            self.emit(Label::Load { var, addr }, request.span);
        }
        Ok(())
    }

    /// The same for an object that other threads may use meanwhile, through the library.
    fn look_atomically(&mut self, request: &Request) -> Lowered<()> {
        let addr = request.arg(0)?;
        if self.ctx.options.reads {
            let var = self.temp(Sort::Bv(32));
            self.emit_atomic(vec![Label::Load { var, addr }], request.span);
        }
        Ok(())
    }

    /// The same for all of attributes, which need not be given.
    pub(super) fn read_attributes(&mut self, request: &Request, at: usize) -> Lowered<()> {
        let addr = request.arg(at)?;
        if !self.ctx.options.reads {
            return Ok(());
        }
        let pointee = match request.declared.ty.params.get(at).map(Type::unqualified) {
            Some(Type::Pointer(to)) => self.types().size(to, request.span).ok(),
            _ => None,
        };
        let words = (pointee.unwrap_or(4) / 4).max(1);
        self.unless_null(request, addr, |this| {
            for word in 0..words {
                let mut read = Vec::new();
                this.word_at(addr, 4 * word, &mut read);
                read.into_iter()
                    .for_each(|label| this.emit(label, request.span));
            }
            Ok(())
        })
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
        let unlock = Label::Unlock { addr, mode };
        if !self.may_be_destroyed(request) {
            self.emit_atomic(vec![unlock], request.span);
            return self.answer(request, 0);
        }
        let mut fine = self.destroyed(addr, false);
        fine.push(unlock);
        let destroyed = self.destroyed(addr, true);
        self.one_of(request, vec![(vec![fine], 0), (vec![destroyed], EINVAL)])
    }

    /// Several ways to one place.
    fn one_of(&mut self, request: &Request, ways: Vec<Way>) -> Lowered<Answer> {
        self.no_fusing(request.span)?;
        let result = self.temp(Sort::Bv(32));
        let end = self.new_loc();
        self.take_one(ways, result, end, request.span);
        self.at = end;
        let value = self.read_var(result);
        self.answer_term(request, value)
    }

    /// Several ways from here to a place; the current location stays.
    fn take_one(&mut self, ways: Vec<Way>, result: VarId, end: LocId, span: Span) {
        let start = self.at;
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
        let lock = vec![Label::Lock { addr, mode }];
        let mut ways = vec![(vec![lock], 0)];
        if self.may_be_destroyed(request) {
            let value = self.terms().bv(32, DESTROYED);
            let is_destroyed = self.terms().eq(owner, value);
            let is_there = self.terms().not(is_destroyed);
            taken = self.terms().and(taken, is_there);
            ways.push((vec![self.destroyed(addr, true)], EINVAL));
        }
        labels.push(Label::Assume(taken));
        ways.push((vec![labels], EBUSY));
        self.one_of(request, ways)
    }

    /// The 32-bit word of a lock, read by a label added to `labels`.
    fn word_at(&mut self, addr: Term, offset: u64, labels: &mut Vec<Label>) -> Term {
        let temp = self.temp(Sort::Bv(32));
        let addr = self.offset(addr, offset);
        labels.push(Label::Load { var: temp, addr });
        self.read_var(temp)
    }

    /// Ordinary writes: nothing protects an object that is being initialised.
    fn init_lock(&mut self, request: &Request, words: u64) -> Lowered<Answer> {
        let base = request.arg(0)?;
        let base = self.settled(base, request);
        for word in 0..words {
            let addr = self.offset(base, 4 * word);
            let value = self.int(0);
            self.emit(Label::Store { addr, value }, request.span);
        }
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
        let leave: Vec<Label> = unlock.into_iter().chain([Label::Wait { cond }]).collect();
        let woken = |timed| {
            let lock = mutex.map(|addr| Label::Lock { addr, mode });
            let woken = [Label::AwaitSignal { timed }];
            woken.into_iter().chain(lock).collect::<Vec<_>>()
        };
        let mut ways = vec![(vec![woken(false)], 0)];
        if timed {
            ways.push((vec![woken(true)], ETIMEDOUT));
        }
        let again = mutex.map_or(Wait::Signal, Wait::Relocking);
        let mutex = mutex.filter(|_| self.may_be_destroyed(request));
        let Some(mutex) = mutex else {
            self.emit_atomic(leave, request.span);
            self.may_be_cancelled(request, again)?;
            if timed {
                return self.one_of(request, ways);
            }
            self.emit_atomic(woken(false), request.span);
            return self.answer(request, 0);
        };
        self.no_fusing(request.span)?;
        let (result, end) = (self.temp(Sort::Bv(32)), self.new_loc());
        let gone = self.destroyed(mutex, true);
        let woken = [Label::AwaitSignal { timed }].into_iter();
        ways.push((vec![woken.chain(gone.clone()).collect()], EINVAL));
        self.take_one(vec![(vec![gone], EINVAL)], result, end, request.span);
        let mut first = self.destroyed(mutex, false);
        first.extend(leave);
        self.emit_atomic(first, request.span);
        self.may_be_cancelled(request, again)?;
        self.take_one(ways, result, end, request.span);
        self.at = end;
        let value = self.read_var(result);
        self.answer_term(request, value)
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
