//! Preference orders: which thread comes first in the executions that are kept.
//!
//! Every order is sound: it only says which execution represents its class. The order at a state may
//! depend on how the state was reached; what it has to remember of that is a number, the *turn*.

use crate::letters::Letter;
use std::collections::BTreeSet;
use std::fmt;
use xcfa::LocId;

/// An order of the threads at each state. The first thread is always preferred: it starts the others,
/// and waits for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// One thread after the other, in this order.
    Sequential(Vec<usize>),
    /// Groups take turns: the running thread goes on until the turn passes. Inside a group one
    /// thread comes after the other. Groups of different blocks have nothing to do with each other, so
    /// one block comes after the other.
    Lockstep {
        /// The blocks of groups, in the order of their turns.
        blocks: Vec<Block>,
        /// When the turn passes.
        passing: Passing,
    },
}

/// Groups of threads that take turns.
pub type Block = Vec<Vec<usize>>;

/// When the turn passes to the next group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passing {
    /// With a step back to one of these heads of loops.
    Heads(BTreeSet<LocId>),
    /// With an access to memory that is not variables: loops of which one is a multiple of the other stay in
    /// step too.
    Accesses,
}

impl Order {
    /// The turn at the start.
    pub fn first_turn(&self) -> usize {
        match self {
            Order::Sequential(_) => 0,
            Order::Lockstep { blocks, .. } => {
                let first = blocks.iter().flatten().flatten().next();
                first.copied().unwrap_or(0)
            }
        }
    }

    /// The turn after a letter.
    pub fn next_turn(&self, turn: usize, letter: &Letter) -> usize {
        let Order::Lockstep { blocks, passing } = self else {
            return turn;
        };
        let Some((block, group)) = place(blocks, letter.thread) else {
            return turn;
        };
        let passes = match passing {
            Passing::Heads(heads) => letter.heads.iter().any(|head| heads.contains(head)),
            Passing::Accesses => !letter.accesses.is_empty(),
        };
        let groups = &blocks[block];
        match passes {
            true => groups[(group + 1) % groups.len()][0],
            false => letter.thread,
        }
    }

    /// The threads, the preferred one first.
    pub fn threads(&self, turn: usize) -> Vec<usize> {
        let mut order = vec![0];
        match self {
            Order::Sequential(threads) => order.extend(threads),
            Order::Lockstep { blocks, .. } => {
                let (block, group) = place(blocks, turn).unwrap_or((0, 0));
                if turn != 0 {
                    order.push(turn);
                }
                let groups = &blocks[block];
                for step in 0..groups.len() {
                    order.extend(&groups[(group + step) % groups.len()]);
                }
                order.extend(blocks.iter().flatten().flatten());
            }
        }
        let mut seen = BTreeSet::new();
        order.retain(|&thread| seen.insert(thread));
        order
    }
}

/// The block and the group of a thread.
fn place(blocks: &[Block], thread: usize) -> Option<(usize, usize)> {
    let places = blocks.iter().enumerate().flat_map(|(block, groups)| {
        let groups = groups.iter().enumerate();
        groups.map(move |(group, threads)| ((block, group), threads))
    });
    let mut places = places.filter(|(_, threads)| threads.contains(&thread));
    places.next().map(|(place, _)| place)
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
            Order::Lockstep { blocks, passing } => {
                let block = |groups: &Block| {
                    let groups = groups.iter().map(|group| list(group, " then "));
                    groups.collect::<Vec<String>>().join(" and ")
                };
                let blocks: Vec<String> = blocks.iter().map(block).collect();
                let how = match passing {
                    Passing::Heads(_) => "in lockstep",
                    Passing::Accesses => "in lockstep by accesses",
                };
                write!(f, "threads {} {how}", blocks.join(", then "))
            }
        }
    }
}
