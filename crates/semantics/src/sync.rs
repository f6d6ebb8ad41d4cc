//! Threads, locks, condition variables and atomic sections.

use crate::step::{Exec, Halt};
use crate::{Cell, Choice, Host, Status, Tid};
use expr::VarId;
use xcfa::{LockMode, ProcId};

type Done = Result<(), Halt>;

impl<H: Host> Exec<'_, '_, H> {
    // Atomic sections.

    pub fn enter_atomic(&mut self) {
        self.state.thread_mut(self.tid).atomic_depth += 1;
        self.state.holder = Some(self.tid);
    }

    pub fn leave_atomic(&mut self) {
        let thread = self.state.thread_mut(self.tid);
        thread.atomic_depth = thread.atomic_depth.saturating_sub(1);
        if thread.atomic_depth == 0 {
            self.state.holder = None;
        }
    }

    // Locks: the owner's handle in the first word, the number of readers in the second.

    fn word(&self, addr: u64) -> Result<u64, Halt> {
        let word = self.machine.word(self.state, addr);
        word.ok_or_else(|| self.fault(crate::Fault))
    }

    fn set_word(&mut self, addr: u64, value: u64) -> Done {
        self.put(addr, 4, value)
    }

    fn observe_lock(&mut self, addr: u64, mode: LockMode) {
        let len = if mode == LockMode::Exclusive { 4 } else { 8 };
        self.observe(Cell::Bytes { start: addr, len }, true, true);
    }

    pub fn lock(&mut self, addr: u64, mode: LockMode) -> Done {
        self.observe_lock(addr, mode);
        if self.word(addr)? != 0 {
            return Err(Halt::Blocked);
        }
        match mode {
            LockMode::Exclusive => self.set_word(addr, self.tid.handle()),
            LockMode::Write if self.word(addr + 4)? != 0 => Err(Halt::Blocked),
            LockMode::Write => self.set_word(addr, self.tid.handle()),
            LockMode::Read => {
                let readers = self.word(addr + 4)?;
                self.set_word(addr + 4, readers + 1)
            }
        }
    }

    pub fn unlock(&mut self, addr: u64, mode: LockMode) -> Done {
        self.observe_lock(addr, mode);
        let owner = self.word(addr)?;
        if mode == LockMode::Exclusive || owner != 0 {
            return self.set_word(addr, 0);
        }
        match self.word(addr + 4)? {
            0 => Err(Halt::Beyond(
                "a reader-writer lock is unlocked that nobody holds",
            )),
            readers => self.set_word(addr + 4, readers - 1),
        }
    }

    // Condition variables.

    pub fn wait(&mut self, cond: u64) -> Done {
        self.check_cond(cond)?;
        self.state.thread_mut(self.tid).waiting = cond;
        Ok(())
    }

    pub fn await_signal(&mut self, timed: bool) -> Done {
        let thread = self.state.thread_mut(self.tid);
        if thread.waiting != 0 && !timed {
            self.spurious = true;
        }
        thread.waiting = 0;
        Ok(())
    }

    pub fn signal(&mut self, cond: u64, all: bool) -> Done {
        self.check_cond(cond)?;
        let waiters: Vec<Tid> = self
            .state
            .tids()
            .filter(|&tid| self.state.thread(tid).waiting == cond)
            .collect();
        if all {
            for tid in waiters {
                self.state.thread_mut(tid).waiting = 0;
            }
            return Ok(());
        }
        let woken = match waiters.len() {
            0 => return Ok(()),
            1 => 0,
            count => self.host.choose(Choice::Waiter(count)) as usize,
        };
        self.state.thread_mut(waiters[woken]).waiting = 0;
        Ok(())
    }

    /// A condition variable has no contents of its own, but it must exist.
    fn check_cond(&mut self, cond: u64) -> Done {
        self.observe(
            Cell::Bytes {
                start: cond,
                len: 1,
            },
            true,
            true,
        );
        if self.state.memory.is_valid(&self.machine.layout, cond, 1) {
            return Ok(());
        }
        Err(self.fault(crate::Fault))
    }

    // Threads.

    pub fn start(&mut self, handle: VarId, proc: ProcId, arg: u64) -> Done {
        let tid = Tid(self.state.threads.len() as u32);
        if !self.machine.layout.has_region(tid) {
            return Err(Halt::Beyond(
                "more threads than the address space has room for",
            ));
        }
        let thread = self.machine.new_thread(tid, proc);
        self.state.threads.push(thread);
        if let Some(&param) = self.machine.xcfa[proc].params.first() {
            self.machine.set_value(self.state, tid, param, arg);
        }
        self.set(handle, tid.handle());
        Ok(())
    }

    pub fn join(&mut self, handle: u64, result: Option<VarId>) -> Done {
        let started = self.state.threads.len() as u32;
        let target = Tid::from_handle(handle);
        if let Some(tid) = target {
            self.host.joins(tid);
        }
        let Some(tid) = target.filter(|tid| tid.0 < started) else {
            return Err(Halt::Beyond("a join of what is no thread"));
        };
        let thread = self.state.thread_mut(tid);
        match thread.status {
            Status::Running => Err(Halt::Blocked),
            // Undefined; a library that notices returns an error.
            Status::Joined => Err(Halt::Beyond("a join of a thread that was joined before")),
            Status::Ended => {
                thread.status = Status::Joined;
                let value = std::mem::take(&mut thread.result);
                if let Some(var) = result {
                    self.set(var, value);
                }
                Ok(())
            }
        }
    }
}
