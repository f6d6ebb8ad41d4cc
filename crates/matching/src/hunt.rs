//! Searches for states that were drawn beforehand: the experiment of chapter 5.

use crate::check::refine;
use crate::config::Config;
use crate::context::SearchContext;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::{Machine, State};
use statespace::{Codec, Inputs, Random, Scratch, expand};
use std::time::{Duration, Instant};
use verdict::{Bound, Budget, Reason, Stats, Task};

/// States to look for, by their keys.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    keys: Vec<Box<[u8]>>,
    /// By state to look for: how many states a plain breadth-first search has stored when it finds it.
    pub plain: Vec<u64>,
    /// How many states there are in all.
    pub states: usize,
}

impl Targets {
    /// Draws states of a program, each as likely as any other; nothing if it has more than `most`
    /// states or the budget is used up before.
    pub fn draw(
        task: &Task,
        count: usize,
        seed: u64,
        most: usize,
        budget: &Budget,
    ) -> Result<Targets, Reason> {
        let keys = all_states(task, most, budget)?;
        let mut random = Random::new(seed);
        // The initial state is found before any search begins.
        let mut left: Vec<usize> = (1..keys.len()).collect();
        let mut drawn = Targets {
            states: keys.len(),
            ..Targets::default()
        };
        while drawn.keys.len() < count && !left.is_empty() {
            let at = left.swap_remove(random.below(left.len()));
            drawn.keys.push(keys[at].clone());
            drawn.plain.push(at as u64 + 1);
        }
        Ok(drawn)
    }
}

/// The keys of all states, in the order in which breadth-first search finds them.
fn all_states(task: &Task, most: usize, budget: &Budget) -> Result<Vec<Box<[u8]>>, Reason> {
    let machine = Machine::new(&task.xcfa, task.property);
    let codec = Codec::new(&machine);
    let mut inputs = Inputs::new(machine.xcfa);
    let mut state = machine.initial();
    let mut scratch = Scratch::new(machine.xcfa, state.clone());
    let mut key = Vec::new();
    codec.encode(&state, &mut key);
    let first: Box<[u8]> = key.as_slice().into();
    let mut known: FxHashSet<Box<[u8]>> = FxHashSet::from_iter([first.clone()]);
    let mut all = vec![first];
    let mut next = 0;
    while next < all.len() {
        if all.len() > most {
            return Err(Reason::Bound(Bound::States(most as u64)));
        }
        if let Some(reason) = budget.exceeded(0).filter(|_| next.is_multiple_of(256)) {
            return Err(reason);
        }
        codec.decode(&all[next], &mut state);
        next += 1;
        expand(&machine, &mut inputs, &mut scratch, &state, |next| {
            codec.encode(next.state, &mut key);
            if !known.contains(key.as_slice()) {
                known.insert(key.as_slice().into());
                all.push(key.as_slice().into());
            }
        });
    }
    Ok(all)
}

/// How a state was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// After how long.
    pub time: Duration,
    /// How many states were stored then.
    pub states: u64,
    /// The most that were stored at any time before, those that wait to be expanded included.
    pub peak: u64,
    /// How many steps from the start.
    pub depth: u64,
    /// How many predicates there were.
    pub predicates: u64,
}

/// A hunt under way.
pub struct Hunt {
    targets: FxHashMap<Box<[u8]>, usize>,
    hits: Vec<Option<Hit>>,
    start: Instant,
    /// Of the current search: stored states, the depth of the expanded state, predicates.
    pub now: Hit,
    key: Vec<u8>,
    /// A state to decode others into.
    blank: State,
}

impl Hunt {
    fn new(targets: &Targets, blank: State) -> Hunt {
        let keys = targets.keys.iter().cloned();
        Hunt {
            targets: keys.enumerate().map(|(at, key)| (key, at)).collect(),
            hits: vec![None; targets.keys.len()],
            start: Instant::now(),
            now: Hit {
                time: Duration::ZERO,
                states: 0,
                peak: 0,
                depth: 0,
                predicates: 0,
            },
            key: Vec::new(),
            blank,
        }
    }

    /// Takes note of a state that a step has led to.
    pub fn note(&mut self, codec: &Codec, state: &State) {
        codec.encode(state, &mut self.key);
        if let Some(at) = self.targets.remove(self.key.as_slice()) {
            self.hits[at] = Some(Hit {
                time: self.start.elapsed(),
                depth: self.now.depth + 1,
                ..self.now
            });
        }
    }

    /// The states that have not been found.
    pub fn left<'h>(&'h self, codec: &'h Codec) -> impl Iterator<Item = State> + 'h {
        let mut keys: Vec<(&usize, &Box<[u8]>)> =
            self.targets.iter().map(|(key, at)| (at, key)).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| {
            let mut state = self.blank.clone();
            codec.decode(key, &mut state);
            state
        })
    }

    /// Have all states been found?
    pub fn is_over(&self) -> bool {
        self.targets.is_empty()
    }
}

/// Looks for states with one of the strategies; by state, how it was found.
pub fn hunt(task: &Task, config: &Config, targets: &Targets, budget: &Budget) -> Vec<Option<Hit>> {
    let machine = Machine::new(&task.xcfa, task.property);
    let mut context = SearchContext::new(&task.xcfa, &machine, config);
    context.hunt = Some(Hunt::new(targets, machine.initial()));
    refine(&mut context, config, budget, &mut Stats::default());
    context.hunt.map_or(Vec::new(), |hunt| hunt.hits)
}
