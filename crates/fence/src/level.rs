//! How strong an access or a fence can be.

use std::fmt;
use xcfa::MemoryOrder::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// What is done at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An atomic read.
    Load,
    /// An atomic write.
    Store,
    /// A read-modify-write; of a compare-exchange, the case in which it succeeds.
    Exchange,
    /// A compare-exchange that fails, which has an order of its own.
    Failure,
    /// A fence.
    Fence,
}

/// The order of a site; a fence may also be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub Option<MemoryOrder>);

const ABSENT: Level = Level(None);

const fn order(order: MemoryOrder) -> Level {
    Level(Some(order))
}

impl Kind {
    /// The levels that C has for it: none comes after one that is stronger.
    pub fn levels(self) -> &'static [Level] {
        const READ: &[Level] = &[order(Relaxed), order(Acquire), order(SeqCst)];
        const WRITE: &[Level] = &[order(Relaxed), order(Release), order(SeqCst)];
        const BOTH: &[Level] = &[
            order(Relaxed),
            order(Acquire),
            order(Release),
            order(AcqRel),
            order(SeqCst),
        ];
        const FENCE: &[Level] = &[
            ABSENT,
            order(Acquire),
            order(Release),
            order(AcqRel),
            order(SeqCst),
        ];
        match self {
            Kind::Load | Kind::Failure => READ,
            Kind::Store => WRITE,
            Kind::Exchange => BOTH,
            Kind::Fence => FENCE,
        }
    }

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::Exchange => "exchange",
            Kind::Failure => "failed exchange",
            Kind::Fence => "fence",
        }
    }
}

impl Level {
    /// The strongest of all.
    pub const STRONGEST: Level = order(SeqCst);

    /// Does it order strictly less than another? Two levels may be so in neither direction.
    pub fn is_weaker_than(self, other: Level) -> bool {
        let (Level(Some(here)), Level(Some(there))) = (self, other) else {
            return self == ABSENT && other != ABSENT;
        };
        match there {
            Relaxed => false,
            Acquire | Release => here == Relaxed,
            AcqRel => matches!(here, Relaxed | Acquire | Release),
            SeqCst => here != SeqCst,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.map_or("none", MemoryOrder::name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weaker_levels_come_first() {
        for kind in [
            Kind::Load,
            Kind::Store,
            Kind::Exchange,
            Kind::Failure,
            Kind::Fence,
        ] {
            let levels = kind.levels();
            assert_eq!(levels.last(), Some(&Level::STRONGEST));
            for (at, &level) in levels.iter().enumerate() {
                assert!(!level.is_weaker_than(level));
                let before = levels[..at].iter();
                assert!(
                    !before.clone().any(|&it| level.is_weaker_than(it)),
                    "{level}"
                );
            }
            assert!(levels[1..].iter().all(|&it| levels[0].is_weaker_than(it)));
        }
    }

    #[test]
    fn acquire_and_release_are_apart() {
        let (acquire, release) = (order(Acquire), order(Release));
        assert!(!acquire.is_weaker_than(release) && !release.is_weaker_than(acquire));
        assert!(ABSENT.is_weaker_than(order(Relaxed)));
    }
}
