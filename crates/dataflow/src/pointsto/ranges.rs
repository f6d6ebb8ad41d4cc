//! Sets of bytes of an object.

/// Ranges of offsets, in order and apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Is a byte of `start..end` among them?
    pub(super) fn touch(&self, start: i64, end: i64) -> bool {
        let at = self.0.partition_point(|range| range.1 <= start);
        self.0.get(at).is_some_and(|range| range.0 < end)
    }

    pub(super) fn add(&mut self, start: i64, end: i64) {
        let from = self.0.partition_point(|range| range.1 < start);
        let to = self.0.partition_point(|range| range.0 <= end);
        let merged = self.0[from..to.max(from)]
            .iter()
            .fold((start, end), |all, range| {
                (all.0.min(range.0), all.1.max(range.1))
            });
        self.0.splice(from..to.max(from), [merged]);
    }

    pub(super) fn remove(&mut self, start: i64, end: i64) {
        let cut = |&(from, to): &(i64, i64)| {
            let (before, after) = ((from, to.min(start)), (from.max(end), to));
            [before, after]
                .into_iter()
                .filter(|range| range.0 < range.1)
        };
        self.0 = self.0.iter().flat_map(cut).collect();
    }

    /// Adds all of `other`; is that news?
    pub(super) fn join(&mut self, other: &Ranges) -> bool {
        let before = self.clone();
        for &(start, end) in &other.0 {
            self.add(start, end);
        }
        *self != before
    }
}
