//! Running a trace again, and telling what happens on the way.

use crate::blame::invalid_access;
use crate::naming::Named;
use crate::{
    Access, Cell, Clocks, Machine, Outcome, Script, State, Status, Step, Tid, Trace, Violation,
};
use xcfa::{EdgeId, Label, Scope, Span};

/// A value that a step changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The variable or cell.
    pub name: String,
    /// Its value before.
    pub old: String,
    /// Its value after.
    pub new: String,
    /// Can other threads see it?
    pub shared: bool,
}

/// One step as a person wants to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayStep {
    /// Who moved.
    pub thread: u32,
    /// Along which edge.
    pub edge: EdgeId,
    /// From which text.
    pub span: Span,
    /// What changed that has a name in the program.
    pub changes: Vec<Change>,
    /// The locks that the thread holds afterwards.
    pub held: Vec<String>,
    /// Does the thread end with it?
    pub ends: bool,
}

/// A thread that waits at the end and will never go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Who.
    pub thread: u32,
    /// At which text.
    pub span: Span,
    /// What it waits for: `for m`, `on ready`, `for thread 2`; may be empty.
    pub waits: String,
    /// The locks that it holds.
    pub held: Vec<String>,
}

/// A trace that was run again.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Its steps.
    pub steps: Vec<ReplayStep>,
    /// By thread number: the procedure that it runs.
    pub thread_names: Vec<String>,
    /// What went wrong, for a person; may have several lines.
    pub message: String,
    /// The text of the failing step.
    pub failing: Option<Span>,
    /// For a race, the two steps, by number.
    pub racing: Option<[usize; 2]>,
    /// The threads that wait for ever after the last step.
    pub stuck: Vec<Stuck>,
}

/// The trace is not one of this program, or does not end in the violation that it claims.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A step that cannot be taken.
    #[error("step {index} cannot be taken: {why}")]
    Step {
        /// Which, from 0.
        index: usize,
        /// Why not.
        why: String,
    },
    /// All steps can be taken, but the end is not a violation.
    #[error("the trace ends without the violation")]
    NoViolation,
    /// An endless execution in which a thread could move all the time and never does.
    #[error("the endless execution never lets some thread move")]
    Unfair,
    /// An endless execution that needs wake-ups that nobody asked for.
    #[error("the endless execution needs spurious wake-ups")]
    Spurious,
}

/// Runs a trace and confirms that it ends in its violation.
pub fn replay(machine: &Machine<'_>, trace: &Trace) -> Result<Replay, Mismatch> {
    let run = Run::new(machine);
    if trace.violation.property() != machine.property {
        return Err(Mismatch::NoViolation);
    }
    match trace.violation {
        Violation::DataRace => match run.clone().adjacent_race(trace) {
            Ok(replay) => Ok(replay),
            Err(_) => run.unordered_race(trace),
        },
        Violation::Deadlock => run.deadlock(trace),
        Violation::NonTermination => run.endless(trace),
        _ => run.failing_step(trace),
    }
}

/// A replay under way.
#[derive(Clone)]
struct Run<'m, 'x> {
    machine: &'m Machine<'x>,
    state: State,
    steps: Vec<ReplayStep>,
    thread_names: Vec<String>,
    held: Vec<Vec<u64>>,
    /// How many of the steps were spurious wake-ups.
    spurious: usize,
}

impl<'m, 'x> Run<'m, 'x> {
    fn new(machine: &'m Machine<'x>) -> Run<'m, 'x> {
        let main = machine.xcfa[machine.xcfa.main].function().to_owned();
        Run {
            machine,
            state: machine.initial(),
            steps: Vec::new(),
            thread_names: vec![main],
            held: vec![Vec::new()],
            spurious: 0,
        }
    }

    /// Errors, overflow and invalid memory: the last step is the violation.
    fn failing_step(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        let (last, before) = trace.steps.split_last().ok_or(Mismatch::NoViolation)?;
        self.advance(before, 0)?;
        let before = self.state.clone();
        let (outcome, accesses) =
            self.attempt(last, before.runnable().collect(), trace.steps.len() - 1)?;
        if outcome != Outcome::Violation(trace.violation) {
            return Err(Mismatch::NoViolation);
        }
        let step = self.describe(last, &before, &accesses);
        let span = step.span;
        self.steps.push(step);
        let mut message = trace.violation.to_string();
        // The machine tells of an access before it happens, so the last one is the invalid one. The
        // same step may have made the object that it misses.
        if let (Violation::InvalidDeref, Some(access)) = (trace.violation, accesses.last()) {
            message += &format!(": {}", invalid_access(self.machine, &self.state, access));
        }
        Ok(self.finish(message, Some(span), None))
    }

    fn deadlock(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        self.advance(&trace.steps, 0)?;
        if !self.machine.is_deadlock(&self.state) {
            return Err(Mismatch::NoViolation);
        }
        Ok(self.finish_stuck(trace.violation))
    }

    /// An endless execution: its loop leads back to a state that it has been in, and every thread
    /// moves or is blocked somewhere in it.
    fn endless(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        self.advance(&trace.steps, 0)?;
        let Some(start) = trace.loop_start.filter(|&start| start < trace.steps.len()) else {
            if !self.machine.is_deadlock(&self.state) {
                return Err(Mismatch::NoViolation);
            }
            return Ok(self.finish_stuck(trace.violation));
        };
        // The first round may still overwrite values that nobody reads again; after a few
        // rounds the state must repeat exactly.
        let shown = self.steps.len();
        let spurious = self.spurious;
        for _ in 0..4 {
            let before = self.state.clone();
            let mut starved: Vec<Tid> = before.running().collect();
            let mut always_held = true;
            for (offset, step) in trace.steps[start..].iter().enumerate() {
                let state = &self.state;
                always_held &= state.holder.is_some();
                starved.retain(|&tid| tid.0 != step.thread && !self.machine.is_blocked(state, tid));
                self.advance(std::slice::from_ref(step), start + offset)?;
            }
            if self.spurious > spurious {
                return Err(Mismatch::Spurious);
            }
            if self.state == before {
                if !starved.is_empty() && !always_held {
                    return Err(Mismatch::Unfair);
                }
                self.steps.truncate(shown);
                let message = format!(
                    "{}: steps {} to {shown} repeat for ever",
                    trace.violation,
                    start + 1
                );
                let span = self.steps.last().map(|step| step.span);
                return Ok(self.finish(message, span, None));
            }
        }
        Err(Mismatch::NoViolation)
    }

    /// A race: the last two steps can both be taken in the same state, and conflict there.
    fn adjacent_race(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        let [before @ .., first, second] = &trace.steps[..] else {
            return Err(Mismatch::NoViolation);
        };
        self.advance(before, 0)?;
        let state = self.state.clone();
        let running: Vec<Tid> = state
            .tids()
            .filter(|&tid| state.thread(tid).status == Status::Running)
            .collect();
        let mut both = Vec::new();
        for (offset, step) in [first, second].into_iter().enumerate() {
            self.state.clone_from(&state);
            let (outcome, accesses) = self.attempt(step, running.clone(), before.len() + offset)?;
            let Outcome::Moved { .. } = outcome else {
                return Err(Mismatch::NoViolation);
            };
            let described = self.describe(step, &state, &accesses);
            both.push((described, accesses));
        }
        let conflict = both[0]
            .1
            .iter()
            .find_map(|a| both[1].1.iter().find(|b| a.conflicts(b)).map(|b| (*a, *b)));
        let (a, b) = conflict.ok_or(Mismatch::NoViolation)?;
        let message = self.race_message(&state, a, b);
        let failing = both[1].0.span;
        self.steps.extend(both.into_iter().map(|(step, _)| step));
        let racing = [before.len(), before.len() + 1];
        Ok(self.finish(message, Some(failing), Some(racing)))
    }

    /// A race: the last step conflicts with an earlier one, and nothing orders the two.
    fn unordered_race(mut self, trace: &Trace) -> Result<Replay, Mismatch> {
        let mut clocks = Clocks::default();
        let mut past: Vec<Vec<Access>> = Vec::new();
        for (index, step) in trace.steps.iter().enumerate() {
            let before = self.state.clone();
            let accesses = self.advance(std::slice::from_ref(step), index)?;
            let action = (Tid(step.thread), EdgeId(step.edge));
            let race = clocks.step(self.machine, &before, action, &accesses);
            let Some([a, b]) = race else {
                past.push(accesses);
                continue;
            };
            let message = self.race_message(&before, a, b);
            let failing = self.machine.xcfa[b.edge].span;
            // The clocks blame the last access of its kind.
            let first = past.iter().rposition(|accesses| accesses.contains(&a));
            let racing = first.map(|first| [first, index]);
            return Ok(self.finish(message, Some(failing), racing));
        }
        Err(Mismatch::NoViolation)
    }

    /// Takes steps that must all succeed; returns the accesses of the last one.
    fn advance(&mut self, steps: &[Step], first_index: usize) -> Result<Vec<Access>, Mismatch> {
        let mut last = Vec::new();
        for (offset, step) in steps.iter().enumerate() {
            let before = self.state.clone();
            let allowed = before.runnable().collect();
            let (outcome, accesses) = self.attempt(step, allowed, first_index + offset)?;
            let Outcome::Moved { spurious } = outcome else {
                let why = format!("{outcome:?}");
                return Err(Mismatch::Step {
                    index: first_index + offset,
                    why,
                });
            };
            self.spurious += usize::from(spurious);
            self.note_threads_and_locks(step, &before);
            let described = self.describe(step, &before, &accesses);
            self.steps.push(described);
            last = accesses;
        }
        Ok(last)
    }

    /// Tries one step after checking that it is one of this program.
    fn attempt(
        &mut self,
        step: &Step,
        allowed: Vec<Tid>,
        index: usize,
    ) -> Result<(Outcome, Vec<Access>), Mismatch> {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let refuse = |why: &str| Mismatch::Step {
            index,
            why: why.to_owned(),
        };
        if !allowed.contains(&tid) {
            return Err(refuse("that thread cannot move"));
        }
        if !self.machine.edges(&self.state, tid).contains(&edge) {
            return Err(refuse("the thread is at another place"));
        }
        let mut host = Script::new(&step.choices);
        let outcome = self.machine.step(&mut self.state, tid, edge, &mut host);
        if host.exhausted || host.has_rest() {
            return Err(refuse("it has another number of inputs"));
        }
        Ok((outcome, host.accesses))
    }

    fn note_threads_and_locks(&mut self, step: &Step, before: &State) {
        let tid = Tid(step.thread);
        for label in &self.machine.xcfa[EdgeId(step.edge)].labels {
            match label {
                Label::Start { proc, .. } => {
                    self.thread_names
                        .push(self.machine.xcfa[*proc].function().to_owned());
                    self.held.push(Vec::new());
                }
                Label::Lock { addr, .. } => {
                    let addr = self.machine.eval(before, tid, *addr);
                    self.held[step.thread as usize].push(addr);
                }
                Label::Unlock { addr, .. } => {
                    let addr = self.machine.eval(before, tid, *addr);
                    let held = &mut self.held[step.thread as usize];
                    if let Some(at) = held.iter().rposition(|&lock| lock == addr) {
                        held.remove(at);
                    }
                }
                _ => {}
            }
        }
    }

    fn held_names(&self, thread: u32, state: &State) -> Vec<String> {
        let held = &self.held[thread as usize];
        held.iter()
            .map(|&addr| Named::bytes(self.machine, state, addr, 4).name)
            .map(lock_name)
            .collect()
    }

    fn describe(&self, step: &Step, before: &State, accesses: &[Access]) -> ReplayStep {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        ReplayStep {
            thread: step.thread,
            edge,
            span: self.machine.xcfa[edge].span,
            changes: self.changes(tid, edge, before, accesses),
            held: self.held_names(step.thread, before),
            ends: ends_thread(&self.machine.xcfa[edge]),
        }
    }

    fn changes(&self, tid: Tid, edge: EdgeId, before: &State, accesses: &[Access]) -> Vec<Change> {
        let mut changes = Vec::new();
        // A shared variable that is set to what it was may be the point of the story.
        let mut note = |named: Named, shared: bool, always: bool, old: u64, new: u64| {
            // The words of a lock say nothing that the locks held do not say better.
            if (always || old != new) && word_of_lock(&named.name).is_none() {
                let old = named.show(self.machine, before, old);
                let new = named.show(self.machine, &self.state, new);
                changes.push(Change {
                    name: named.name,
                    old,
                    new,
                    shared,
                });
            }
        };
        let xcfa = self.machine.xcfa;
        let same_frame = self.state.thread(tid).base == before.thread(tid).base;
        // What is set twice in one step has changed once.
        let mut noted: Vec<Cell> = Vec::new();
        for var in xcfa[edge].labels.iter().filter_map(Label::defines) {
            let hidden = xcfa[var].temp || (!same_frame && xcfa[var].scope != Scope::Global);
            if hidden || noted.contains(&Cell::Var(var)) {
                continue;
            }
            noted.push(Cell::Var(var));
            let old = self.machine.value(before, tid, var);
            let new = self.machine.value(&self.state, tid, var);
            let shared = xcfa.is_global(var);
            note(Named::var(self.machine, var), shared, shared, old, new);
        }
        for access in accesses.iter().filter(|access| access.write) {
            let Cell::Bytes {
                start,
                len: len @ 1..=8,
            } = access.cell
            else {
                continue;
            };
            if noted.contains(&access.cell) {
                continue;
            }
            noted.push(access.cell);
            let layout = &self.machine.layout;
            let old = before
                .memory
                .load(layout, start, len)
                .map(|loaded| loaded.bits);
            let new = self
                .state
                .memory
                .load(layout, start, len)
                .map(|loaded| loaded.bits);
            if let (Ok(old), Ok(new)) = (old, new) {
                note(
                    Named::bytes(self.machine, &self.state, start, len),
                    true,
                    false,
                    old,
                    new,
                );
            }
        }
        changes
    }

    /// The end of an execution in which nobody can go on: who waits for what.
    fn finish_stuck(self, violation: Violation) -> Replay {
        let stuck = self.stuck();
        let mut lines = vec![violation.to_string()];
        lines.extend(stuck.iter().map(|stuck| self.stuck_line(stuck)));
        let span = stuck.first().map(|stuck| stuck.span);
        let replay = self.finish(lines.join("\n"), span, None);
        Replay { stuck, ..replay }
    }

    fn stuck(&self) -> Vec<Stuck> {
        let tids = self.state.tids();
        let running = tids.filter(|&tid| self.state.thread(tid).status == Status::Running);
        let stuck = running.filter_map(|tid| {
            let &edge = self.machine.edges(&self.state, tid).first()?;
            Some(Stuck {
                thread: tid.0,
                span: self.machine.xcfa[edge].span,
                waits: self.waits_for(tid, edge),
                held: self.held_names(tid.0, &self.state),
            })
        });
        stuck.collect()
    }

    fn stuck_line(&self, stuck: &Stuck) -> String {
        let place = self.machine.xcfa.sources.place(stuck.span);
        let name = &self.thread_names[stuck.thread as usize];
        let waits = match stuck.waits.as_str() {
            "" => String::new(),
            waits => format!("{waits} "),
        };
        let held = match stuck.held.is_empty() {
            true => String::new(),
            false => format!(", holding {}", stuck.held.join(", ")),
        };
        format!(
            "thread {} ({name}) waits {waits}at {}:{}{held}",
            stuck.thread, place.file, place.line
        )
    }

    fn waits_for(&self, tid: Tid, edge: EdgeId) -> String {
        let name = |addr| lock_name(Named::bytes(self.machine, &self.state, addr, 4).name);
        for label in &self.machine.xcfa[edge].labels {
            match label {
                Label::Lock { addr, .. } => {
                    return format!("for {}", name(self.machine.eval(&self.state, tid, *addr)));
                }
                Label::AwaitSignal { .. } => {
                    return format!("on {}", name(self.state.thread(tid).waiting));
                }
                Label::Join { thread, .. } => {
                    let handle = self.machine.eval(&self.state, tid, *thread);
                    return format!("for thread {}", handle.wrapping_sub(1));
                }
                _ => {}
            }
        }
        String::new()
    }

    fn race_message(&self, state: &State, a: Access, b: Access) -> String {
        let mut lines = vec![format!(
            "two threads race for {}",
            Named::cell(self.machine, state, a.cell).name
        )];
        for access in [a, b] {
            let place = self
                .machine
                .xcfa
                .sources
                .place(self.machine.xcfa[access.edge].span);
            let kind = if access.write { "writes" } else { "reads" };
            let atomic = if access.atomic { " atomically" } else { "" };
            let held = self.held_names(access.tid.0, state);
            let held = if held.is_empty() {
                "no lock".into()
            } else {
                held.join(", ")
            };
            lines.push(format!(
                "thread {} ({}) {kind} it{atomic} at {}:{}, holding {held}",
                access.tid.0, self.thread_names[access.tid.0 as usize], place.file, place.line
            ));
        }
        lines.join("\n")
    }

    fn finish(self, message: String, failing: Option<Span>, racing: Option<[usize; 2]>) -> Replay {
        Replay {
            steps: self.steps,
            thread_names: self.thread_names,
            message,
            failing,
            racing,
            stuck: Vec::new(),
        }
    }
}

fn ends_thread(edge: &xcfa::Edge) -> bool {
    let mut labels = edge.labels.iter();
    labels.any(|label| matches!(label, Label::ThreadExit(_)))
}

impl Machine<'_> {
    /// A cell and its value as a person reads them. Locks are called by their object and have no
    /// value of their own.
    pub fn shown(&self, state: &State, cell: Cell) -> (String, Option<String>) {
        let named = Named::cell(self, state, cell);
        match word_of_lock(&named.name) {
            Some(lock) => (lock.to_owned(), None),
            None => {
                let bits = self.peek(state, cell);
                let value = bits.map(|bits| named.show(self, state, bits));
                (named.name, value)
            }
        }
    }
}

/// The words inside a lock that hold its state, as the C library calls them.
const WORDS: [&str; 4] = [".__data.__lock", ".__data", ".__align", ".__size"];

/// The lock, if the name is that of a word inside one.
fn word_of_lock(name: &str) -> Option<&str> {
    WORDS.iter().find_map(|word| name.strip_suffix(word))
}

/// A lock is named by its object, not by the word inside it that holds its state.
fn lock_name(name: String) -> String {
    word_of_lock(&name).map_or(name.clone(), str::to_owned)
}
