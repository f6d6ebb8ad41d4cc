//! Data races: two threads that could access the same cell next, one of them writing.
//!
//! For this question a thread may stop anywhere, so that every prefix of a run is a model. A node
//! after all others reads the final state: what could each thread that has stopped access
//! with its next step? It is a race if two of these accesses are to one cell, at least one of them
//! writes, and not both are atomic. That is how the interpreter sees it: both steps can be taken in
//! one state.

use super::Unsupported;
use super::events::{Goal, GoalKind, ThreadId, Touch, Touched};
use super::follow::Following;
use super::memory::{Cell, Kind};
use super::state::State;
use super::walk::{Moment, Walker};
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use symbolic::Store;
use xcfa::{Label, LocId};

/// A location at which a thread can stop.
pub struct Pause {
    thread: ThreadId,
    loc: LocId,
    state: State,
    stops: Term,
}

/// An access of an edge.
pub struct Seen {
    pub(super) cell: VarId,
    write: bool,
    atomic: bool,
    pub(super) here: Term,
}

impl From<Seen> for Touched {
    fn from(seen: Seen) -> Touched {
        Touched {
            cell: seen.cell,
            here: seen.here,
            atomic: seen.atomic,
        }
    }
}

/// What one thread could do to a cell, by whether it writes and whether it is atomic.
type Could = BTreeMap<(bool, bool), Term>;

fn uses_memory(label: &Label) -> bool {
    matches!(
        label,
        Label::Load { .. } | Label::Store { .. } | Label::Free(_) | Label::Lock { .. }
    )
}

impl Walker<'_> {
    /// Lets a thread stop at a location; gives the condition that it does not.
    pub(super) fn may_pause(
        &mut self,
        moment: &Moment,
        loc: LocId,
        state: &State,
    ) -> Result<Term, Unsupported> {
        if self.regions.depth(loc) > 0 {
            let edges = self.xcfa[loc].out.iter().map(|&edge| &self.xcfa[edge]);
            for edge in edges {
                let mut vars = edge.labels.iter().flat_map(Label::terms);
                let global = |term| {
                    let vars = self.events.terms.vars(term);
                    vars.into_iter().any(|var| self.xcfa.is_global(var))
                };
                let sets = |label: &Label| label.defines().is_some_and(|v| self.xcfa.is_global(v));
                if edge.labels.iter().any(|l| uses_memory(l) || sets(l)) || vars.any(global) {
                    let what = "an access inside an atomic section of several steps";
                    return Err(Unsupported::at(edge.span, what));
                }
            }
            return Ok(self.events.terms.bool(true));
        }
        let (_, stops) = self.events.unknown(Sort::Bool);
        self.pauses.push(Pause {
            thread: moment.thread,
            loc,
            state: state.clone(),
            stops,
        });
        Ok(self.events.terms.not(stops))
    }

    /// Adds the goal that there is a race.
    pub(super) fn find_race(&mut self) -> Result<(), Unsupported> {
        let end = self.end_node();
        self.at_end = true;
        for pause in std::mem::take(&mut self.pauses) {
            self.look_ahead(&pause, end)?;
        }
        let mut cells: BTreeMap<VarId, BTreeMap<ThreadId, Could>> = BTreeMap::new();
        let touches = std::mem::take(&mut self.events.touches);
        for touch in &touches {
            let could = cells.entry(touch.cell).or_default();
            let could = could.entry(touch.thread).or_default();
            let kind = (touch.write, touch.atomic);
            let known = could.get(&kind).copied();
            let known = known.unwrap_or_else(|| self.events.terms.bool(false));
            could.insert(kind, self.events.terms.or(known, touch.guard));
        }
        self.events.touches = touches;
        let mut race = self.events.terms.bool(false);
        for threads in cells.values() {
            for (a, of_a) in threads {
                for (_, of_b) in threads.range(a + 1..) {
                    for (&(write, atomic), &x) in of_a {
                        for (&(writes, atomically), &y) in of_b {
                            if (write || writes) && !(atomic && atomically) {
                                let both = self.events.terms.and(x, y);
                                race = self.events.terms.or(race, both);
                            }
                        }
                    }
                }
            }
        }
        self.events.goals.push(Goal {
            kind: GoalKind::Error,
            guard: race,
            node: end,
            step: None,
        });
        Ok(())
    }

    /// Notes what a thread that has stopped could access next.
    fn look_ahead(&mut self, pause: &Pause, end: u32) -> Result<(), Unsupported> {
        let stopped = self.events.terms.and(pause.state.guard, pause.stops);
        let mut moment = Moment {
            thread: pause.thread,
            guard: stopped,
            node: Some(end),
            reads: FxHashMap::default(),
            only_way: false,
        };
        let xcfa = self.xcfa;
        for &edge in &xcfa[pause.loc].out {
            self.seen.clear();
            let effect = self.edge(&mut moment, edge, &pause.state)?;
            let possible = self.events.terms.and(stopped, effect.condition);
            if self.events.terms.as_const(possible) == Some(0) {
                continue;
            }
            for seen in std::mem::take(&mut self.seen) {
                let in_memory = self.sorts.contains_key(&seen.cell);
                if in_memory && !self.shared.contains(&seen.cell) {
                    continue;
                }
                let guard = self.events.terms.and(possible, seen.here);
                self.events.touches.push(Touch {
                    thread: pause.thread,
                    edge,
                    cell: seen.cell,
                    write: seen.write,
                    atomic: seen.atomic,
                    guard,
                    chosen: effect.chosen.clone(),
                });
            }
        }
        Ok(())
    }
}

impl Following<'_, '_> {
    // What an edge accesses; noted only while the end is examined.

    /// The global variables that a label reads and sets.
    pub(super) fn see_label(&mut self, label: &Label) {
        if !self.walker.at_end && !self.walker.is_weak {
            return;
        }
        let truth = self.walker.events.terms.bool(true);
        let whole = self.walker.xcfa[self.effect.edge].atomic;
        let inside = self
            .walker
            .regions
            .depth(self.walker.xcfa[self.effect.edge].source)
            > 0;
        for term in label.terms() {
            for var in self.walker.events.terms.vars(term) {
                if self.walker.xcfa.is_global(var) {
                    self.walker.seen.push(Seen {
                        cell: var,
                        write: false,
                        atomic: whole || inside,
                        here: truth,
                    });
                }
            }
        }
        if let Some(var) = label
            .defines()
            .filter(|&var| self.walker.xcfa.is_global(var))
        {
            self.walker.seen.push(Seen {
                cell: var,
                write: true,
                atomic: whole || self.effect.depth > 0,
                here: truth,
            });
        }
    }

    pub(super) fn see_cell(&mut self, cell: VarId, write: bool, here: Term) {
        if self.walker.at_end || self.walker.is_weak {
            let synchronises = self
                .access()
                .is_some_and(|access| access.kind == Kind::Lock);
            let atomic =
                self.walker.xcfa[self.effect.edge].atomic || self.effect.depth > 0 || synchronises;
            self.walker.seen.push(Seen {
                cell,
                write,
                atomic,
                here,
            });
        }
    }

    /// Freeing memory counts as writing all of it.
    pub(super) fn see_all(&mut self, object: ObjId, here: Term) -> Result<(), Unsupported> {
        let size = self
            .walker
            .objects
            .size(object)
            .filter(|_| self.walker.at_end);
        if let Some(size) = size {
            let Some(cells) = self.walker.objects.cells(object, 0, size) else {
                return Err(self.unfollowed("memory that is freed"));
            };
            // What no access reaches cannot race, and may be wider than any variable.
            for cell in cells.into_iter().filter(Cell::is_accessed) {
                let cell = self.cell(cell);
                self.see_cell(cell, true, here);
            }
        }
        Ok(())
    }
}
