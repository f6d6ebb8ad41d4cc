//! Which objects become variables, and why the others do not.

use super::access::{Access, Accesses, Kind};
use super::early::{Early, Range};
use super::home::{Home, Homes, Site};
use expr::ObjId;
use rustc_hash::FxHashSet;
use xcfa::{ObjectKind, Xcfa};

/// An object with more cells than this stays in memory.
pub(super) const MOST_CELLS: usize = 256;

/// What becomes of an object.
#[derive(Clone, Debug)]
pub(super) enum Fate {
    /// Its data become variables. Its locks, if it has some, stay where they are.
    Cells(Home),
    /// It stays in memory, for this reason.
    Memory(String),
    /// Nobody accesses or allocates it, or it is a function.
    Idle,
}

/// The fates of all objects.
pub(super) struct Fates<'a> {
    xcfa: &'a Xcfa,
    accesses: &'a Accesses,
    fates: Vec<Fate>,
    /// By object: the ranges that locks and condition variables take.
    locks: Vec<Vec<(u64, u64)>>,
}

impl<'a> Fates<'a> {
    pub(super) fn of(
        xcfa: &'a Xcfa,
        accesses: &'a Accesses,
        sizes: &[Option<u64>],
        sites: &[Vec<Site>],
        homes: &Homes<'_>,
        early: &Early<'_>,
    ) -> Fates<'a> {
        let locks = xcfa.obj_ids().map(|object| locks_of(accesses, object));
        let mut fates = Fates {
            xcfa,
            accesses,
            fates: Vec::new(),
            locks: locks.collect(),
        };
        for object in xcfa.obj_ids() {
            let idle = accesses.of_object(object).next().is_none()
                && sites[object.0 as usize].is_empty()
                || matches!(xcfa[object].kind, ObjectKind::Function(_));
            let fate = match sizes[object.0 as usize] {
                _ if idle => Fate::Idle,
                None => Fate::Memory("its size is not constant".into()),
                Some(_) => match homes.of(object) {
                    Ok(home) => fates.check(object, home, &sites[object.0 as usize], early),
                    Err(why) => Fate::Memory(why),
                },
            };
            fates.fates.push(fate);
        }
        fates.close();
        fates
    }

    /// What becomes of an object.
    pub(super) fn fate(&self, object: ObjId) -> &Fate {
        &self.fates[object.0 as usize]
    }

    /// Who has the object, if it becomes variables.
    pub(super) fn home(&self, object: ObjId) -> Option<&Home> {
        match self.fate(object) {
            Fate::Cells(home) => Some(home),
            _ => None,
        }
    }

    /// Is there a lock or condition variable in the object?
    pub(super) fn has_locks(&self, object: ObjId) -> bool {
        !self.locks[object.0 as usize].is_empty()
    }

    /// Does a load, store or free stay as it is?
    pub(super) fn stays(&self, access: &Access) -> bool {
        let in_memory = |object| matches!(self.fate(object), Fate::Memory(_));
        access.hits.iter().any(|hit| in_memory(hit.object)) || self.hits_locks(access)
    }

    fn hits_locks(&self, access: &Access) -> bool {
        let hits = access.hits.iter().filter(|hit| !hit.offsets.is_empty());
        matches!(access.kind, Kind::Load | Kind::Store)
            && hits.clone().next().is_some()
            && hits
                .clone()
                .all(|hit| self.in_locks(access, hit.object) == Some(true))
    }

    /// Is an access inside the locks of an object, or outside? `None` if it can be both.
    fn in_locks(&self, access: &Access, object: ObjId) -> Option<bool> {
        let locks = &self.locks[object.0 as usize];
        let end = |at: u64| at + access.bytes;
        let inside = |at: u64| locks.iter().any(|&(from, to)| from <= at && end(at) <= to);
        let outside = |at: u64| locks.iter().all(|&(from, to)| end(at) <= from || to <= at);
        let offsets = access.offsets_in(object);
        if offsets.iter().all(|&at| outside(at)) {
            return Some(false);
        }
        offsets.iter().all(|&at| inside(at)).then_some(true)
    }

    fn check(&self, object: ObjId, home: Home, sites: &[Site], early: &Early<'_>) -> Fate {
        for access in self.accesses.of_object(object) {
            if access.hits.iter().any(|hit| hit.too_many) || access.places() > MOST_CELLS {
                let why = format!("an access may hit more than {MOST_CELLS} places");
                return Fate::Memory(why);
            }
            if access.sort.width() % 8 != 0 {
                let why = format!("an access has {} bits", access.sort.width());
                return Fate::Memory(why);
            }
        }
        if self.cuts(object) > MOST_CELLS {
            return Fate::Memory(format!("it has more than {MOST_CELLS} cells"));
        }
        if !self.locks_start_free(object, &home, sites, early) {
            return Fate::Memory("a lock in it may be looked at before it is initialised".into());
        }
        Fate::Cells(home)
    }

    /// At how many places accesses start; no object has more cells than twice that.
    fn cuts(&self, object: ObjId) -> usize {
        let accesses = self.accesses.of_object(object);
        let offsets = accesses.flat_map(|access| access.offsets_in(object));
        let offsets: FxHashSet<u64> = offsets.copied().collect();
        offsets.len()
    }

    /// Are the locks of a fresh object as good as zero? Memory of its own would start as zero.
    fn locks_start_free(
        &self,
        object: ObjId,
        home: &Home,
        sites: &[Site],
        early: &Early<'_>,
    ) -> bool {
        self.locks[object.0 as usize].iter().all(|&(start, end)| {
            let loaded = self
                .accesses
                .of_object(object)
                .any(|access| access.kind == Kind::Load && access.touches(object, start, end));
            let range = Range { object, start, end };
            sites.iter().all(|&site| {
                home.allocated_once && (site.zeroed || !loaded) || !early.is_seen(home, site, range)
            })
        })
    }

    /// An access is to variables or to memory, never to both: what can be hit by an access to
    /// memory stays in memory.
    fn close(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for access in &self.accesses.all {
                if access.kind == Kind::Sync {
                    continue;
                }
                if let Some(why) = self.forced_to_memory(access) {
                    for hit in &access.hits {
                        let fate = &mut self.fates[hit.object.0 as usize];
                        if matches!(fate, Fate::Cells(_)) {
                            *fate = Fate::Memory(why.clone());
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    fn forced_to_memory(&self, access: &Access) -> Option<String> {
        for hit in &access.hits {
            if let Fate::Memory(_) = self.fate(hit.object) {
                let name = &self.xcfa[hit.object].name;
                return Some(format!("an access may hit it or `{name}`"));
            }
        }
        if !matches!(access.kind, Kind::Load | Kind::Store) {
            return None;
        }
        let mut sides = access
            .hits
            .iter()
            .map(|hit| self.in_locks(access, hit.object));
        let first = sides.next()?;
        let mixed = first.is_none() || sides.any(|side| side != first);
        mixed.then(|| "an access may hit a lock or data".into())
    }
}

/// The ranges that locks and condition variables take, merged and in order.
fn locks_of(accesses: &Accesses, object: ObjId) -> Vec<(u64, u64)> {
    let syncs = accesses
        .of_object(object)
        .filter(|access| access.kind == Kind::Sync);
    let mut ranges: Vec<(u64, u64)> = syncs
        .flat_map(|access| {
            access
                .offsets_in(object)
                .iter()
                .map(|&at| (at, at + access.bytes))
        })
        .collect();
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in ranges {
        match merged.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}
