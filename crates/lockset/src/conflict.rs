//! Which accesses of two steps conflict.

use crate::address_disjointness::{Access, size};
use crate::program::Program;
use dataflow::pointsto::Offset;
use dataflow::{Accesses, BitSet, SharedCell, Storage, Touch, touches};
use xcfa::EdgeId;

/// The data that a step accesses.
pub struct Touched {
    pub step: EdgeId,
    writes: BitSet,
    pub all: BitSet,
    /// The same, apart from what is used as a lock.
    plain_writes: BitSet,
    plain: BitSet,
}

/// The accesses of two steps that may conflict; none where one is not to memory.
pub fn conflicts(
    program: &Program<'_>,
    a: EdgeId,
    b: EdgeId,
) -> Vec<(Option<Access>, Option<Access>)> {
    let mut found = Vec::new();
    for (first, x) in shared_touches(program, a) {
        for (second, y) in shared_touches(program, b) {
            let conflicting = (x.write || y.write) && !(x.sync && y.sync);
            if conflicting && meet(x.place, y.place) {
                found.push((access(program, a, first, x), access(program, b, second, y)));
            }
        }
    }
    found
}

fn access(program: &Program<'_>, edge: EdgeId, label: usize, touch: Touch) -> Option<Access> {
    matches!(touch.place, Storage::Memory(..)).then(|| Access {
        edge,
        label,
        size: size(program, edge, label),
    })
}

fn shared_touches(program: &Program<'_>, edge: EdgeId) -> Vec<(usize, Touch)> {
    let labels = program.xcfa[edge].labels.iter().enumerate();
    let all = labels.flat_map(|(index, label)| {
        let touches = touches(program.xcfa, program.points_to, label);
        touches.into_iter().map(move |touch| (index, touch))
    });
    all.filter(|(_, touch)| program.sharing.is_shared(touch.place))
        .collect()
}

/// Have the two places a byte in common?
pub fn meet(a: Storage, b: Storage) -> bool {
    match (a, b) {
        (Storage::Var(a), Storage::Var(b)) => a == b,
        (Storage::Memory(a, a_size), Storage::Memory(b, b_size)) => {
            let bytes = match (a.offset, b.offset) {
                (Offset::At(x), Offset::At(y)) => {
                    x < y.saturating_add_unsigned(b_size) && y < x.saturating_add_unsigned(a_size)
                }
                _ => true,
            };
            a.object == b.object && bytes
        }
        _ => false,
    }
}

/// Is there something that one of them writes, other than a lock that both use as one?
pub fn conflict(a: &Touched, b: &Touched) -> bool {
    a.plain_writes.intersects(&b.all)
        || a.writes.intersects(&b.plain)
        || b.plain_writes.intersects(&a.all)
        || b.writes.intersects(&a.plain)
}

/// What a step accesses.
pub fn touched(accesses: &Accesses, step: EdgeId) -> Touched {
    let access = accesses.edge(step);
    let is_data = |cell: &usize| {
        matches!(
            accesses.cells()[*cell],
            SharedCell::Var(_) | SharedCell::Bytes(..) | SharedCell::Rest(_)
        )
    };
    let is_plain = |cell: &usize| !access.syncs.contains(*cell);
    let writes: BitSet = access.writes.iter().filter(is_data).collect();
    let mut all: BitSet = access.reads.iter().filter(is_data).collect();
    all.union_with(&writes);
    Touched {
        step,
        plain_writes: writes.iter().filter(is_plain).collect(),
        plain: all.iter().filter(is_plain).collect(),
        writes,
        all,
    }
}
