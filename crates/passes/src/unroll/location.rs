//! Copies of locations, and where edges between them lead.

use super::Unroller;
use xcfa::{EdgeId, LocId};

/// A copy of a location: in which activation, and after how many rounds of the loops around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnrolledLocation {
    pub(super) activation: usize,
    pub(super) loc: LocId,
    /// Rounds completed since the loop was entered, in the order of `Unroller::around`.
    pub(super) rounds: Box<[u32]>,
}

/// Where an edge leads.
pub(super) enum Next {
    To(UnrolledLocation),
    /// Into one round more than the limits allow.
    Unwound,
    /// Into one round more than a loop has by proof, or along an edge that is to be skipped.
    Never,
}

impl Unroller<'_> {
    pub(super) fn start(&self, activation: usize) -> UnrolledLocation {
        let loc = self.old[self.activations[activation].proc].init;
        let rounds = vec![0; self.around[loc.0 as usize].len()].into();
        UnrolledLocation {
            activation,
            loc,
            rounds,
        }
    }

    /// Where an edge of the original leads from a copy of its source.
    ///
    /// A loop that the edge enters starts with round 0, and one that contains both ends goes on,
    /// one round further over a back edge. Every cycle contains the first of its locations that
    /// a depth-first walk visits, which is the head of a loop around the whole cycle; so no cycle
    /// keeps all counts, and the result has none. That holds for irreducible loops as well.
    pub(super) fn next(&self, from: &UnrolledLocation, edge: EdgeId) -> Next {
        if self.limits.skipped.contains(&edge) {
            return Next::Never;
        }
        let target = self.old[edge].target;
        let before = &self.around[from.loc.0 as usize];
        let around = &self.around[target.0 as usize];
        let mut rounds = Vec::with_capacity(around.len());
        for &number in around {
            let inside = before.iter().position(|&other| other == number);
            let mut count = inside.map_or(0, |at| from.rounds[at]);
            let l = &self.loops.loops[number];
            if l.back_edges.contains(&edge) {
                count += 1;
                let (most, proven) = self.most_rounds(number);
                if count > most {
                    return if proven { Next::Never } else { Next::Unwound };
                }
            }
            rounds.push(count);
        }
        Next::To(UnrolledLocation {
            activation: from.activation,
            loc: target,
            rounds: rounds.into(),
        })
    }

    /// How many rounds a loop is unrolled, and whether it is proved to have no more.
    fn most_rounds(&self, number: usize) -> (u32, bool) {
        let l = &self.loops.loops[number];
        let wanted = self.limits.rounds_at.get(&l.head).copied();
        let wanted = wanted.unwrap_or(self.limits.rounds);
        match l.bound {
            Some(bound) if bound <= u64::from(wanted) => (bound as u32, true),
            _ => (wanted, false),
        }
    }

    /// The location of a place; a new one has its edges still to be copied.
    pub(super) fn loc_of(&mut self, place: UnrolledLocation) -> LocId {
        if let Some(&loc) = self.locs.get(&place) {
            return loc;
        }
        let activation = &self.activations[place.activation];
        let host = activation.host;
        let ends = self.old[activation.proc].exit == place.loc && activation.caller.is_none();
        let loc = if ends && self.old[place.loc].out.is_empty() {
            self.new[host].exit
        } else {
            let loc = self.new.add_loc(host);
            self.new[loc].error = self.old[place.loc].error;
            loc
        };
        self.locs.insert(place.clone(), loc);
        self.work.push_back(place);
        loc
    }
}
