//! Ways to use the threading library wrongly.

/// What a call of the threading library does that it must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Misuse {
    /// A lock is unlocked by a thread that does not hold it.
    UnlockNotHeld,
    /// A lock is locked by the thread that holds it, and no other thread can unlock it.
    Relock,
    /// A lock is destroyed that a thread holds.
    DestroyHeld,
    /// An object is destroyed that a thread waits on.
    DestroyAwaited,
    /// An object is initialised that a thread holds or waits on.
    InitInUse,
    /// An object is used that was never initialised.
    Uninitialised,
    /// An object is used after it was destroyed.
    Destroyed,
    /// A wait names a mutex that the thread does not hold.
    WaitNotHeld,
    /// Two threads wait on one condition variable with two mutexes.
    TwoMutexes,
    /// A barrier is made for no thread.
    BarrierOfNone,
    /// A semaphore is raised above the largest value.
    SemaphoreOverflow,
    /// A thread is joined that was joined already, or that another thread joins.
    JoinTwice,
    /// A thread is joined that was detached.
    JoinDetached,
    /// A thread joins itself.
    JoinSelf,
    /// A thread is detached that was detached already.
    DetachTwice,
    /// A thread is detached that was joined, or that another thread joins.
    DetachJoined,
}

impl Misuse {
    /// All of them.
    pub const ALL: [Misuse; 16] = [
        Misuse::UnlockNotHeld,
        Misuse::Relock,
        Misuse::DestroyHeld,
        Misuse::DestroyAwaited,
        Misuse::InitInUse,
        Misuse::Uninitialised,
        Misuse::Destroyed,
        Misuse::WaitNotHeld,
        Misuse::TwoMutexes,
        Misuse::BarrierOfNone,
        Misuse::SemaphoreOverflow,
        Misuse::JoinTwice,
        Misuse::JoinDetached,
        Misuse::JoinSelf,
        Misuse::DetachTwice,
        Misuse::DetachJoined,
    ];

    /// A short name, which the model of the library and reports for programs use.
    pub const fn name(self) -> &'static str {
        match self {
            Misuse::UnlockNotHeld => "unlock-not-held",
            Misuse::Relock => "relock",
            Misuse::DestroyHeld => "destroy-held",
            Misuse::DestroyAwaited => "destroy-awaited",
            Misuse::InitInUse => "init-in-use",
            Misuse::Uninitialised => "uninitialised",
            Misuse::Destroyed => "destroyed",
            Misuse::WaitNotHeld => "wait-not-held",
            Misuse::TwoMutexes => "two-mutexes",
            Misuse::BarrierOfNone => "barrier-of-none",
            Misuse::SemaphoreOverflow => "semaphore-overflow",
            Misuse::JoinTwice => "join-twice",
            Misuse::JoinDetached => "join-detached",
            Misuse::JoinSelf => "join-self",
            Misuse::DetachTwice => "detach-twice",
            Misuse::DetachJoined => "detach-joined",
        }
    }

    /// The one with this short name.
    pub fn named(name: &str) -> Option<Misuse> {
        Misuse::ALL.into_iter().find(|it| it.name() == name)
    }

    /// What the call does to an object, as the end of a sentence.
    pub fn words(self, object: &str) -> String {
        match self {
            Misuse::UnlockNotHeld => format!("unlocks {object}, which the thread does not hold"),
            Misuse::Relock => {
                format!("locks {object}, which the thread holds: it waits for itself for ever")
            }
            Misuse::DestroyHeld => format!("destroys {object}, which is held"),
            Misuse::DestroyAwaited => format!("destroys {object}, on which a thread waits"),
            Misuse::InitInUse => format!("initialises {object}, which is in use"),
            Misuse::Uninitialised => format!("uses {object}, which was never initialised"),
            Misuse::Destroyed => format!("uses {object}, which was destroyed"),
            Misuse::WaitNotHeld => format!("waits with {object}, which the thread does not hold"),
            Misuse::TwoMutexes => {
                format!("waits on {object} with another mutex than a thread that waits already")
            }
            Misuse::BarrierOfNone => "makes a barrier for no thread".to_owned(),
            Misuse::SemaphoreOverflow => format!("raises {object} above the largest value"),
            Misuse::JoinTwice => {
                "joins a thread that was joined, or that another thread joins".to_owned()
            }
            Misuse::JoinDetached => "joins a thread that was detached".to_owned(),
            Misuse::JoinSelf => "joins the thread that calls it".to_owned(),
            Misuse::DetachTwice => "detaches a thread that was detached".to_owned(),
            Misuse::DetachJoined => {
                "detaches a thread that was joined, or that another thread joins".to_owned()
            }
        }
    }

    /// Is it about a thread, or about no object at all?
    pub const fn has_no_object(self) -> bool {
        matches!(
            self,
            Misuse::BarrierOfNone
                | Misuse::JoinTwice
                | Misuse::JoinDetached
                | Misuse::JoinSelf
                | Misuse::DetachTwice
                | Misuse::DetachJoined
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_misuse_has_a_name_of_its_own() {
        for misuse in Misuse::ALL {
            assert_eq!(Misuse::named(misuse.name()), Some(misuse));
        }
        assert_eq!(Misuse::named("lock"), None);
    }
}
