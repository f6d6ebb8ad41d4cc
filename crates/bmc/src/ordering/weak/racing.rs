//! Data races: pairs of accesses that the model's happens-before does not order.
//!
//! The formula says that both accesses of a pair happen. Whether the model orders them is asked about each execution that is
//! found; the reasons why it does become a clause about this pair.

use super::execution::Execution;
use crate::ordering::emitter::{Emitter, Place};
use expr::{Term, VarId};
use models::EventId;
use rustc_hash::FxHashMap;
use sat::Lit;
use std::collections::BTreeMap;
use verdict::Reason;

/// More pairs than this are not looked at.
const MOST_PAIRS: usize = 400_000;

/// Two accesses that conflict and that no execution orders by starting and joining threads.
#[derive(Clone, Copy, Debug)]
pub struct Racing {
    /// Says that both happen.
    pub lit: Lit,
    pub accesses: [Accessed; 2],
}

/// A read or a write of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accessed {
    Read(usize),
    Write(usize),
}

/// An access to a cell.
#[derive(Clone)]
pub(super) struct OfCell {
    pub accessed: Accessed,
    pub place: Place,
    pub guard: Term,
}

impl OfCell {
    fn is_write(&self) -> bool {
        matches!(self.accessed, Accessed::Write(_))
    }
}

impl Emitter<'_> {
    /// By cell: what accesses it. Reads that are settled are left out: all writes to their cells come before or after them
    /// anyway.
    fn accesses(&self) -> BTreeMap<VarId, Vec<OfCell>> {
        let mut cells: BTreeMap<VarId, Vec<OfCell>> = BTreeMap::new();
        let reads = self.events.reads.iter().enumerate();
        let reads = reads.map(|(at, read)| OfCell {
            accessed: Accessed::Read(at),
            place: (read.node, read.cell),
            guard: read.guard,
        });
        let writes = self.events.writes.iter().enumerate();
        let writes = writes.map(|(at, write)| OfCell {
            accessed: Accessed::Write(at),
            place: (write.node, write.cell),
            guard: write.guard,
        });
        for access in reads.chain(writes) {
            cells.entry(access.place.1).or_default().push(access);
        }
        cells
    }

    /// Pairs of accesses to the same memory, one a write, whose order is open.
    pub(super) fn conflicts(&self) -> Result<Vec<(OfCell, OfCell)>, Reason> {
        let mut pairs = Vec::new();
        for accesses in self.accesses().into_values() {
            for (at, one) in accesses.iter().enumerate() {
                for two in &accesses[at + 1..] {
                    let (a, b) = (one.place.0, two.place.0);
                    let statics = &self.events.statics;
                    if (one.is_write() || two.is_write())
                        && a != b
                        && !statics.before(a, b)
                        && !statics.before(b, a)
                    {
                        pairs.push((one.clone(), two.clone()));
                    }
                }
            }
            if pairs.len() > MOST_PAIRS {
                let what = "very many accesses to the same memory, under a weak memory model";
                return Err(Reason::unsupported(what));
            }
        }
        Ok(pairs)
    }

    /// By access: whether a step is taken that makes it. A thread that is blocked has looked at what it waits for, and that is
    /// no event.
    pub(super) fn taken(&mut self) -> Result<FxHashMap<Place, Lit>, Reason> {
        let mut taken = FxHashMap::default();
        for step in &self.events.steps {
            let Some(node) = step.node.filter(|_| !step.touched.is_empty()) else {
                continue;
            };
            let goes = self.lit(step.guard)?;
            for touched in &step.touched {
                let here = self.lit(touched.here)?;
                let both = self.blaster.gates.and(goes, here);
                let known = taken.entry((node, touched.cell)).or_insert(Lit::FALSE);
                *known = self.blaster.gates.or(*known, both);
            }
        }
        Ok(taken)
    }

    /// Do both accesses happen?
    pub(super) fn both(
        &mut self,
        taken: &FxHashMap<Place, Lit>,
        one: &OfCell,
        two: &OfCell,
    ) -> Result<Lit, Reason> {
        let mut both = Lit::TRUE;
        for access in [one, two] {
            let guard = self.lit(access.guard)?;
            let taken = taken.get(&access.place).copied().unwrap_or(Lit::FALSE);
            let happens = self.blaster.gates.and(guard, taken);
            both = self.blaster.gates.and(both, happens);
        }
        Ok(both)
    }

    /// The pairs that may race.
    pub(super) fn racing(&mut self) -> Result<Vec<Racing>, Reason> {
        let taken = self.taken()?;
        let mut racing = Vec::new();
        for (one, two) in self.conflicts()? {
            if self.is_atomic(one.place) && self.is_atomic(two.place) {
                continue;
            }
            let lit = self.both(&taken, &one, &two)?;
            let choice = self.blaster.gates.input();
            racing.push(Racing {
                lit: self.blaster.gates.and(lit, choice),
                accesses: [one.accessed, two.accessed],
            });
        }
        Ok(racing)
    }

    /// Is every access at this place atomic?
    fn is_atomic(&self, (node, cell): Place) -> bool {
        let steps = self.events.steps.iter();
        let mut here = steps.filter(|step| step.node == Some(node));
        here.all(|step| {
            let mut touched = step.touched.iter().filter(|it| it.cell == cell);
            touched.all(|it| it.atomic)
        })
    }
}

impl Execution {
    /// The event that this access has become.
    pub(super) fn event_of(&self, accessed: Accessed) -> Option<EventId> {
        let mut ids = self.graph.ids();
        ids.find(|id| {
            let origin = self.origins[id.index()];
            match accessed {
                Accessed::Read(at) => origin.read == Some(at),
                Accessed::Write(at) => origin.write == Some(at),
            }
        })
    }
}
