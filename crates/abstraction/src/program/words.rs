//! Locks as variables.
//!
//! After memory has become variables, only the words of locks are left in it. Each of them becomes
//! a variable as well, made when it is first needed. An address can mean several of them, each
//! under the condition that the address is the word's.

use dataflow::PointsTo;
use dataflow::pointsto::Offset;
use expr::{ObjId, Term, VarId};
use passes::Unsupported;
use rustc_hash::FxHashMap;
use xcfa::{ObjectKind, Span, Xcfa};

/// At most this many words can be meant by one address.
const MOST_WORDS: usize = 64;

/// The words that are variables, and the objects that they are in.
pub(super) struct Words<'a> {
    pub xcfa: &'a Xcfa,
    points_to: PointsTo,
    pub vars: FxHashMap<(ObjId, u64), VarId>,
    /// Objects of which words are read as numbers.
    pub loaded: Vec<ObjId>,
}

/// A word that an address can mean, and when it does.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub here: Term,
    pub var: VarId,
}

impl<'a> Words<'a> {
    pub fn new(xcfa: &'a Xcfa, points_to: PointsTo) -> Words<'a> {
        Words {
            xcfa,
            points_to,
            vars: FxHashMap::default(),
            loaded: Vec::new(),
        }
    }

    /// Words at this address are read as numbers.
    pub fn note_load(&mut self, addr: Term) {
        let objects = self.points_to.objects(self.xcfa, addr);
        self.loaded.extend(objects);
    }

    /// The words that `addr + shift` can mean, by object and place in it.
    pub fn places(
        &self,
        addr: Term,
        shift: u64,
        span: Span,
    ) -> Result<Vec<(ObjId, u64)>, Unsupported> {
        let mut places = Vec::new();
        for target in self.points_to.targets(self.xcfa, addr) {
            let size = self.xcfa[target.object].size;
            match (target.offset, size) {
                (Offset::At(at), _) => {
                    if let Ok(at) = u64::try_from(at) {
                        places.push((target.object, at + shift));
                    }
                }
                (Offset::Any, Some(size)) => {
                    let starts = (0..size.saturating_sub(3)).step_by(4);
                    places.extend(starts.map(|at| (target.object, at)));
                }
                (Offset::Any, None) => {
                    return Err(Unsupported::at(span, "a lock in memory of unknown size"));
                }
            }
        }
        places.retain(|&(object, at)| self.holds_word(object, at));
        places.sort_unstable();
        places.dedup();
        if places.is_empty() || places.len() > MOST_WORDS {
            return Err(Unsupported::at(span, "it is not clear which lock is meant"));
        }
        match places.iter().all(|&(_, at)| at.is_multiple_of(4)) {
            true => Ok(places),
            false => Err(Unsupported::at(span, "a lock that is not aligned")),
        }
    }

    fn holds_word(&self, object: ObjId, at: u64) -> bool {
        let object = &self.xcfa[object];
        !matches!(object.kind, ObjectKind::Function(_))
            && object.size.is_none_or(|size| at + 4 <= size)
    }

    /// What a word holds at the start; bytes that no initialiser names are zero.
    pub fn initial_bits(&self, object: ObjId, at: u64, span: Span) -> Result<u64, Unsupported> {
        let ObjectKind::Static { init } = &self.xcfa[object].kind else {
            return Ok(0);
        };
        let mut bits = 0;
        for &(offset, term) in init {
            let bytes = self.xcfa.terms.bytes(term);
            if offset + bytes <= at || at + 4 <= offset {
                continue;
            }
            let Some(value) = self.xcfa.terms.as_const(term) else {
                let what = "a lock whose first value is an address";
                return Err(Unsupported::at(span, what));
            };
            for byte in 0..bytes {
                if (at..at + 4).contains(&(offset + byte)) {
                    bits |= (value >> (8 * byte) & 0xff) << (8 * (offset + byte - at));
                }
            }
        }
        Ok(bits)
    }
}
