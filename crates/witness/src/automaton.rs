//! What a witness asks of executions, in terms of the program's edges.

use crate::condition::Condition;
use dataflow::BitSet;
use std::rc::Rc;

/// Why a witness describes no executions of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// It says something that does not fit the program or the format.
    #[error("{0}")]
    Wrong(String),
    /// It says something that we cannot evaluate.
    #[error("{0}")]
    Beyond(String),
}

/// Says that a witness is wrong.
pub(crate) fn wrong<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(what.into()))
}

/// Says that we cannot do something.
pub(crate) fn beyond<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Beyond(what.into()))
}

/// A thread as a witness names it, by number into [`Automaton::names`].
pub type Name = usize;

/// When a guard is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// During a step along one of the edges; the condition holds afterwards.
    Step,
    /// When a thread is about to take one of the edges; the condition holds before.
    Arrival,
}

/// A requirement on a step.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The thread that takes it.
    pub thread: Option<Name>,
    /// Which thread it starts.
    pub creates: Option<Name>,
    /// Does it start a thread, whatever its name? Then names are given in the order of such steps.
    pub starts: bool,
    /// Along which edges.
    pub edges: Rc<BitSet>,
    /// When it is checked.
    pub when: When,
    /// What holds.
    pub condition: Option<Condition>,
    /// The function in which the condition's names are looked up first.
    pub scope: Option<String>,
}

impl Guard {
    /// Is it about a thread that starts or a value that is returned?
    pub(crate) fn is_event(&self) -> bool {
        let result = |condition: &Condition| condition.mentions_result();
        self.starts || self.creates.is_some() || self.condition.as_ref().is_some_and(result)
    }
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Move {
    /// The state it leaves.
    pub from: usize,
    /// The state it enters.
    pub to: usize,
    /// When; `None` for one that is always possible.
    pub guard: Option<Guard>,
}

/// A violation that counts.
#[derive(Clone, Debug)]
pub struct Accept {
    /// In this node.
    pub node: usize,
    /// With these steps, each of another thread if there are two.
    pub targets: Vec<Guard>,
}

/// The executions that a witness describes.
#[derive(Clone, Debug, Default)]
pub struct Automaton {
    /// How threads are called.
    pub names: Vec<String>,
    /// How many nodes there are; the first one is where executions begin.
    pub nodes: usize,
    /// Transitions. A step that satisfies none leaves the automaton where it is.
    pub moves: Vec<Move>,
    /// Steps that end the stay in a node.
    pub avoids: Vec<(usize, Guard)>,
    /// Where it ends.
    pub accepts: Vec<Accept>,
    /// Are threads numbered in the order of their creation? Otherwise a name is bound where it is
    /// first used.
    pub numbered: bool,
    /// The name of the first thread, if the witness gives it one.
    pub main: Option<Name>,
    /// May one step satisfy several guards about the same text? The automata of other tools may
    /// have more transitions for a line than we have steps.
    pub liberal: bool,
}

impl Automaton {
    pub(crate) fn name(&mut self, name: &str) -> Name {
        if let Some(at) = self.names.iter().position(|known| known == name) {
            return at;
        }
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    pub(crate) fn guards(&self) -> impl Iterator<Item = &Guard> {
        let moves = self.moves.iter().filter_map(|step| step.guard.as_ref());
        let accepts = self.accepts.iter().flat_map(|accept| &accept.targets);
        moves.chain(accepts)
    }
}
