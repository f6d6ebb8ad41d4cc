//! One step: what each label does.

use crate::attempt::Overwritten;
use crate::layout::Slot;
use crate::reachable::{Tracking, tracking};
use crate::{Access, Cell, Choice, Fault, Host, Machine, State, Status, Tid, Violation};
use crate::{Frame, Vacancy, view::View};
use expr::{ObjId, Term, VarId};
use xcfa::{Callee, EdgeId, HavocOrigin, Label, Leaving, ObjectKind, ProcId};

/// Why a step does not happen.
pub(crate) enum Halt {
    Blocked,
    Cut(Option<Violation>),
    Violation(Violation),
    Beyond(&'static str),
}

pub(crate) type Done = Result<(), Halt>;

/// Recursion deeper than this is not followed.
const MAX_CALL_DEPTH: usize = 4096;

/// A step being executed.
pub(crate) struct Exec<'a, 'x, H> {
    pub machine: &'a Machine<'x>,
    pub state: &'a mut State,
    pub tid: Tid,
    pub edge: EdgeId,
    pub host: &'a mut H,
    pub spurious: bool,
    /// Where it is noted what has been overwritten, if somebody wants to put it back.
    pub overwritten: Option<&'a mut Vec<Overwritten>>,
}

impl<'a, 'x, H: Host> Exec<'a, 'x, H> {
    pub fn new(
        machine: &'a Machine<'x>,
        state: &'a mut State,
        tid: Tid,
        edge: EdgeId,
        host: &'a mut H,
    ) -> Exec<'a, 'x, H> {
        Exec {
            machine,
            state,
            tid,
            edge,
            host,
            spurious: false,
            overwritten: None,
        }
    }
}

impl<H: Host> Exec<'_, '_, H> {
    /// Executes the labels of the edge in order.
    pub fn run(&mut self) -> Done {
        let edge = &self.machine.xcfa[self.edge];
        self.observe_variables();
        let mut target = edge.target;
        for (index, label) in edge.labels.iter().enumerate() {
            self.machine.note(self.edge, index + 1);
            self.note_open(index)?;
            self.host.label(index);
            match label {
                Label::Call {
                    callee: Callee::Direct(proc),
                    args,
                    ..
                } => {
                    target = self.call(*proc, args)?;
                }
                Label::ThreadExit(value) => {
                    let result = self.eval(*value);
                    return self.exit_thread(result);
                }
                Label::Exit(leaving) => return self.exit_process(*leaving),
                other => self.label(other)?,
            }
        }
        self.machine.note(self.edge, edge.labels.len() + 1);
        self.state.thread_mut(self.tid).loc = target;
        self.return_from_calls();
        self.check_location()
    }

    pub fn label(&mut self, label: &Label) -> Done {
        match label {
            Label::Assign { var, value } => {
                let bits = self.eval(*value);
                self.set(*var, bits);
            }
            Label::Havoc { var, origin } => {
                let sort = self.machine.xcfa[*var].sort;
                let bits = self.host.choose(Choice::Value(sort, origin)) & sort.mask();
                self.spurious |= *origin == HavocOrigin::WeakFailure && bits != 0;
                self.set(*var, bits);
            }
            Label::Load { var, addr } => {
                let addr = self.eval(*addr);
                let bytes = self.machine.xcfa[*var].sort.bytes();
                let bits = self.load(addr, bytes)?;
                self.set(*var, bits);
            }
            Label::Store { addr, value } => {
                let (addr, bits) = (self.eval(*addr), self.eval(*value));
                let bytes = self.machine.xcfa.terms.bytes(*value);
                self.store(addr, bytes, bits)?;
            }
            Label::Assume(cond) if self.eval(*cond) == 0 => return Err(Halt::Cut(None)),
            Label::Await(cond) if self.eval(*cond) == 0 => return Err(Halt::Blocked),
            Label::Assume(_) | Label::Await(_) => {}
            Label::AtomicBegin => self.enter_atomic(),
            Label::AtomicEnd => self.leave_atomic(),
            Label::Lock { addr, mode } => {
                let addr = self.eval(*addr);
                return self.lock(addr, *mode);
            }
            Label::Unlock { addr, mode } => {
                let addr = self.eval(*addr);
                return self.unlock(addr, *mode);
            }
            Label::Wait { cond } => {
                let cond = self.eval(*cond);
                return self.wait(cond);
            }
            Label::AwaitSignal { timed } => return self.await_signal(*timed),
            Label::Signal { cond, all } => {
                let cond = self.eval(*cond);
                return self.signal(cond, *all);
            }
            Label::Start { handle, proc, arg } => {
                let arg = self.eval(*arg);
                return self.start(*handle, *proc, arg);
            }
            Label::Join { thread, result } => {
                let handle = self.eval(*thread);
                return self.join(handle, *result);
            }
            Label::Alloc {
                var,
                object,
                size,
                zeroed,
            } => {
                let size = self.eval(*size);
                return self.alloc(*var, *object, size, *zeroed);
            }
            Label::Free(addr) => {
                let addr = self.eval(*addr);
                return self.free(addr);
            }
            Label::Dealloc(object) => self.dealloc(*object),
            Label::Call { .. } => return Err(Halt::Beyond("call through an unresolved pointer")),
            Label::ThreadExit(_) | Label::Exit(_) => unreachable!("ends the step: handled by run"),
        }
        Ok(())
    }

    pub fn eval(&self, term: Term) -> u64 {
        let view = View::new(&self.machine.layout, self.state, self.tid);
        self.machine.xcfa.terms.eval(term, &view)
    }

    pub fn set(&mut self, var: VarId, bits: u64) {
        if H::OBSERVES && self.machine.xcfa.is_global(var) {
            self.observe(Cell::Var(var), true, false);
        }
        if let (Some(noted), Slot::Global(slot)) = (
            &mut self.overwritten,
            self.machine.layout.slots[var.0 as usize],
        ) {
            noted.push(Overwritten::Global(slot, self.state.globals[slot as usize]));
        }
        self.machine.set_value(self.state, self.tid, var, bits);
    }

    // Memory.

    pub fn load(&mut self, addr: u64, len: u64) -> Result<u64, Halt> {
        self.observe(Cell::Bytes { start: addr, len }, false, false);
        let loaded = self.state.memory.load(&self.machine.layout, addr, len);
        let loaded = loaded.map_err(|fault| self.fault(fault))?;
        let width = expr::Sort::Bv(8 * len as u32);
        if loaded.defined & width.mask() == width.mask() {
            return Ok(loaded.bits);
        }
        // What is undefined is arbitrary, but it stays what it was found to be.
        let choice = Choice::Value(width, &HavocOrigin::Uninitialised);
        let chosen = self.host.choose(choice) & width.mask();
        let bits = loaded.bits & loaded.defined | chosen & !loaded.defined;
        self.put(addr, len, bits)?;
        Ok(bits)
    }

    pub fn store(&mut self, addr: u64, len: u64, bits: u64) -> Done {
        self.observe(Cell::Bytes { start: addr, len }, true, false);
        self.put(addr, len, bits)
    }

    /// Writes memory without a word to the host.
    pub fn put(&mut self, addr: u64, len: u64, bits: u64) -> Done {
        let layout = &self.machine.layout;
        let old = match self.overwritten {
            Some(_) => self.state.memory.load(layout, addr, len).ok(),
            None => None,
        };
        let stored = self.state.memory.store(layout, addr, len, bits);
        stored.map_err(|fault| self.fault(fault))?;
        // What was constant has not been overwritten.
        if let (Some(noted), Some(old)) = (&mut self.overwritten, old) {
            noted.push(Overwritten::Bytes {
                addr,
                len,
                bits: old.bits,
                defined: old.defined,
            });
        }
        Ok(())
    }

    /// An invalid access is a violation of memory safety.
    pub fn fault(&self, _: Fault) -> Halt {
        self.undefined(Violation::InvalidDeref)
    }

    /// A violation if it is checked; otherwise the run ends, for what is undefined has no meaning
    /// that a verdict could rest on.
    fn undefined(&self, what: Violation) -> Halt {
        match self.machine.property.is_violated_by(what) {
            true => Halt::Violation(what),
            false => Halt::Cut(Some(what)),
        }
    }

    fn alloc(&mut self, var: VarId, object: ObjId, size: u64, zeroed: bool) -> Done {
        let definition = &self.machine.xcfa[object];
        let (base, place) = match definition.kind {
            ObjectKind::Stack if definition.size.is_some() => (self.place_on_stack(object)?, None),
            ObjectKind::Stack if self.machine.property.is_memsafety() => {
                return Err(Halt::Beyond(
                    "the end of an array of variable length is not followed",
                ));
            }
            _ => self.place_on_heap(size, definition.reuses)?,
        };
        if let Some(noted) = &mut self.overwritten {
            noted.push(Overwritten::Made(base, place));
        }
        self.state.memory.allocate(base, size, object, zeroed);
        self.set(var, base);
        Ok(())
    }

    fn place_on_stack(&mut self, object: ObjId) -> Result<u64, Halt> {
        let layout = &self.machine.layout;
        let depth = self.state.thread(self.tid).frames.len();
        let first = layout.stack_address(self.tid, depth, object);
        let first = first.ok_or(Halt::Beyond("the stack of a thread is full"))?;
        match layout.second_address(self.tid, depth, object) {
            Some(second) => {
                // Wherever the last one was, it is gone.
                self.dealloc(object);
                let chosen = self.host.choose(Choice::Address(2));
                Ok(if chosen == 0 { first } else { second })
            }
            None => Ok(first),
        }
    }

    /// A new address; or, if the address is open, that of any freed object that leaves enough room.
    fn place_on_heap(&mut self, size: u64, reuses: bool) -> Result<(u64, Option<Vacancy>), Halt> {
        let layout = &self.machine.layout;
        let mut room = size;
        if reuses {
            room = layout.room(size);
            let vacant = self.state.memory.vacant.iter().enumerate();
            let fitting = vacant.filter(|(_, place)| place.room >= size);
            let fitting: Vec<usize> = fitting.map(|(at, _)| at).collect();
            let chosen = match fitting.len() {
                0 => 0,
                count => self.host.choose(Choice::Address(count + 1)),
            };
            if let Some(at) = chosen.checked_sub(1) {
                let place = self.state.memory.vacant.remove(fitting[at as usize]);
                return Ok((place.base, Some(place)));
            }
        }
        let used = self.state.thread(self.tid).heap_used;
        let place = layout.heap_address(self.tid, used, room);
        let (base, used) = place.ok_or(Halt::Beyond("the heap of a thread is full"))?;
        self.state.thread_mut(self.tid).heap_used = used;
        Ok((base, None))
    }

    fn free(&mut self, addr: u64) -> Done {
        if addr == 0 {
            return Ok(());
        }
        let instance = self.state.memory.instance_at(addr).copied();
        let is_heap = |obj: expr::ObjId| self.machine.xcfa[obj].kind == ObjectKind::Heap;
        match instance.filter(|it| it.base == addr && is_heap(it.obj)) {
            Some(instance) => {
                self.observe(
                    Cell::Bytes {
                        start: addr,
                        len: instance.size,
                    },
                    true,
                    false,
                );
                self.state.memory.release(addr);
                if self.machine.xcfa[instance.obj].reuses {
                    let room = self.machine.layout.room(instance.size);
                    self.state.memory.vacate(Vacancy { base: addr, room });
                }
                Ok(())
            }
            None => Err(self.undefined(Violation::InvalidFree)),
        }
    }

    fn dealloc(&mut self, object: ObjId) {
        if self.machine.xcfa[object].size.is_none() {
            return;
        }
        let depth = self.state.thread(self.tid).frames.len();
        let layout = &self.machine.layout;
        let first = layout.stack_address(self.tid, depth, object);
        let second = layout.second_address(self.tid, depth, object);
        for base in first.into_iter().chain(second) {
            self.state.memory.release(base);
        }
    }

    // Calls.

    fn call(&mut self, proc: ProcId, args: &[Term]) -> Result<xcfa::LocId, Halt> {
        let values: Vec<u64> = args.iter().map(|&arg| self.eval(arg)).collect();
        let size = self.machine.layout.frame_size(proc);
        let call = self.edge;
        let thread = self.state.thread_mut(self.tid);
        if thread.frames.len() >= MAX_CALL_DEPTH {
            return Err(Halt::Beyond("recursion is too deep to follow"));
        }
        thread.frames.push(Frame {
            call,
            base: thread.base,
        });
        thread.base = thread.slots.len() as u32;
        thread.slots.resize(thread.base as usize + size, 0);
        for (&param, value) in self.machine.xcfa[proc].params.iter().zip(values) {
            self.set(param, value);
        }
        Ok(self.machine.xcfa[proc].init)
    }

    /// A thread at the end of a called procedure returns to its caller at once.
    fn return_from_calls(&mut self) {
        loop {
            let xcfa = self.machine.xcfa;
            let thread = self.state.thread(self.tid);
            let proc = &xcfa[xcfa[thread.loc].proc];
            let Some(&frame) = thread.frames.last().filter(|_| thread.loc == proc.exit) else {
                return;
            };
            let value = proc
                .result
                .map(|var| self.machine.value(self.state, self.tid, var));
            let depth = thread.frames.len();
            let gone = self.machine.layout.stack_range(self.tid, depth);
            self.state.memory.release_range(gone);
            let thread = self.state.thread_mut(self.tid);
            thread.frames.pop();
            thread.slots.truncate(thread.base as usize);
            thread.base = frame.base;
            let call = &xcfa[frame.call];
            thread.loc = call.target;
            if let Some(Label::Call {
                result: Some(var), ..
            }) = call.labels.last()
            {
                self.set(*var, value.unwrap_or(0));
            }
        }
    }

    // Ends.

    fn exit_thread(&mut self, result: u64) -> Done {
        // The process ends with its last thread.
        if self.state.running().all(|tid| tid == self.tid) {
            self.check_tracking(Leaving::Return)?;
        }
        if self.state.holder == Some(self.tid) {
            self.state.holder = None;
        }
        let xcfa = self.machine.xcfa;
        let gone = self.machine.layout.stack_range(self.tid, 0);
        self.state.memory.release_range(gone);
        let thread = self.state.thread_mut(self.tid);
        thread.status = Status::Ended;
        thread.result = result;
        thread.loc = xcfa[xcfa[thread.loc].proc].exit;
        thread.atomic_depth = 0;
        thread.heap_used = 0;
        thread.slots.clear();
        thread.frames.clear();
        thread.base = 0;
        Ok(())
    }

    fn exit_process(&mut self, leaving: Leaving) -> Done {
        self.state.ended = true;
        self.check_tracking(leaving)
    }

    /// Is memory lost when the process ends?
    fn check_tracking(&self, leaving: Leaving) -> Done {
        let lost = Violation::InvalidMemtrack;
        if !self.machine.property.is_violated_by(lost) {
            return Ok(());
        }
        let gone = match leaving {
            Leaving::Return => Some(self.tid),
            Leaving::Call => None,
        };
        match tracking(self.machine, self.state, gone) {
            Tracking::Kept => Ok(()),
            Tracking::Lost => Err(Halt::Violation(lost)),
            Tracking::Unclear => Err(Halt::Beyond(
                "cannot tell whether memory is lost at the end",
            )),
        }
    }

    /// An error location is a violation of its property. For any other property the run ends there:
    /// because the behaviour is undefined, or because a failed assertion ends the process.
    fn check_location(&mut self) -> Done {
        let loc = self.state.thread(self.tid).loc;
        let Some(error) = self.machine.xcfa[loc].error else {
            return Ok(());
        };
        match Violation::at(error) {
            None => Err(Halt::Beyond("the model ends here")),
            Some(found @ (Violation::InvalidDeref | Violation::InvalidFree)) => {
                Err(self.undefined(found))
            }
            Some(found) if self.machine.property.is_violated_by(found) => {
                Err(Halt::Violation(found))
            }
            Some(_) => self.exit_process(Leaving::Call),
        }
    }

    // What the host sees.

    fn observe_variables(&mut self) {
        if H::OBSERVES {
            for &var in &self.machine.global_reads[self.edge.0 as usize] {
                self.observe(Cell::Var(var), false, false);
            }
        }
    }

    /// Tells the host of an access; one that belongs to a synchronisation operation is atomic.
    pub fn observe(&mut self, cell: Cell, write: bool, synchronises: bool) {
        if H::OBSERVES {
            let atomic = synchronises
                || self.machine.xcfa[self.edge].atomic
                || self.state.thread(self.tid).atomic_depth > 0;
            let (tid, edge) = (self.tid, self.edge);
            self.host.access(Access {
                tid,
                edge,
                cell,
                write,
                atomic,
            });
        }
    }
}
