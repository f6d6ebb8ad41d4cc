//! Steps of a thread: which are possible, and what others see of the one that is taken.

use super::{Local, MIXED, Next, Pending, Run};
use crate::code::Code;
use crate::outcome::{Assumed, Stop};
use crate::probe::Probe;
use models::MemoryOrder;
use semantics::{Cell, Effect, Outcome, State, Step, Tid};
use xcfa::{EdgeId, Label};

/// A step that was tried.
pub(super) struct Tried {
    state: State,
    outcome: Outcome,
    pub probe: Probe,
    pub edge: EdgeId,
}

impl Run {
    /// The number of the thread that a step starts, if it starts one.
    fn number_of_started(&self, code: &Code<'_>, thread: u32, edge: EdgeId) -> u32 {
        match code.starts(edge) {
            true => code.number(thread, self.locals[thread as usize].started),
            false => u32::MAX,
        }
    }

    fn attempt(&self, code: &Code<'_>, thread: u32, edge: EdgeId) -> Result<Tried, Stop> {
        let local = &self.locals[thread as usize];
        let (mut state, mut probe) = (self.state.clone(), Probe::new(&local.answers));
        let number = self.number_of_started(code, thread, edge);
        let tid = Tid(thread);
        let outcome = (code.machine).step_starting(&mut state, tid, edge, &mut probe, number);
        if let Outcome::Beyond(what) = outcome {
            return Err(Stop::Unsupported(what));
        }
        Ok(Tried {
            state,
            outcome,
            probe,
            edge,
        })
    }

    /// All steps that the thread could take, each tried by itself.
    pub(super) fn attempt_all(&self, code: &Code<'_>, thread: u32) -> Result<Vec<Tried>, Stop> {
        let edges = code.machine.edges(&self.state, Tid(thread)).iter();
        edges
            .map(|&edge| self.attempt(code, thread, edge))
            .collect()
    }

    /// Takes the one step that is possible; a thread without one is blocked.
    pub(super) fn settle(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        tried: Vec<Tried>,
    ) -> Result<Option<Next>, Stop> {
        if tried.is_empty() {
            return Err(Stop::Unsupported("a thread that stops without an end"));
        }
        let joins = tried.iter().any(|it| it.probe.joins.is_some());
        let mut steps = tried.into_iter().filter(is_step);
        let Some(step) = steps.next() else {
            if joins {
                return Ok(Some(Next::Waits));
            }
            self.locals[thread as usize].blocked = true;
            return Ok(None);
        };
        if steps.next().is_some() {
            return Err(Stop::Unsupported("a choice that the program leaves open"));
        }
        self.note_choices(code, &step)?;
        self.take(code, thread, step)?;
        Ok(None)
    }

    fn take(&mut self, code: &Code<'_>, thread: u32, step: Tried) -> Result<(), Stop> {
        let record = Step::new(thread, step.edge.0, step.probe.choices.clone());
        let local = &mut self.locals[thread as usize];
        local.unfinished = false;
        local.answers.clear();
        if let Outcome::Violation(violation) = step.outcome {
            local.violation = Some(violation);
            self.failing = Some(record);
            return Ok(());
        }
        if let Some(steps) = &mut self.steps {
            steps.push(record);
        }
        let number = self.number_of_started(code, thread, step.edge);
        let seen = step.probe.seen(number);
        let effects = code.machine.effects(step.edge, &seen, &step.state);
        let effects = effects.map_err(Stop::Unsupported)?;
        self.note_effects(code, thread, &effects)?;
        self.note_gone(code, thread, &step);
        if code.frees_what_may_race(step.edge) {
            let whole = step.probe.accesses.iter().find(|it| it.write);
            let local = &mut self.locals[thread as usize];
            local.freed.extend(whole.map(|it| (local.events, it.cell)));
        }
        let mut after = step.state;
        if let Some(var) = code.allocates(step.edge) {
            let made = after
                .memory
                .instance_at(code.machine.value(&after, Tid(thread), var));
            let zeroed = code
                .machine
                .zeroed_by(step.edge, Tid(thread), &after)
                .is_some();
            if let Some(made) = made {
                let private = &mut self.locals[thread as usize].private;
                private.forget(made.base..made.base + made.size, |_| true);
                self.objects.add(thread, (made.base, made.size), zeroed);
            }
        } else {
            // Nothing is ever taken away.
            std::mem::swap(&mut after.memory, &mut self.state.memory);
        }
        // A failed assertion ends the process, where that is not what is checked.
        self.locals[thread as usize].done |= after.ended;
        after.ended = false;
        self.state = after;
        Ok(())
    }

    /// What others may see of a step comes next, after its read, if it has one.
    fn note_effects(
        &mut self,
        code: &Code<'_>,
        thread: u32,
        effects: &[Effect],
    ) -> Result<(), Stop> {
        for &effect in effects {
            match effect {
                // These are in the graph by now.
                Effect::Input(_) | Effect::Read { .. } => continue,
                Effect::Write { cell, value, .. } => {
                    self.objects.written(thread, cell);
                    if let Some(object) = self.private_object(code, cell) {
                        let private = &mut self.locals[thread as usize].private;
                        if !private.holds(&cell) && private.overlaps(cell) {
                            return Err(Stop::Unsupported(MIXED));
                        }
                        private.write(cell, object, value);
                    }
                }
                Effect::Start(number) => {
                    let count = self.locals.len().max(number as usize + 1);
                    let absent = Local {
                        done: true,
                        ..Local::default()
                    };
                    self.locals.resize(count, absent);
                    let mut local = Local::default();
                    local.queue.push_back(Pending::Begin);
                    self.locals[number as usize] = local;
                    self.locals[thread as usize].started += 1;
                }
                Effect::End => self.locals[thread as usize].done = true,
                Effect::Fence(_) | Effect::Join(_) => {}
            }
            let queue = &mut self.locals[thread as usize].queue;
            queue.push_back(Pending::Do(effect));
        }
        Ok(())
    }

    /// What is in objects whose scope a step leaves cannot be read any more.
    fn note_gone(&mut self, code: &Code<'_>, thread: u32, step: &Tried) {
        for label in &code.machine.xcfa[step.edge].labels {
            if let Label::Dealloc(object) = label {
                let depth = self.state.thread(Tid(thread)).frames.len();
                let frame = code.machine.layout.stack_range(Tid(thread), depth);
                let private = &mut self.locals[thread as usize].private;
                private.forget(frame, |it| it == *object);
            }
        }
    }

    fn note_choices(&mut self, code: &Code<'_>, step: &Tried) -> Result<(), Stop> {
        if step.probe.open {
            return Err(Stop::Unsupported(
                "the order of objects in memory, which is open",
            ));
        }
        let edge = &code.machine.xcfa[step.edge];
        let is_used = |label: &Label| match label {
            Label::Havoc { var, .. } => code.liveness.is_live(edge.target, *var),
            _ => true,
        };
        if step.probe.uninitialised && edge.labels.iter().any(is_used) {
            self.assumed.insert(Assumed::Uninitialised);
        }
        Ok(())
    }
}

pub(super) fn is_step(tried: &Tried) -> bool {
    matches!(tried.outcome, Outcome::Moved { .. } | Outcome::Violation(_))
}

/// The read that all ways on begin with, if they do.
pub(super) fn first_read(code: &Code<'_>, tried: &[Tried]) -> Result<Option<Cell>, Stop> {
    let mut found = None;
    for it in tried {
        let read = code.machine.first_read(it.edge, &it.probe.accesses);
        match (found, read.map_err(Stop::Unsupported)?) {
            (_, None) => {}
            (None, read) => found = read,
            // The two ways of a compare-exchange: what it reads decides between them.
            (Some(cell), Some(other)) if cell == other => {}
            _ => return Err(Stop::Unsupported("branches that read different memory")),
        }
    }
    Ok(found)
}

pub(super) fn read_order(effects: &[Effect]) -> Option<MemoryOrder> {
    effects.iter().find_map(|effect| match effect {
        Effect::Read { order, .. } => *order,
        _ => None,
    })
}
