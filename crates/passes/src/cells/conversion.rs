//! Which objects become variables, and why the others do not.

use super::access::{Access, Accesses, Kind};
use super::fresh_contents::{FreshContents, Range};
use super::owner::{Owner, Owners, Site};
use expr::ObjId;
use rustc_hash::FxHashSet;
use xcfa::{ObjectKind, Xcfa};

/// An object with more cells than this stays in memory.
pub(super) const MOST_CELLS: usize = 256;

/// What becomes of an object.
#[derive(Clone, Debug)]
pub(super) enum Conversion {
    /// Its data become variables. Its locks, if it has some, stay where they are.
    Cells(Owner),
    /// It stays in memory, for this reason.
    Memory(String),
    /// It is never accessed or allocated, or it is a function.
    Idle,
}

/// What becomes of each object.
pub(super) struct Conversions<'a> {
    xcfa: &'a Xcfa,
    accesses: &'a Accesses,
    conversions: Vec<Conversion>,
    /// By object that stays in memory: its owner, if it exists once and so has one address.
    placed: Vec<Option<Owner>>,
    /// By object: the ranges that locks and condition variables take.
    locks: Vec<Vec<(u64, u64)>>,
}

impl<'a> Conversions<'a> {
    pub(super) fn of(
        xcfa: &'a Xcfa,
        accesses: &'a Accesses,
        sizes: &[Option<u64>],
        sites: &[Vec<Site>],
        owners: &Owners<'_>,
        fresh_contents: &FreshContents<'_>,
    ) -> Conversions<'a> {
        let locks = xcfa.obj_ids().map(|object| locks_of(accesses, object));
        let mut conversions = Conversions {
            xcfa,
            accesses,
            conversions: Vec::new(),
            placed: Vec::new(),
            locks: locks.collect(),
        };
        for object in xcfa.obj_ids() {
            let idle = accesses.of_object(object).next().is_none()
                && sites[object.0 as usize].is_empty()
                || matches!(xcfa[object].kind, ObjectKind::Function(_));
            let conversion = match sizes[object.0 as usize] {
                _ if idle => Conversion::Idle,
                None => Conversion::Memory("its size is not constant".into()),
                Some(_) => match owners.of(object) {
                    Ok(owner) => {
                        conversions.check(object, owner, &sites[object.0 as usize], fresh_contents)
                    }
                    Err(why) => Conversion::Memory(why),
                },
            };
            conversions.conversions.push(conversion);
        }
        conversions.close();
        let placed = xcfa
            .obj_ids()
            .map(|object| match conversions.conversion(object) {
                // The end of an array of variable length is not followed.
                Conversion::Memory(_)
                    if xcfa[object].kind != ObjectKind::Stack || xcfa[object].size.is_some() =>
                {
                    owners.of(object).ok()
                }
                _ => None,
            });
        conversions.placed = placed.collect();
        conversions
    }

    pub(super) fn conversion(&self, object: ObjId) -> &Conversion {
        &self.conversions[object.0 as usize]
    }

    /// The owner of the object, if it becomes variables.
    pub(super) fn owner(&self, object: ObjId) -> Option<&Owner> {
        match self.conversion(object) {
            Conversion::Cells(owner) => Some(owner),
            _ => None,
        }
    }

    /// The owner of the object, if it stays in memory but exists once.
    pub(super) fn placed(&self, object: ObjId) -> Option<&Owner> {
        self.placed[object.0 as usize].as_ref()
    }

    /// Is there a lock or condition variable in the object?
    pub(super) fn has_locks(&self, object: ObjId) -> bool {
        !self.locks[object.0 as usize].is_empty()
    }

    /// Does a load, store or free stay as it is?
    pub(super) fn stays(&self, access: &Access) -> bool {
        let in_memory = |object| matches!(self.conversion(object), Conversion::Memory(_));
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

    fn check(
        &self,
        object: ObjId,
        owner: Owner,
        sites: &[Site],
        fresh_contents: &FreshContents<'_>,
    ) -> Conversion {
        for access in self.accesses.of_object(object) {
            let most = self.accesses.most_places;
            if access.hits.iter().any(|hit| hit.too_many) || access.places() > most {
                let why = format!("an access may hit more than {most} places");
                return Conversion::Memory(why);
            }
            if access.sort.width() % 8 != 0 {
                let why = format!("an access has {} bits", access.sort.width());
                return Conversion::Memory(why);
            }
        }
        if self.cuts(object) > MOST_CELLS {
            return Conversion::Memory(format!("it has more than {MOST_CELLS} cells"));
        }
        if !self.locks_start_free(object, &owner, sites, fresh_contents) {
            return Conversion::Memory(
                "a lock in it may be looked at before it is initialised".into(),
            );
        }
        Conversion::Cells(owner)
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
        owner: &Owner,
        sites: &[Site],
        fresh_contents: &FreshContents<'_>,
    ) -> bool {
        self.locks[object.0 as usize].iter().all(|&(start, end)| {
            let loaded = self
                .accesses
                .of_object(object)
                .any(|access| access.kind == Kind::Load && access.touches(object, start, end));
            let range = Range { object, start, end };
            sites.iter().all(|&site| {
                owner.allocated_once && (site.zeroed || !loaded)
                    || !fresh_contents.is_seen(owner, site, range)
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
                        let conversion = &mut self.conversions[hit.object.0 as usize];
                        if matches!(conversion, Conversion::Cells(_)) {
                            *conversion = Conversion::Memory(why.clone());
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    fn forced_to_memory(&self, access: &Access) -> Option<String> {
        for hit in &access.hits {
            if let Conversion::Memory(_) = self.conversion(hit.object) {
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
