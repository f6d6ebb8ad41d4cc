//! A lock of which every thread knows whether it holds it.
//!
//! The lock has one address, and every label that may change its words names it exactly, apart from
//! what `main` does before there are threads. On every path it is unlocked only by the thread that has taken
//! it. Then a thread is its holder wherever every path has locked it and has not unlocked it since:
//! at first it has no holder, locking needs that it is free, and no other thread unlocks it.
//! Conditions are not examined, so a lock that is taken under one is none of these.

use dataflow::pointsto::{Offset, Target};
use dataflow::{Analysed, Storage, touches};
use expr::{ObjId, Term};
use xcfa::{EdgeId, Label, LockMode, ObjectKind};

/// How a thread may have the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Has {
    Nothing,
    /// Taken in this mode.
    It(LockMode),
}

/// A lock with one address, and by location how a thread there may hold it.
pub struct Mutex<'a> {
    xcfa: &'a Analysed,
    at: Target,
    has: Vec<Vec<Has>>,
}

impl<'a> Mutex<'a> {
    /// The lock at this offset of an object; why it cannot be followed, if so.
    pub fn of(xcfa: &'a Analysed, (object, offset): (ObjId, i64)) -> Result<Mutex<'a>, String> {
        let known = (object.0 as usize) < xcfa.objects.len();
        if !known || !matches!(xcfa[object].kind, ObjectKind::Static { .. }) {
            return Err("the lock is not a static object".into());
        }
        let offset = Offset::At(offset);
        let mut mutex = Mutex {
            xcfa,
            at: Target { object, offset },
            has: vec![Vec::new(); xcfa.locs.len()],
        };
        mutex.follow()?;
        mutex.is_unlocked_by_holders()?;
        Ok(mutex)
    }

    /// Do threads that are about to take these steps exclude each other?
    pub fn excludes(&self, a: EdgeId, b: EdgeId) -> bool {
        let has = |edge: EdgeId| &self.has[self.xcfa[edge].source.0 as usize];
        has(a).iter().all(|&x| {
            has(b).iter().all(|&y| match (x, y) {
                (Has::It(x), Has::It(y)) => (x, y) != (LockMode::Read, LockMode::Read),
                _ => false,
            })
        })
    }

    /// Goes along all paths.
    fn follow(&mut self) -> Result<(), String> {
        let mut work = Vec::new();
        for proc in &self.xcfa.procs {
            self.has[proc.init.0 as usize].push(Has::Nothing);
            work.push((proc.init, Has::Nothing));
        }
        while let Some((loc, before)) = work.pop() {
            for &edge in &self.xcfa[loc].out {
                let labels = self.xcfa[edge].labels.iter();
                let after = labels
                    .clone()
                    .try_fold(before, |has, it| self.after(it, has))?;
                let target = self.xcfa[edge].target;
                let known = &mut self.has[target.0 as usize];
                if !known.contains(&after) {
                    known.push(after);
                    work.push((target, after));
                }
            }
        }
        Ok(())
    }

    fn after(&self, label: &Label, has: Has) -> Result<Has, String> {
        match label {
            Label::Lock { addr, mode } if self.may_change(label) => {
                let again = has == Has::It(LockMode::Read);
                if !self.is_exact(*addr) || self.kind() != Some(*mode == LockMode::Exclusive) {
                    return Err("another lock may overlap it, or it is taken in two ways".into());
                }
                match again {
                    true => Err("it may be taken for reading again and again".into()),
                    false => Ok(Has::It(*mode)),
                }
            }
            // What is called is followed by itself.
            Label::Call { .. } => Ok(Has::Nothing),
            _ if self.may_change(label) => Ok(Has::Nothing),
            _ => Ok(has),
        }
    }

    /// Is it a mutex, or a reader-writer lock? None if that is not clear.
    fn kind(&self) -> Option<bool> {
        let labels = self.xcfa.edges.iter().flat_map(|edge| &edge.labels);
        let mut kinds = labels.filter_map(|label| match label {
            Label::Lock { mode, .. } | Label::Unlock { mode, .. } if self.may_change(label) => {
                Some(*mode == LockMode::Exclusive)
            }
            _ => None,
        });
        let first = kinds.next()?;
        kinds.all(|kind| kind == first).then_some(first)
    }

    fn is_exact(&self, addr: Term) -> bool {
        self.xcfa.points_to().targets(self.xcfa, addr) == [self.at]
    }

    /// May the label change one of the eight bytes of a lock there?
    fn may_change(&self, label: &Label) -> bool {
        let Offset::At(start) = self.at.offset else {
            return true;
        };
        let lost = matches!(label, Label::Unlock { addr, .. }
            if self.xcfa.points_to().targets(self.xcfa, *addr).is_empty());
        let touched = touches(self.xcfa, self.xcfa.points_to(), label);
        let condition = label.is_signalling();
        let mut writes = touched.iter().filter(|touch| touch.write && !condition);
        lost || writes.any(|touch| match touch.place {
            Storage::Memory(target, size) if target.object == self.at.object => match target.offset
            {
                Offset::Any => true,
                Offset::At(at) => at < start + 8 && start < at.saturating_add_unsigned(size),
            },
            _ => false,
        })
    }

    /// Is it unlocked, or changed in another way, only by its holder, or before there are threads?
    fn is_unlocked_by_holders(&self) -> Result<(), String> {
        let alone = self.xcfa.before_threads();
        for edge in &self.xcfa.edges {
            let starts = |it: &Label| matches!(it, Label::Start { .. } | Label::Call { .. });
            if alone[edge.source.0 as usize] && !edge.labels.iter().any(starts) {
                continue;
            }
            for &before in &self.has[edge.source.0 as usize] {
                let mut has = before;
                for label in &edge.labels {
                    let takes = matches!(label, Label::Lock { .. });
                    let own = matches!(label, Label::Unlock { addr, .. } if self.is_exact(*addr));
                    if self.may_change(label) && !takes && !(own && has != Has::Nothing) {
                        return Err("it may be unlocked by a thread that has not locked it".into());
                    }
                    has = self.after(label, has)?;
                }
            }
        }
        Ok(())
    }
}
