//! Preference orders: which thread comes first in the executions that are kept.
//!
//! Every order is sound: it only says which execution represents its class. The order at a state may
//! depend on how the state was reached; what it has to remember of that is a number, the *turn*.

use crate::letters::{Letter, LetterId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use xcfa::LocId;

/// An order of the threads at each state. The first thread is always preferred: it starts the others,
/// and waits for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// One thread after the other, in this order.
    Sequential(Vec<usize>),
    /// Groups take turns: the running thread goes on to the place where the turn passes, such as a step
    /// back to the head of a loop. Inside a group one thread comes after the other.
    Lockstep {
        /// The groups, in the order of their turns.
        groups: Vec<Vec<usize>>,
        /// Where the turn passes.
        passes: Passes,
        /// The letters that end a round in which a thread has only waited, and the thread that it waits for:
        /// that one has the next turn.
        waits: BTreeMap<LetterId, usize>,
    },
}

/// Where the turn passes to the next group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passes {
    /// After a step back to one of these heads of loops.
    Heads(BTreeSet<LocId>),
    /// After an access to memory that did not become variables.
    Accesses,
}

impl Passes {
    fn after(&self, letter: &Letter) -> bool {
        match self {
            Passes::Heads(heads) => letter.heads.iter().any(|head| heads.contains(head)),
            Passes::Accesses => !letter.accesses.is_empty(),
        }
    }
}

impl Order {
    /// The turn at the start.
    pub fn first_turn(&self) -> usize {
        match self {
            Order::Sequential(_) => 0,
            Order::Lockstep { groups, .. } => groups.first().map_or(0, |group| group[0]),
        }
    }

    /// The turn after a letter.
    pub fn next_turn(&self, turn: usize, id: LetterId, letter: &Letter) -> usize {
        let Order::Lockstep {
            groups,
            passes,
            waits,
        } = self
        else {
            return turn;
        };
        if let Some(&feeder) = waits.get(&id) {
            return feeder;
        }
        let Some(group) = self.group(letter.thread) else {
            return turn;
        };
        match passes.after(letter) {
            true => groups[(group + 1) % groups.len()][0],
            false => letter.thread,
        }
    }

    /// The threads, the preferred one first.
    pub fn threads(&self, turn: usize) -> Vec<usize> {
        let mut order = vec![0];
        match self {
            Order::Sequential(threads) => order.extend(threads),
            Order::Lockstep { groups, .. } => {
                let group = self.group(turn).unwrap_or(0);
                if turn != 0 {
                    order.push(turn);
                }
                for step in 0..groups.len() {
                    order.extend(&groups[(group + step) % groups.len()]);
                }
            }
        }
        let mut seen = BTreeSet::new();
        order.retain(|&thread| seen.insert(thread));
        order
    }

    fn group(&self, thread: usize) -> Option<usize> {
        match self {
            Order::Sequential(_) => None,
            Order::Lockstep { groups, .. } => {
                groups.iter().position(|group| group.contains(&thread))
            }
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |threads: &[usize], between: &str| {
            let names: Vec<String> = threads.iter().map(usize::to_string).collect();
            names.join(between)
        };
        match self {
            Order::Sequential(threads) => {
                write!(f, "threads {} one after the other", list(threads, ", "))
            }
            Order::Lockstep { groups, passes, .. } => {
                let groups: Vec<String> =
                    groups.iter().map(|group| list(group, " then ")).collect();
                write!(f, "threads {} in lockstep", groups.join(" and "))?;
                match passes {
                    Passes::Heads(_) => Ok(()),
                    Passes::Accesses => write!(f, " by accesses"),
                }
            }
        }
    }
}
