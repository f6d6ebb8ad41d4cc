//! What several searches of one program share.

use crate::canon::Canon;
use crate::config::{Config, Search};
use crate::hunt::Hunt;
use crate::reduction::Reduction;
use crate::view::Viewer;
use crate::wait::Distances;
use explore::{Codec, Inputs, Next, Outlook, Scratch, expand_threads, find_race};
use rustc_hash::FxHashSet;
use semantics::{Machine, Property, State, Step, Tid, Violation};
use verdict::{Budget, Reason};

/// Ways to look at states.
pub struct Eyes {
    /// Tells control from values.
    pub viewer: Viewer,
    /// Makes states that differ in names look the same.
    pub canon: Option<Canon>,
    /// Stores states that wait.
    pub codec: Codec,
    /// How far states are from an error.
    pub distances: Distances,
}

impl Eyes {
    /// What a state looks like whatever the names, as bytes.
    pub fn look(&mut self, state: &State, key: &mut Vec<u8>) {
        let seen = match &mut self.canon {
            Some(canon) => canon.of(state),
            None => state,
        };
        self.codec.encode(seen, key);
    }
}

/// A program that is searched.
pub struct Ground<'m, 'x> {
    /// The program.
    pub machine: &'m Machine<'x>,
    /// How its states are looked at.
    pub eyes: Eyes,
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
    /// Are particular states looked for?
    pub hunt: Option<Hunt>,
}

/// Where the steps of a set of threads lead, wake-ups that nobody asked for excepted.
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

/// How often limits are looked at: every so many expanded states.
const CHECK_INTERVAL: u64 = 64;

/// An atomic section of more states than this is not followed to its end beforehand.
const LONG_SECTION: usize = 100;

impl<'m, 'x> Ground<'m, 'x> {
    /// For searches of this program.
    pub fn new(machine: &'m Machine<'x>, config: &Config) -> Ground<'m, 'x> {
        let renames = config.strategy.compares_values();
        Ground {
            machine,
            eyes: Eyes {
                viewer: Viewer::new(machine),
                canon: renames
                    .then(|| Canon::new(machine, config.symmetry))
                    .flatten(),
                codec: Codec::new(machine),
                distances: Distances::of(machine),
            },
            inputs: Inputs::new(machine.xcfa),
            search: config.search,
            frugal: config.frugal,
            reduction: config.por.then(|| Reduction::new(machine)).flatten(),
            scratch: Scratch::new(machine.xcfa, machine.initial()),
            taken: Vec::new(),
            expanded: 0,
            reduced: 0,
            transitions: 0,
            beyond: None,
            hunt: None,
        }
    }

    /// Takes every step from a state, or as many as stand for all; gives the violation that it shows,
    /// with the steps from it.
    pub fn expand(
        &mut self,
        state: &State,
        mut found: impl FnMut(&mut Eyes, Next<'_>),
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
            let outlook = self.take(state, &set, Some(&mut moved), &mut found);
            if let Some((violation, step)) = outlook.violation {
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
        let outlook = self.take(state, &all, None, &mut found);
        self.taken = all;
        match outlook.violation {
            Some((violation, step)) => Some((violation, vec![step])),
            None if outlook.deadlock && self.machine.property == Property::Deadlock => {
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
        found: &mut impl FnMut(&mut Eyes, Next<'_>),
    ) -> Outlook {
        let (eyes, transitions, hunt) = (&mut self.eyes, &mut self.transitions, &mut self.hunt);
        let each = |next: Next<'_>| {
            *transitions += 1;
            if let Some(moved) = moved.as_deref_mut().filter(|_| !next.spurious) {
                moved.note(next.state);
            }
            if let Some(hunt) = hunt {
                hunt.note(&eyes.codec, next.state);
            }
            found(eyes, next);
        };
        let threads = threads.iter().copied();
        let (inputs, scratch) = (&mut self.inputs, &mut self.scratch);
        let outlook = expand_threads(self.machine, inputs, scratch, state, threads, each);
        self.beyond = self.beyond.or(outlook.beyond);
        outlook
    }

    /// Can the thread that is in an atomic section leave it? Whoever gets stuck there stops all others.
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
            let codec = &self.eyes.codec;
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

    /// What the search looks at, if that is less than all states.
    pub fn leaves_out(&self) -> Option<&'static str> {
        match (self.reduced > 0, &self.eyes.canon) {
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

    /// Looks at the limits now and then.
    pub fn exceeded(&self, budget: &Budget, bytes: u64) -> Option<Reason> {
        if self.hunt.as_ref().is_some_and(Hunt::is_over) {
            return Some(Reason::NotExhaustive);
        }
        let now = self.expanded.is_multiple_of(CHECK_INTERVAL);
        now.then(|| budget.exceeded(bytes)).flatten()
    }
}
