//! One step of one thread: a condition and simultaneous assignments.

use dataflow::BitSet;
use expr::{Term, VarId};
use xcfa::{EdgeId, LocId};

/// An action, by number; `program[action]` is the action itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(pub u32);

/// A value that the environment chooses during an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// Stands for the value in the terms of the action, and nowhere else.
    pub symbol: VarId,
}

/// A step of one thread.
#[derive(Clone, Debug)]
pub struct Action {
    /// Whose it is, by number of the thread.
    pub thread: usize,
    /// The edge that it stands for.
    pub edge: EdgeId,
    /// Where it starts.
    pub source: LocId,
    /// Where it leads.
    pub target: LocId,
    /// It can be taken if this holds before it, over variables and inputs.
    pub guard: Term,
    /// The new values of the variables that it changes, in terms of what was before.
    pub updates: Vec<(VarId, Term)>,
    /// What the environment chooses, in order.
    pub inputs: Vec<Input>,
    /// What the labels of the edge leave in the variables for which the machine may ask the
    /// environment (inputs, and loads of what was never set), in order.
    pub chosen: Vec<(VarId, Term)>,
    /// The threads that it starts.
    pub starts: Vec<usize>,
    /// How many atomic sections it enters, less those that it leaves.
    pub nesting: i32,
    /// Does its thread end with it?
    pub ends: bool,
    /// The thread that it joins, if that is certain: it cannot be taken before that thread has ended.
    pub joins: Option<usize>,
    /// Does it lead back to the head of a loop?
    pub backward: bool,
    /// The variables that it reads.
    pub reads: BitSet,
    /// The variables that it changes.
    pub writes: BitSet,
}

impl Action {
    /// How many atomic sections its thread is in afterwards. A thread that ends leaves them all.
    pub fn depth_after(&self, before: i32) -> i32 {
        match self.ends {
            true => 0,
            false => (before + self.nesting).max(0),
        }
    }
}
