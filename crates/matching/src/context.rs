//! What several searches of one program share.

use crate::canon::Canon;
use crate::config::{Config, Search};
use crate::hunt::Hunt;
use crate::reduction::Reduction;
use crate::view::Viewer;
use crate::wait::Distances;
use dataflow::Analysed;
use rustc_hash::FxHashSet;
use semantics::{Machine, Open, Property, State, Step, Tid, Violation};
use statespace::{Codec, ExpansionSummary, Inputs, Next, Scratch, expand_threads, find_race};
use verdict::{Budget, Reason};

/// Ways to look at states.
pub struct StateProjection {
    /// Tells control from values.
    pub viewer: Viewer,
    /// Makes states that differ in names look the same.
    pub canon: Option<Canon>,
    /// Stores states that wait.
    pub codec: Codec,
    /// How far states are from an error.
    pub distances: Distances,
}

impl StateProjection {
    /// What a state looks like whatever the names, as bytes.
    pub fn canonical_key(&mut self, state: &State, key: &mut Vec<u8>) {
        let seen = match &mut self.canon {
            Some(canon) => canon.of(state),
            None => state,
        };
        self.codec.encode(seen, key);
    }
}

/// A program that is searched.
pub struct SearchContext<'m, 'x> {
    /// The program.
    pub machine: &'m Machine<'x>,
    /// The projection under which states are matched.
    pub projection: StateProjection,
    /// Values of inputs.
    pub inputs: Inputs,
    /// Which state comes next.
    pub search: Search,
    /// Are states expanded too that go beyond what is known of their abstract state?
    pub frugal: bool,
    reduction: Option<Reduction>,
    scratch: Scratch,
    /// The threads whose steps the last expansion has taken; all that can move, unless it was reduced.
    pub taken: Vec<Tid>,
    /// Concrete states that were expanded, in all searches.
    pub expanded: u64,
    /// Of these, how many with some of their threads only.
    pub reduced: u64,
    /// Steps that were taken, in the last search.
    pub transitions: u64,
    /// A step that could not be followed: nothing is safe any more.
    pub beyond: Option<&'static str>,
    /// A step that goes otherwise in another layout of memory.
    pub open: Option<Open>,
    /// Are particular states looked for?
    pub hunt: Option<Hunt>,
}

/// Where the steps of a set of threads lead, spurious wake-ups excepted.
#[derive(Default)]
struct Moved {
    /// Is one of them over, so that others can move?
    free: bool,
    /// States inside atomic sections.
    inside: Vec<State>,
}

impl Moved {
    fn note(&mut self, state: &State) {
        self.free |= state.holder.is_none();
        if !self.free {
            self.inside.push(state.clone());
        }
    }
}

/// How often limits are checked: every so many expanded states.
const CHECK_INTERVAL: u64 = 64;

/// An atomic section of more states than this is not followed to its end beforehand.
const LONG_SECTION: usize = 100;

impl<'m, 'x> SearchContext<'m, 'x> {
    /// For searches of this program.
    pub fn new(
        xcfa: &Analysed,
        machine: &'m Machine<'x>,
        config: &Config,
    ) -> SearchContext<'m, 'x> {
        let renames = config.strategy.compares_values();
        SearchContext {
            machine,
            projection: StateProjection {
                viewer: Viewer::new(xcfa, machine),
                canon: renames
                    .then(|| Canon::new(xcfa, machine, config.symmetry))
                    .flatten(),
                codec: Codec::new(machine),
                distances: Distances::of(machine),
            },
            inputs: Inputs::new(machine.xcfa),
            search: config.search,
            frugal: config.frugal,
            reduction: config
                .por
                .then(|| Reduction::new(xcfa, machine.property))
                .flatten(),
            scratch: Scratch::new(machine.xcfa, machine.initial()),
            taken: Vec::new(),
            expanded: 0,
            reduced: 0,
            transitions: 0,
            beyond: None,
            open: None,
            hunt: None,
        }
    }

    /// Takes every step from a state, or a representative set; returns a violation with its steps.
    pub fn expand(
        &mut self,
        state: &State,
        mut found: impl FnMut(&mut StateProjection, Next<'_>),
    ) -> Option<(Violation, Vec<Step>)> {
        self.expanded += 1;
        self.scratch.forget();
        if self.machine.property == Property::Race
            && let Some(pair) = find_race(self.machine, &mut self.inputs, state, &mut self.scratch)
        {
            return Some((Violation::DataRace, pair.into()));
        }
        let reduction = self.reduction.as_ref();
        let sets = reduction.map_or(Vec::new(), |it| it.sets(self.machine, state));
        for set in sets {
            let mut moved = Moved::default();
            let before = self.transitions;
            let summary = self.take(state, &set, Some(&mut moved), &mut found);
            if let Some((violation, step)) = summary.violation {
                return Some((violation, vec![step]));
            }
            if moved.free || moved.inside.iter().any(|it| self.section_ends(it)) {
                self.reduced += 1;
                self.taken = set;
                return None;
            }
            // All threads move below, these among them, and no transition counts twice.
            self.transitions = before;
        }
        let all: Vec<Tid> = state.runnable().collect();
        let summary = self.take(state, &all, None, &mut found);
        self.taken = all;
        match summary.violation {
            Some((violation, step)) => Some((violation, vec![step])),
            None if summary.deadlock && self.machine.property == Property::Deadlock => {
                Some((Violation::Deadlock, Vec::new()))
            }
            None => None,
        }
    }

    /// Takes the steps of some threads.
    fn take(
        &mut self,
        state: &State,
        threads: &[Tid],
        mut moved: Option<&mut Moved>,
        found: &mut impl FnMut(&mut StateProjection, Next<'_>),
    ) -> ExpansionSummary {
        let (projection, transitions, hunt) =
            (&mut self.projection, &mut self.transitions, &mut self.hunt);
        let each = |next: Next<'_>| {
            *transitions += 1;
            if let Some(moved) = moved.as_deref_mut().filter(|_| !next.spurious) {
                moved.note(next.state);
            }
            if let Some(hunt) = hunt {
                hunt.note(&projection.codec, next.state);
            }
            found(projection, next);
        };
        let threads = threads.iter().copied();
        let (inputs, scratch) = (&mut self.inputs, &mut self.scratch);
        let summary = expand_threads(self.machine, inputs, scratch, state, threads, each);
        self.beyond = self.beyond.or(summary.beyond);
        self.open = self.open.or(summary.open);
        summary
    }

    /// Can the thread that is in an atomic section leave it? A thread that gets stuck there stops all others.
    fn section_ends(&mut self, state: &State) -> bool {
        let mut known: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut work = vec![state.clone()];
        while let Some(state) = work.pop() {
            let Some(holder) = state.holder.filter(|_| !state.ended) else {
                return !state.ended;
            };
            if known.len() > LONG_SECTION {
                return false;
            }
            let codec = &self.projection.codec;
            let (inputs, scratch) = (&mut self.inputs, &mut self.scratch);
            let mut key = Vec::new();
            expand_threads(self.machine, inputs, scratch, &state, [holder], |next| {
                codec.encode(next.state, &mut key);
                if known.insert(key.clone()) {
                    work.push(next.state.clone());
                }
            });
        }
        false
    }

    /// What of the states the search covers, if that is less than all.
    pub fn leaves_out(&self) -> Option<&'static str> {
        match (self.reduced > 0, &self.projection.canon) {
            (false, None) => None,
            (false, Some(_)) => Some("all values but names"),
            (true, None) => Some("all values in one order of independent steps"),
            (true, Some(_)) => Some("all values but names in one order of independent steps"),
        }
    }

    /// Tells a hunt how many predicates there are from now on.
    pub fn predicates(&mut self, count: usize) {
        if let Some(hunt) = &mut self.hunt {
            hunt.now.predicates = count as u64;
        }
    }

    /// Tells a hunt how far the search is.
    pub fn at(&mut self, states: usize, waiting: usize, depth: u64) {
        if let Some(hunt) = &mut self.hunt {
            hunt.now.states = states as u64;
            hunt.now.peak = hunt.now.peak.max((states + waiting) as u64);
            hunt.now.depth = depth;
        }
    }

    /// Checks the limits now and then.
    pub fn exceeded(&self, budget: &Budget, bytes: u64) -> Option<Reason> {
        if self.hunt.as_ref().is_some_and(Hunt::is_over) {
            return Some(Reason::SomeExecutionsOnly);
        }
        let now = self.expanded.is_multiple_of(CHECK_INTERVAL);
        now.then(|| budget.exceeded(bytes)).flatten()
    }
}
