//! Visits all reachable states of a program again.
//!
//! A plain depth-first search over the interpreter. States are distinguished by 128 bits of hash, so
//! that two of n different states are mistaken for one with a probability of about n^2 / 2^129.

use crate::fair::{Graph, Node};
use crate::ways::{Way, ways};
use dataflow::Analysed;
use rustc_hash::FxHashMap;
use semantics::{Machine, Outcome, Property, State, Status, Tid};
use std::hash::{DefaultHasher, Hash, Hasher};
use verdict::{Budget, Objection, Reason, Task};

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub transitions: u64,
}

struct Search<'m, 'x> {
    machine: &'m Machine<'x>,
    /// By location: the slots of locals whose values do not matter there.
    dead: Vec<Vec<usize>>,
    seen: FxHashMap<u128, u32>,
    open: Vec<(u32, State)>,
    /// Only for termination.
    graph: Graph,
    counts: Counts,
}

/// Are there this many states?
pub fn visited(
    task: &Task,
    states: u64,
    transitions: u64,
    budget: &Budget,
) -> Result<(), Objection> {
    let claimed = Counts {
        states,
        transitions,
    };
    let found = closed(task, budget)?;
    match found == claimed {
        true => Ok(()),
        false => Err(Objection::Wrong(format!(
            "there are {} states and {} transitions, not {states} and {transitions}",
            found.states, found.transitions
        ))),
    }
}

/// Visits everything. The error is a violation, or why not all could be visited.
pub fn closed(task: &Task, budget: &Budget) -> Result<Counts, Objection> {
    let machine = Machine::new(&task.xcfa, task.property);
    let mut search = Search {
        machine: &machine,
        dead: dead_slots(&machine, &task.xcfa),
        seen: FxHashMap::default(),
        open: Vec::new(),
        graph: Graph::default(),
        counts: Counts::default(),
    };
    search.number(machine.initial());
    let mut turns = 0_u64;
    while let Some((id, state)) = search.open.pop() {
        turns += 1;
        if turns % 256 == 1
            && let Some(reason) = budget.exceeded(verdict::resident_bytes())
        {
            return Err(reason.into());
        }
        search.expand(id, &state)?;
    }
    if task.property == Property::Termination {
        search.graph.no_fair_cycle()?;
    }
    Ok(search.counts)
}

fn beyond(what: impl Into<String>) -> Objection {
    Objection::Open(Reason::unsupported(what))
}

/// Locals are dead where no path reads them before it writes them.
fn dead_slots(machine: &Machine<'_>, xcfa: &Analysed) -> Vec<Vec<usize>> {
    let liveness = xcfa.liveness();
    let dead = |loc| {
        let live = liveness.live(loc).iter();
        let live: Vec<usize> = live.map(|&var| machine.layout.slot(var) as usize).collect();
        let size = machine.layout.frame_size(xcfa[loc].proc);
        (0..size).filter(|slot| !live.contains(slot)).collect()
    };
    xcfa.loc_ids().map(dead).collect()
}

impl Search<'_, '_> {
    /// The number of a state; a new one is kept to be expanded.
    fn number(&mut self, mut state: State) -> u32 {
        self.forget_what_does_not_matter(&mut state);
        let next = self.seen.len() as u32;
        let number = *self.seen.entry(fingerprint(&state)).or_insert(next);
        if number == next {
            self.counts.states += 1;
            self.open.push((number, state));
        }
        number
    }

    fn forget_what_does_not_matter(&self, state: &mut State) {
        if state.ended {
            *state = State {
                ended: true,
                holder: None,
                threads: Vec::new(),
                ..self.machine.initial()
            };
        }
        for thread in &mut state.threads {
            if thread.status != Status::Running {
                thread.slots.clear();
                thread.frames.clear();
                thread.base = 0;
                continue;
            }
            for slot in &self.dead[thread.loc.0 as usize] {
                thread.slots[thread.base as usize + slot] = 0;
            }
        }
    }

    fn expand(&mut self, id: u32, state: &State) -> Result<(), Objection> {
        if self.machine.property == Property::Race {
            self.no_race(state)?;
        }
        let mut node = Node {
            running: state.running().map(|tid| tid.0).collect(),
            is_held: state.holder.is_some(),
            ..Node::default()
        };
        let (mut moves, mut cut) = (false, false);
        for tid in state.runnable() {
            let (mut can_move, mut waits) = (false, false);
            for way in self.ways_of(state, tid)? {
                if let Some(open) = way.open {
                    return Err(Objection::Open(Reason::open(self.machine.xcfa, open)));
                }
                match way.outcome {
                    Outcome::Moved { spurious } => {
                        can_move |= !spurious;
                        waits |= spurious;
                        self.counts.transitions += 1;
                        let to = self.number(way.state);
                        match spurious {
                            true => node.woken.push(to),
                            false => node.steps.push((tid.0, to)),
                        }
                    }
                    Outcome::Blocked => waits = true,
                    Outcome::Cut(_) => {}
                    Outcome::Violation(violation) => {
                        return Err(format!("there is a violation: {violation}").into());
                    }
                    Outcome::Beyond(what) => return Err(beyond(what)),
                }
            }
            moves |= can_move;
            cut |= !can_move && !waits;
            if !can_move && waits {
                node.blocked.push(tid.0);
            }
        }
        let stuck = !node.blocked.is_empty() && !moves && !cut;
        if stuck
            && matches!(
                self.machine.property,
                Property::Deadlock | Property::Termination
            )
        {
            return Err("there is a state in which no thread can move".into());
        }
        if self.machine.property == Property::Termination {
            self.graph.add(id, node);
        }
        Ok(())
    }

    fn ways_of(&self, state: &State, tid: Tid) -> Result<Vec<Way>, Objection> {
        let mut all = Vec::new();
        for &edge in self.machine.edges(state, tid) {
            let ways = ways(self.machine, state, tid, edge);
            all.extend(ways.ok_or_else(|| beyond("an input has more values than were tried"))?);
        }
        Ok(all)
    }

    /// Threads that an atomic section keeps from moving count, too.
    fn no_race(&self, state: &State) -> Result<(), Objection> {
        let mut earlier: Vec<Way> = Vec::new();
        for tid in state.running() {
            let mut ways = self.ways_of(state, tid)?;
            ways.retain(|way| matches!(way.outcome, Outcome::Moved { .. }));
            for way in &ways {
                let meet = |other: &Way| {
                    let mut mine = way.accesses.iter();
                    mine.any(|mine| other.accesses.iter().any(|theirs| mine.conflicts(theirs)))
                };
                if earlier.iter().any(meet) {
                    return Err("there is a state in which two accesses meet".into());
                }
            }
            earlier.extend(ways);
        }
        Ok(())
    }
}

fn fingerprint(state: &State) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        state.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0x9e37_79b9_7f4a_7c15) << 64 | half(0xd1b5_4a32_d192_ed03)
}
