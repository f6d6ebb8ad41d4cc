//! Options of the engine.

use crate::Commutativity;

/// Which preference orders are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderChoice {
    /// All of them, in turns.
    Auto,
    /// One thread after the other.
    Sequential,
    /// The same, the last one first.
    Reversed,
    /// All threads in lockstep.
    Lockstep,
    /// The threads that compute one side of the assertion in lockstep with those of the other.
    Groups,
    /// Threads that wait come before those that they wait for; independent ones are in lockstep.
    Pipes,
    /// In lockstep, where the turn passes at accesses to memory.
    Accesses,
    /// All threads in lockstep, where the turn passes at outer loops only.
    Outer,
}

/// Options of the engine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which orders are tried.
    pub order: OrderChoice,
    /// When letters commute; nothing for what needs least first.
    pub commutativity: Option<Commutativity>,
    /// Are threads that every error needs followed alone where that is possible?
    pub membranes: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            order: OrderChoice::Auto,
            commutativity: None,
            membranes: true,
        }
    }
}
