//! What a step is for a memory model: its events, in order.
//!
//! The one definition that both the search for execution graphs and the check of a graph use. What has no
//! meaning under weak memory (atomic sections, condition variables, reader-writer locks) is refused here.

use crate::{Access, Cell, Machine, State, Tid};
use models::MemoryOrder;
use xcfa::{Edge, EdgeId, Label, LockMode};

/// An event of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Takes a value from outside.
    Input(u64),
    /// Reads a cell; the graph says what it finds.
    Read {
        /// The cell.
        cell: Cell,
        /// The order of an atomic access.
        order: Option<MemoryOrder>,
    },
    /// Writes a cell.
    Write {
        /// The cell.
        cell: Cell,
        /// What is written.
        value: u64,
        /// The order of an atomic access.
        order: Option<MemoryOrder>,
        /// Is it the write of a read-modify-write, right after its read?
        exchange: bool,
    },
    /// A fence.
    Fence(MemoryOrder),
    /// Starts this thread.
    Start(u32),
    /// Has waited for this thread.
    Join(u32),
    /// The thread ends.
    End,
}

/// What a host has seen of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen<'a> {
    /// The accesses, in order.
    pub accesses: &'a [Access],
    /// The thread that it has joined.
    pub joined: Option<Tid>,
    /// The values from outside.
    pub inputs: &'a [u64],
    /// The number of the thread that it starts, if it starts one.
    pub started: u32,
}

/// What a memory order that is not constant is called.
const UNKNOWN_ORDER: &str = "a memory order that is not constant";

/// Is the step a fence?
pub fn is_fence(edge: &Edge) -> bool {
    edge.atomic && edge.labels.is_empty()
}

/// Is the step a lock (`true`) or an unlock (`false`)?
fn lock_of(edge: &Edge) -> Option<bool> {
    edge.labels.iter().find_map(|label| match label {
        Label::Lock { .. } => Some(true),
        Label::Unlock { .. } => Some(false),
        _ => None,
    })
}

/// Refuses what has no meaning under weak memory.
fn check_labels(edge: &Edge) -> Result<(), &'static str> {
    for label in &edge.labels {
        return Err(match label {
            Label::AtomicBegin | Label::AtomicEnd => "an atomic section",
            it if it.is_signalling() => "a condition variable",
            Label::Lock { mode, .. } | Label::Unlock { mode, .. }
                if *mode != LockMode::Exclusive =>
            {
                "a reader-writer lock"
            }
            _ => continue,
        });
    }
    Ok(())
}

impl Machine<'_> {
    /// The cell that a step reads first, if it reads one; `accesses` are what a host has seen of it, as far as
    /// it came. A lock is taken by reading it.
    pub fn first_read(
        &self,
        edge: EdgeId,
        accesses: &[Access],
    ) -> Result<Option<Cell>, &'static str> {
        let edge = &self.xcfa[edge];
        check_labels(edge)?;
        if frees(edge) {
            return Ok(None);
        }
        let mut all = accesses.iter();
        let is_read = |access: &&Access| !access.write || lock_of(edge) == Some(true);
        let Some(first) = all.next().filter(is_read) else {
            return Ok(None);
        };
        match all.any(|other| !other.write && other.cell != first.cell) {
            true => Err("a step that reads twice"),
            false => Ok(Some(first.cell)),
        }
    }

    /// The events of a step that has led to the state `after`; in one that is not followed, what that is.
    pub fn effects(
        &self,
        edge: EdgeId,
        seen: &Seen<'_>,
        after: &State,
    ) -> Result<Vec<Effect>, &'static str> {
        let mut effects = self.effects_before_writing(edge, seen)?;
        let edge = &self.xcfa[edge];
        for label in &edge.labels {
            match label {
                Label::Start { .. } => effects.push(Effect::Start(seen.started)),
                Label::Join { .. } => {
                    let joined = seen.joined.ok_or("a join of what is no thread")?;
                    effects.push(Effect::Join(joined.0));
                }
                Label::ThreadExit(_) => effects.push(Effect::End),
                _ => {}
            }
        }
        let reads = effects.iter().any(|it| matches!(it, Effect::Read { .. }));
        let mut writes = seen.accesses.iter().filter(|it| it.write && !frees(edge));
        if let Some(access) = writes.next() {
            let value = self.peek(after, access.cell);
            effects.push(Effect::Write {
                cell: access.cell,
                value: value.ok_or("a write of more than a word")?,
                order: order_of(edge, access, Side::Write)?,
                exchange: reads && (edge.atomic || lock_of(edge).is_some()),
            });
        }
        match writes.next() {
            Some(_) => Err("a step that writes twice"),
            None => Ok(effects),
        }
    }

    /// The inputs, reads and fences of a step: what comes before its writes.
    pub fn effects_before_writing(
        &self,
        edge: EdgeId,
        seen: &Seen<'_>,
    ) -> Result<Vec<Effect>, &'static str> {
        let read = self.first_read(edge, seen.accesses)?;
        let edge = &self.xcfa[edge];
        let mut effects: Vec<Effect> = seen.inputs.iter().map(|it| Effect::Input(*it)).collect();
        if is_fence(edge) {
            effects.push(Effect::Fence(edge.order.ok_or(UNKNOWN_ORDER)?));
        }
        if let (Some(cell), Some(access)) = (read, seen.accesses.first()) {
            let order = order_of(edge, access, Side::Read)?;
            effects.push(Effect::Read { cell, order });
        }
        Ok(effects)
    }

    /// The bytes that a step has made and set to zero.
    pub fn zeroed_by(&self, edge: EdgeId, tid: Tid, after: &State) -> Option<(u64, u64)> {
        let labels = self.xcfa[edge].labels.iter();
        let var = labels.rev().find_map(|label| match label {
            Label::Alloc { var, zeroed, .. } => zeroed.then_some(*var),
            _ => None,
        })?;
        let instance = after.memory.instance_at(self.value(after, tid, var))?;
        Some((instance.base, instance.size))
    }
}

/// Does the step free memory? That is no event of its own: a graph may have writes that stand for it.
pub(crate) fn frees(edge: &Edge) -> bool {
    edge.labels.iter().any(|it| matches!(it, Label::Free(_)))
}

/// A half of a read-modify-write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Read,
    Write,
}

/// The memory order of an access: locks acquire, unlocks release.
fn order_of(edge: &Edge, access: &Access, side: Side) -> Result<Option<MemoryOrder>, &'static str> {
    let order = match lock_of(edge) {
        Some(true) => MemoryOrder::Acquire,
        Some(false) => MemoryOrder::Release,
        None if !access.atomic => return Ok(None),
        None => edge.order.ok_or(UNKNOWN_ORDER)?,
    };
    Ok(Some(match side {
        Side::Read => order.of_read(),
        Side::Write => order.of_write(),
    }))
}
