//! Follows an execution with its inputs as variables.

use super::space::InputSpace;
use crate::event::Event;
use crate::statics::Statics;
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Machine, Outcome, Script, State, Status, Step, Tid};
use xcfa::{EdgeId, Label, Scope};

/// Collects the conditions under which an execution goes its way; if it is complete, also those
/// under which no thread can move.
pub fn follow(
    machine: &Machine<'_>,
    statics: &Statics<'_>,
    events: &[Event],
    complete: bool,
    space: &mut InputSpace,
) {
    let mut shadow = Shadow {
        machine,
        statics,
        state: machine.initial(),
        before: machine.initial(),
        space,
        locals: FxHashMap::default(),
        cells: FxHashMap::default(),
        results: FxHashMap::default(),
        name: (0, 0, 0),
        written: Vec::new(),
        tid: Tid(0),
        edge: EdgeId(0),
        choices: None,
    };
    if shadow.events(events, complete).is_none() {
        shadow.space.lost = true;
    }
}

/// A run of the machine with terms over the inputs beside the values.
pub(super) struct Shadow<'s, 'x> {
    pub machine: &'s Machine<'x>,
    pub statics: &'s Statics<'s>,
    pub state: State,
    /// Before the current label.
    pub before: State,
    pub space: &'s mut InputSpace,
    /// Variables that were set, by thread.
    pub locals: FxHashMap<(u32, VarId), Term>,
    /// Cells and globals that were written.
    pub cells: FxHashMap<Cell, Term>,
    /// What threads returned.
    pub results: FxHashMap<u32, Term>,
    /// The next input.
    pub name: super::InputName,
    /// Cells that the current step has written.
    pub written: Vec<Cell>,
    /// The thread of the current step,
    pub tid: Tid,
    /// along which edge,
    pub edge: EdgeId,
    /// and what is left of its choices; none if the edge is only tried.
    pub choices: Option<std::vec::IntoIter<u64>>,
}

/// Why a label is not followed.
pub(super) enum Stop {
    /// The edge is not possible.
    Closed,
    /// It has no form over the inputs.
    Lost,
}

impl Shadow<'_, '_> {
    fn events(&mut self, events: &[Event], complete: bool) -> Option<()> {
        let mut counts = vec![0; events.len() + 1];
        let mut stopped = vec![false; events.len() + 1];
        for event in events {
            self.name = (event.tid, event.count - 1, 0);
            for step in event.steps.iter() {
                self.step(step)?;
            }
            if event.stops {
                self.stop(event.tid)?;
            }
            if let Some(count) = counts.get_mut(event.tid as usize) {
                *count = event.count;
                stopped[event.tid as usize] = event.stops;
            }
        }
        // Threads that wait at the end wait because of what they read.
        for tid in self.state.tids() {
            let index = tid.0 as usize;
            let running = self.state.thread(tid).status == Status::Running;
            if complete && running && !stopped[index] {
                self.name = (tid.0, counts[index], 0);
                self.look_at_all(tid.0, None)?;
            }
        }
        Some(())
    }

    fn step(&mut self, step: &Step) -> Option<()> {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let source = self.machine.xcfa[edge].source;
        if !self.statics.loc(source).exclusive {
            self.before.clone_from(&self.state);
            self.look_at_all(tid.0, Some(edge))?;
        }
        self.before.clone_from(&self.state);
        let mut host = Script::new(&step.choices);
        let outcome = self.machine.step(&mut self.state, tid, edge, &mut host);
        matches!(outcome, Outcome::Moved { .. }).then_some(())?;
        self.written.clear();
        let xcfa = self.machine.xcfa;
        let labels = &xcfa[edge].labels;
        (self.tid, self.edge) = (tid, edge);
        self.choices = Some(step.choices.clone().into_iter());
        let mut host = Script::new(&step.choices);
        for (at, label) in labels.iter().enumerate() {
            symbolic::step(xcfa, self, label).ok()?;
            if at + 1 < labels.len() {
                // The next label works with what this one has done.
                let before = &mut self.before;
                let outcome = self.machine.step_label(before, tid, edge, label, &mut host);
                matches!(outcome, Outcome::Moved { .. }).then_some(())?;
            }
        }
        // Another choice was about something that is not tracked here.
        let rest = self.choices.take();
        rest.is_none_or(|rest| rest.len() == 0).then_some(())?;
        self.agrees(tid, labels).then_some(())
    }

    /// Do the terms of what a step has set have the values of the machine?
    fn agrees(&self, tid: Tid, labels: &[Label]) -> bool {
        if self.state.thread(tid).status != Status::Running {
            return true;
        }
        let set = labels.iter().filter_map(|label| label.defines());
        let vars = set.into_iter().all(|var| {
            let term = match self.machine.xcfa[var].scope {
                Scope::Global => self.cells.get(&Cell::Var(var)),
                _ => self.locals.get(&(tid.0, var)),
            };
            let is = self.machine.value(&self.state, tid, var);
            term.is_some_and(|&term| self.space.eval(term) == is)
        });
        let cells = self.written.iter().all(|cell| {
            let is = self.machine.peek(&self.state, *cell);
            let known = self.cells.get(cell).map(|&term| self.space.eval(term));
            is.is_none() || known.is_none() || is == known
        });
        vars && cells
    }

    /// A thread takes no further step: because of what, if not because its process or it has ended?
    fn stop(&mut self, tid: u32) -> Option<()> {
        let thread = self.state.thread(Tid(tid));
        if thread.status != Status::Running || self.statics.loc(thread.loc).is_end {
            return Some(());
        }
        self.before.clone_from(&self.state);
        let possible = self.look_at_all(tid, None)?;
        // It stops although it could go on: in the middle of an atomic section, or in a loop that
        // leads nowhere. With other inputs it might not.
        let constant = |term: &Term| self.space.terms.as_const(*term).is_some();
        let plain = self.locals.values().all(constant) && self.cells.values().all(constant);
        (!possible || plain).then_some(())
    }

    /// Notes why the edges of a thread are possible or not; is one of them?
    fn look_at_all(&mut self, tid: u32, except: Option<EdgeId>) -> Option<bool> {
        self.before.clone_from(&self.state);
        let loc = self.before.thread(Tid(tid)).loc;
        let mut possible = false;
        for &edge in &self.machine.xcfa[loc].out {
            if Some(edge) != except {
                possible |= self.look_at(tid, edge)?;
            }
        }
        Some(possible)
    }

    /// Notes why an edge is possible or not, and leaves everything as it is.
    fn look_at(&mut self, tid: u32, edge: EdgeId) -> Option<bool> {
        let (locals, cells) = (self.locals.clone(), self.cells.clone());
        let (results, name) = (self.results.clone(), self.name);
        self.written.clear();
        (self.tid, self.edge, self.choices) = (Tid(tid), edge, None);
        let xcfa = self.machine.xcfa;
        let mut labels = xcfa[edge].labels.iter();
        let possible = match labels.try_for_each(|label| symbolic::step(xcfa, self, label)) {
            Ok(()) => Some(true),
            Err(Stop::Closed) => Some(false),
            Err(Stop::Lost) => None,
        };
        (self.locals, self.cells, self.results, self.name) = (locals, cells, results, name);
        possible
    }
}
