//! Globals to which threads only ever add constants.

use crate::held::Held;
use crate::lock::Lock;
use crate::program::Program;
use crate::values::{Site, Values, as_sum};

use expr::VarId;
use xcfa::{EdgeId, Label};

/// A label that adds a constant to a global.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// Its edge.
    pub edge: EdgeId,
    /// Which label of the edge.
    pub label: usize,
    /// The edge that reads the old value.
    pub read: EdgeId,
    /// The constant.
    pub step: u64,
}

/// Why no other thread writes between the read and the write of an update.
#[derive(Clone, Copy, Debug)]
pub enum Guard {
    /// Each is one atomic step.
    Atomic,
    /// All hold this lock.
    Lock(Lock),
}

/// The writes of a global once there are threads, if each adds a constant to what was read.
pub fn updates(
    program: &Program<'_>,
    values: &Values,
    alone: &[bool],
    var: VarId,
) -> Option<Vec<Update>> {
    let xcfa = program.xcfa;
    let mut found: Vec<Update> = Vec::new();
    for edge in xcfa.edge_ids() {
        let labels = &xcfa[edge].labels;
        let starts = labels.iter().any(|it| matches!(it, Label::Start { .. }));
        if alone[xcfa[edge].source.0 as usize] && !starts {
            continue;
        }
        for (label, it) in labels.iter().enumerate() {
            if it.defines() != Some(var) {
                continue;
            }
            let Label::Assign { .. } = it else {
                return None;
            };
            let (base, step) = as_sum(&values.terms, *values.evaluated(edge, label).first()?)?;
            let symbol = values.symbol(values.terms.as_var(base)?)?;
            let Site::Label(read, _) = symbol.site else {
                return None;
            };
            if symbol.var != var {
                return None;
            }
            found.push(Update {
                edge,
                label,
                read,
                step,
            });
        }
    }
    Some(found)
}

/// What makes the updates indivisible for each other, if anything does.
pub fn guard(
    program: &Program<'_>,
    held: &Held,
    atomic: &[bool],
    updates: &[Update],
) -> Option<Guard> {
    let one_step = |it: &Update| atomic[it.edge.0 as usize] && it.edge == it.read;
    if updates.iter().all(one_step) {
        return Some(Guard::Atomic);
    }
    let first = updates.first()?;
    let mut locks = held.during(program, first.edge).into_iter();
    let lock = locks.find(|lock| {
        lock.address().is_none()
            && lock.is_exclusive()
            && updates
                .iter()
                .all(|it| held.throughout(program, *lock, it.read, it.edge))
    })?;
    Some(Guard::Lock(lock))
}

/// Does each thread that runs the procedure of this edge take the edge at most once?
pub fn once_a_thread(program: &Program<'_>, edge: EdgeId) -> bool {
    let xcfa = program.xcfa;
    let proc = xcfa[xcfa[edge].source].proc;
    let mut labels = xcfa.edges.iter().flat_map(|edge| &edge.labels);
    let calls = labels.any(|label| matches!(label, Label::Call { .. }));
    !calls && program.threads.running(proc).eq([proc]) && !program.repeats(edge)
}
