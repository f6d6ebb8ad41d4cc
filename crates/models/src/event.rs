//! Events: what a thread does to memory that other threads may see.

use serde::{Deserialize, Serialize};
use std::fmt;
use xcfa::MemoryOrder;

/// An event, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventId(pub u32);

impl EventId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece of memory that is accessed as a whole, by number: see [`crate::Graph::locations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location(pub u32);

/// A read or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// Where.
    pub location: Location,
    /// What is read or written.
    pub value: u64,
    /// The order of an atomic access; a plain access has none.
    pub order: Option<MemoryOrder>,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Action {
    /// A read.
    Read(Access),
    /// A write.
    Write(Access),
    /// A fence.
    Fence(MemoryOrder),
    /// Takes this value from outside: an input, or whether a weak compare-exchange fails for no reason.
    Input(u64),
    /// Starts the thread with this number.
    Start(u32),
    /// A thread begins; its first event.
    Begin,
    /// A thread ends; its last event.
    End,
    /// Has waited for the thread with this number to end.
    Join(u32),
}

impl Action {
    /// The access, if it is one.
    pub fn access(&self) -> Option<&Access> {
        match self {
            Action::Read(access) | Action::Write(access) => Some(access),
            _ => None,
        }
    }

    /// Is it a read?
    pub fn is_read(&self) -> bool {
        matches!(self, Action::Read(_))
    }

    /// Is it a write?
    pub fn is_write(&self) -> bool {
        matches!(self, Action::Write(_))
    }

    /// The memory order of an atomic access or a fence.
    pub fn order(&self) -> Option<MemoryOrder> {
        match self {
            Action::Read(access) | Action::Write(access) => access.order,
            Action::Fence(order) => Some(*order),
            _ => None,
        }
    }
}

/// An event of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// Whose it is; `None` for the write that gives a location its first value.
    pub thread: Option<u32>,
    /// What happens.
    pub action: Action,
}

/// An event with the name of its location.
pub(crate) struct Shown<'a>(pub &'a Event, pub &'a [String]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(event, names) = self;
        let order = |order: Option<MemoryOrder>| order.map_or("plain", MemoryOrder::name);
        match event.thread {
            Some(thread) => write!(f, "thread {thread}: ")?,
            None => write!(f, "initially: ")?,
        }
        let name = |access: &Access| match names.get(access.location.0 as usize) {
            Some(name) => name.clone(),
            None => format!("location {}", access.location.0),
        };
        match &event.action {
            Action::Read(it) => {
                write!(f, "read {} = {} ({})", name(it), it.value, order(it.order))
            }
            Action::Write(it) if event.thread.is_none() => {
                write!(f, "{} = {}", name(it), it.value)
            }
            Action::Write(it) => {
                write!(f, "write {} = {} ({})", name(it), it.value, order(it.order))
            }
            Action::Fence(order) => write!(f, "fence ({})", order.name()),
            Action::Input(value) => write!(f, "input {value}"),
            Action::Start(thread) => write!(f, "start thread {thread}"),
            Action::Begin => f.write_str("begin"),
            Action::End => f.write_str("end"),
            Action::Join(thread) => write!(f, "join thread {thread}"),
        }
    }
}
