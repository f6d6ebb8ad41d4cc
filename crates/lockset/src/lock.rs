//! A lock that a thread holds.

use expr::{ObjId, Term};
use xcfa::LockMode;

/// Which lock it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identity {
    /// The one at this offset of an object that exists once.
    Name(ObjId, i64),
    /// The one at this address, a term over what the thread knows.
    Address(Term),
}

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock {
    /// Which lock it is.
    pub identity: Identity,
    /// How it is held.
    pub mode: LockMode,
}

impl Lock {
    /// Its address, if it has no name.
    pub fn address(self) -> Option<Term> {
        match self.identity {
            Identity::Name(..) => None,
            Identity::Address(term) => Some(term),
        }
    }

    /// Is there at most one holder?
    pub fn is_exclusive(self) -> bool {
        self.mode != LockMode::Read
    }

    /// Does an unlock of this mode release a lock that is held in that one?
    pub fn is_unlocked_by(self, mode: LockMode) -> bool {
        of_readers(self.mode) == of_readers(mode)
    }
}

/// Is it a mode of reader-writer locks?
pub fn of_readers(mode: LockMode) -> bool {
    mode != LockMode::Exclusive
}

/// How many bytes a lock of this mode reads.
pub fn bytes(mode: LockMode) -> u64 {
    if of_readers(mode) { 8 } else { 4 }
}

/// A lock with a name that two threads hold, but cannot hold at the same time.
pub fn excluding<'a>(
    held: impl IntoIterator<Item = &'a Lock>,
    other: impl IntoIterator<Item = &'a Lock> + Clone,
) -> Option<Lock> {
    let mut named = held
        .into_iter()
        .filter(|lock| matches!(lock.identity, Identity::Name(..)));
    let found = named.find(|lock| {
        let mut others = other.clone().into_iter();
        others.any(|same| {
            lock.identity == same.identity && (lock.is_exclusive() || same.is_exclusive())
        })
    });
    found.copied()
}
