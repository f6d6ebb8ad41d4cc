//! What one step of a thread does: all edges that leave a location, and atomic sections whole.

use super::events::{Goal, GoalKind, NodeId, Taken, ThreadId, Wait, Write};
use super::follow::{Effect, End};
use super::regions::depth_after;
use super::state::{Current, State};
use super::walk::{Frontier, Moment, Walker};
use super::{Checked, Unsupported};
use expr::{Node, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use xcfa::{ErrorKind, LocId, ProcId};

/// The ends of an atomic section under way.
#[derive(Default)]
struct Section {
    entered: Vec<Term>,
    left: Vec<Term>,
    /// Unknowns that say whether the section happens.
    happens: Vec<VarId>,
}

impl Walker<'_> {
    /// Everything that a thread can do at a location in one step.
    pub(super) fn location(
        &mut self,
        moment: &mut Moment,
        loc: LocId,
        state: State,
        frontier: &mut Frontier,
        ends: &mut Vec<(Term, Term)>,
    ) -> Result<(), Unsupported> {
        let mut section = Section::default();
        let mut inside = Frontier::new();
        inside.insert(self.regions.place(loc), (loc, vec![state]));
        while let Some((_, (loc, states))) = inside.pop_first() {
            let Some(state) = self.meet(states, &moment.reads) else {
                continue;
            };
            let effects = self.alternatives(moment, loc, state)?;
            for effect in effects {
                let (mut next, target) = self.commit(moment, effect, &mut section, ends);
                let Some(target) = target else { continue };
                let place = self.regions.place(target);
                let list = match self.regions.depth(target) {
                    0 => {
                        next.shared.clear();
                        &mut *frontier
                    }
                    _ => &mut inside,
                };
                list.entry(place)
                    .or_insert_with(|| (target, Vec::new()))
                    .1
                    .push(next);
            }
        }
        self.close(section);
        Ok(())
    }

    /// A section that gets stuck does not happen: no other thread could move after it, so none can
    /// read what it wrote, and the thread may as well stop before it.
    fn close(&mut self, section: Section) {
        if section.entered.is_empty() {
            return;
        }
        let terms = &mut self.events.terms;
        let mut meet = |guards: &[Term]| {
            let meet = |a, b| self.guards.meet(terms, a, b).0;
            guards.iter().copied().reduce(meet)
        };
        let (entered, left) = (meet(&section.entered), meet(&section.left));
        let truth = terms.bool(true);
        if entered == left {
            let happens = section.happens.into_iter().map(|var| (var, truth));
            self.events.definitions.extend(happens);
            return;
        }
        let left = left.unwrap_or_else(|| terms.bool(false));
        let stays_out = entered.map_or(truth, |entered| terms.not(entered));
        let fine = terms.or(stays_out, left);
        self.events.constraints.push(fine);
    }

    /// The edges that leave a location, made to exclude each other.
    fn alternatives(
        &mut self,
        moment: &mut Moment,
        loc: LocId,
        state: State,
    ) -> Result<Vec<Effect>, Unsupported> {
        let mut effects = Vec::new();
        for &edge in &self.xcfa[loc].out {
            let effect = self.edge(moment, edge, &state)?;
            if self.events.terms.as_const(effect.condition) != Some(0) {
                effects.push(effect);
            }
        }
        let conditions: Vec<Term> = effects.iter().map(|effect| effect.condition).collect();
        self.note_stop(moment, loc, &state, &conditions)?;
        if self.checked == Checked::Race {
            let goes_on = self.may_pause(moment, loc, &state)?;
            for effect in &mut effects {
                effect.condition = self.events.terms.and(effect.condition, goes_on);
            }
        }
        let exclusive = (0..effects.len()).all(|b| {
            (0..b).all(|a| {
                let (x, y) = (effects[a].condition, effects[b].condition);
                self.guards.exclude(&self.events.terms, x, y)
            })
        });
        let mut others = self.events.terms.bool(true);
        let last = effects.len().saturating_sub(1);
        for (at, effect) in effects.iter_mut().enumerate() {
            if !exclusive {
                let mut choice = others;
                if at < last {
                    let (_, taken) = self.events.unknown(Sort::Bool);
                    choice = self.events.terms.and(others, taken);
                    let not_taken = self.events.terms.not(taken);
                    others = self.events.terms.and(others, not_taken);
                }
                effect.condition = self.events.terms.and(choice, effect.condition);
            }
            effect.state.guard = self.events.terms.and(state.guard, effect.condition);
        }
        Ok(effects)
    }

    /// Records what an edge does; gives the state after it and where that is.
    fn commit(
        &mut self,
        moment: &mut Moment,
        effect: Effect,
        section: &mut Section,
        ends: &mut Vec<(Term, Term)>,
    ) -> (State, Option<LocId>) {
        let xcfa = self.xcfa;
        let edge = &xcfa[effect.edge];
        let mut state = effect.state;
        let depth = self.regions.depth(edge.source);
        let after = depth_after(edge, depth).filter(|_| !xcfa[edge.target].out.is_empty());
        if depth == 0 && after.is_some_and(|depth| depth > 0) {
            let (var, happens) = self.events.unknown(Sort::Bool);
            state.guard = self.events.terms.and(state.guard, happens);
            section.happens.push(var);
            section.entered.push(state.guard);
            self.node(moment);
        }
        if depth > 0 && after.is_none_or(|depth| depth == 0) {
            section.left.push(state.guard);
        }
        for (thread, proc, arg, handle) in effect.starts {
            self.start(moment, state.guard, thread, proc, arg, handle);
        }
        let alone = effect.waits.len() == 1;
        for (thread, condition) in effect.waits {
            let node = self.node(moment);
            let guard = self.events.terms.and(state.guard, condition);
            let always = alone && moment.only_way && depth == 0 && xcfa[edge.source].out.len() == 1;
            self.events.waits.push(Wait {
                node,
                thread,
                guard,
                always,
            });
        }
        if after.is_none_or(|depth| depth == 0) {
            self.write_back(moment, &state);
        }
        let step = self.events.steps.len();
        let error = xcfa[edge.target].error;
        match effect.end {
            End::Thread(value) => ends.push((state.guard, value)),
            End::Process => {
                let node = self.node(moment);
                self.events.exits.push((state.guard, node));
            }
            End::Goes => {
                if let Some(kind) = error {
                    self.arrive(moment, state.guard, kind, step);
                }
            }
        }
        self.events.steps.push(Taken {
            thread: moment.thread,
            edge: effect.edge,
            guard: state.guard,
            node: moment.node,
            chosen: effect.chosen,
            wakes: effect.wakes,
            touched: effect.touched,
        });
        let goes_on = matches!(effect.end, End::Goes) && error.is_none();
        (state, Some(edge.target).filter(|_| goes_on))
    }

    fn arrive(&mut self, moment: &mut Moment, guard: Term, kind: ErrorKind, step: usize) {
        let node = self.node(moment);
        let kind = match kind {
            ErrorKind::Unwound => GoalKind::Unwound,
            kind if Checked::Error(kind) == self.checked => GoalKind::Error,
            // An error of another property ends the process.
            _ => return self.events.exits.push((guard, node)),
        };
        self.events.goals.push(Goal {
            kind,
            guard,
            node,
            step: Some(step),
        });
    }

    fn start(
        &mut self,
        moment: &mut Moment,
        guard: Term,
        thread: ThreadId,
        proc: ProcId,
        arg: Term,
        handle: Term,
    ) {
        let node = self.node(moment);
        let mut own = FxHashMap::from_iter([(self.xcfa.self_var, handle)]);
        if let Some(&param) = self.xcfa[proc].params.first() {
            let width = self.xcfa[param].sort.width();
            let arg = match self.events.terms.sort(arg) == self.xcfa[param].sort {
                true => arg,
                false => self.events.terms.resize(arg, width, false),
            };
            own.insert(param, arg);
        }
        self.events.threads[thread].start = Some(node);
        self.start_guards[thread] = Some(guard);
        self.events
            .definitions
            .insert(self.events.threads[thread].handle, handle);
        let state = State {
            guard,
            own,
            shared: FxHashMap::default(),
            alone: false,
        };
        self.starts.push_back((thread, proc, state));
    }

    /// What a step has set is written when it ends.
    fn write_back(&mut self, moment: &mut Moment, state: &State) {
        let mut cells: Vec<(VarId, Current)> =
            state.shared.iter().map(|(&var, &now)| (var, now)).collect();
        cells.sort_unstable_by_key(|&(var, _)| var);
        for (cell, Current { mut value, written }) in cells {
            let terms = &mut self.events.terms;
            let guard = terms.and(state.guard, written);
            if terms.as_const(guard) == Some(0) {
                continue;
            }
            if let Node::Ite(c, then, otherwise) = terms.node(value) {
                // The other branch is the old value, which is not written.
                if c == written {
                    value = then;
                } else if terms.not(c) == written {
                    value = otherwise;
                }
            }
            let node = self.node(moment);
            self.events.writes.push(Write {
                node,
                cell,
                guard,
                value,
            });
        }
    }

    pub(super) fn node(&mut self, moment: &mut Moment) -> NodeId {
        *moment
            .node
            .get_or_insert_with(|| self.events.add_node(moment.thread))
    }
}
