//! Follows an execution with its inputs as variables.

use super::space::InputSpace;
use crate::event::Event;
use crate::statics::Statics;
use expr::{Term, VarId};
use rustc_hash::FxHashMap;
use semantics::{Cell, Machine, Outcome, Script, State, Status, Step, Tid};
use xcfa::{EdgeId, Label, Scope};

/// Collects the conditions under which an execution goes its way; if it is complete, also those
/// under which nobody can go on.
pub fn follow(
    machine: &Machine<'_>,
    statics: &Statics,
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
    };
    if shadow.events(events, complete).is_none() {
        shadow.space.lost = true;
    }
}

/// A run of the machine with terms over the inputs beside the values.
pub(super) struct Shadow<'s, 'x> {
    pub machine: &'s Machine<'x>,
    pub statics: &'s Statics,
    pub state: State,
    /// Before the step at hand.
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
    /// Cells that the step at hand has written.
    pub written: Vec<Cell>,
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
        // Those that wait at the end wait because of what they look at.
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
        let labels = &self.machine.xcfa[edge].labels;
        let mut choices = step.choices.iter().copied();
        for label in labels {
            self.label(tid, label, &mut choices)?;
        }
        // Another question was about something of which there is no account here.
        choices.next().is_none().then_some(())?;
        self.agrees(tid, labels).then_some(())
    }

    /// Are the terms of what a step has set worth what the machine has there?
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
        let mut possible = Some(true);
        for label in &self.machine.xcfa[edge].labels {
            possible = self.try_label(Tid(tid), label);
            if possible != Some(true) {
                break;
            }
        }
        (self.locals, self.cells, self.results, self.name) = (locals, cells, results, name);
        possible
    }
}
