//! Locks as variables.
//!
//! After memory has become variables, only the words of locks are left in it. Each of them becomes
//! a variable as well, and what a lock does becomes an ordinary step: wait until the owner's word
//! is 0, then set it. Addresses become the numbers that they are in the machine's layout, so that
//! whatever is known about a pointer folds to a constant.
//!
//! Objects that could not become variables may be given up: what is read from them is arbitrary,
//! what is written to them is lost, and so is the address of a heap object. The result then has
//! more runs than the program.
//!
//! Condition variables have no contents. Where wake-ups may be spurious a wait never blocks, so
//! they disappear; this is what `reach` allows, and the only use that is made of this module.

use expr::{Node, ObjId, Op, Sort, Term, VarId};
use passes::pointsto::Offset;
use passes::{PointsTo, Unsupported};
use rustc_hash::FxHashMap;
use xcfa::{HavocOrigin, Label, LockMode, ObjectKind, Scope, Span, Var, Xcfa};

/// At most so many words can be meant by one address.
const MOST_WORDS: usize = 64;

/// A program without memory.
pub struct Flat {
    /// The program; its edges keep their numbers.
    pub xcfa: Xcfa,
    /// Variables whose first value is arbitrary.
    pub arbitrary: Vec<VarId>,
    /// Addresses of objects.
    pub bases: FxHashMap<ObjId, u64>,
    /// Numbers of the variables that memory has become.
    pub made: std::ops::Range<u32>,
}

/// Turns the words of locks into variables. `original` is the program before its memory became
/// variables; the contents of objects that are `given_up` are arbitrary.
pub fn flatten(xcfa: &Xcfa, original: &Xcfa, given_up: &[ObjId]) -> Result<Flat, Unsupported> {
    let was_static = |object: ObjId| matches!(original[object].kind, ObjectKind::Static { .. });
    let mut words = Words {
        points_to: PointsTo::of(xcfa),
        old: xcfa,
        new: xcfa.clone(),
        words: FxHashMap::default(),
        loaded: Vec::new(),
        given_up,
    };
    for edge in xcfa.edge_ids() {
        let mut labels = Vec::new();
        for label in &xcfa[edge].labels {
            words.label(label, xcfa[edge].span, &mut labels)?;
        }
        words.new[edge].labels = labels;
    }
    let mut arbitrary = Vec::new();
    for (&(object, _), &var) in &words.words {
        if words.loaded.contains(&object) && !was_static(object) {
            arbitrary.push(var);
        }
    }
    arbitrary.sort_unstable();
    let mut xcfa = words.new;
    let bases = fix_addresses(&mut xcfa);
    let made = original.vars.len() as u32..xcfa.vars.len() as u32;
    Ok(Flat {
        xcfa,
        arbitrary,
        bases,
        made,
    })
}

struct Words<'a> {
    old: &'a Xcfa,
    new: Xcfa,
    points_to: PointsTo,
    words: FxHashMap<(ObjId, u64), VarId>,
    /// Objects of which words are read as numbers.
    loaded: Vec<ObjId>,
    given_up: &'a [ObjId],
}

/// A word that an address can mean, and when it does.
#[derive(Clone, Copy)]
struct Candidate {
    here: Term,
    var: VarId,
}

impl Words<'_> {
    fn label(
        &mut self,
        label: &Label,
        span: Span,
        out: &mut Vec<Label>,
    ) -> Result<(), Unsupported> {
        if !self.given_up.is_empty() && self.forget(label, span, out)? {
            return Ok(());
        }
        match label {
            Label::Lock { addr, mode } => self.lock(*addr, *mode, span, out),
            Label::Unlock { addr, mode } => self.unlock(*addr, *mode, span, out),
            Label::Load { var, addr } => {
                self.check_word(self.old[*var].sort, span)?;
                let objects = self.points_to.objects(self.old, *addr);
                self.loaded.extend(objects);
                let words = self.candidates(*addr, 0, span, out)?;
                let value = self.read(&words);
                out.push(Label::Assign { var: *var, value });
                Ok(())
            }
            Label::Store { addr, value } => {
                self.check_word(self.old.terms.sort(*value), span)?;
                let words = self.candidates(*addr, 0, span, out)?;
                self.write(&words, *value, out);
                Ok(())
            }
            Label::Wait { .. } | Label::AwaitSignal { .. } | Label::Signal { .. } => Ok(()),
            Label::Alloc { .. } | Label::Free(_) | Label::Dealloc(_) | Label::Call { .. } => {
                let what = "memory that could not be turned into variables";
                Err(Unsupported::at(span, what))
            }
            other => {
                out.push(other.clone());
                Ok(())
            }
        }
    }

    /// Deals with what is done to objects that are given up; was it that?
    fn forget(
        &mut self,
        label: &Label,
        span: Span,
        out: &mut Vec<Label>,
    ) -> Result<bool, Unsupported> {
        let anything = |var: VarId| Label::Havoc {
            var,
            origin: HavocOrigin::Uninitialised,
        };
        let objects = match label {
            Label::Alloc { object, .. } | Label::Dealloc(object) => vec![*object],
            Label::Load { addr, .. }
            | Label::Store { addr, .. }
            | Label::Free(addr)
            | Label::Lock { addr, .. }
            | Label::Unlock { addr, .. } => self.points_to.objects(self.old, *addr),
            _ => return Ok(false),
        };
        let lost = objects
            .iter()
            .filter(|object| self.given_up.contains(object));
        let lost = lost.count();
        if lost == 0 {
            return Ok(false);
        }
        match label {
            Label::Alloc { var, .. } | Label::Load { var, .. } => out.push(anything(*var)),
            Label::Dealloc(_) => {}
            Label::Store { .. } | Label::Free(_) if lost == objects.len() => {}
            _ => {
                let what = "a lock may be in memory that could not be turned into variables";
                return Err(Unsupported::at(span, what));
            }
        }
        Ok(true)
    }

    fn check_word(&self, sort: Sort, span: Span) -> Result<(), Unsupported> {
        match sort {
            Sort::Bv(32) => Ok(()),
            _ => Err(Unsupported::at(
                span,
                "a lock is accessed as something else than its words",
            )),
        }
    }

    fn lock(
        &mut self,
        addr: Term,
        mode: LockMode,
        span: Span,
        out: &mut Vec<Label>,
    ) -> Result<(), Unsupported> {
        let owners = self.candidates(addr, 0, span, out)?;
        let owner = self.read(&owners);
        let zero = self.new.terms.bv(32, 0);
        let free = self.new.terms.eq(owner, zero);
        out.push(Label::Await(free));
        let handle = self.new.read(self.old.self_var);
        let handle = self.new.terms.resize(handle, 32, false);
        match mode {
            LockMode::Exclusive => self.write(&owners, handle, out),
            LockMode::Write => {
                let readers = self.candidates(addr, 4, span, out)?;
                let count = self.read(&readers);
                let free = self.new.terms.eq(count, zero);
                out.push(Label::Await(free));
                self.write(&owners, handle, out);
            }
            LockMode::Read => {
                let readers = self.candidates(addr, 4, span, out)?;
                let count = self.read(&readers);
                let one = self.new.terms.bv(32, 1);
                let more = self.new.terms.add(count, one);
                self.write(&readers, more, out);
            }
        }
        Ok(())
    }

    fn unlock(
        &mut self,
        addr: Term,
        mode: LockMode,
        span: Span,
        out: &mut Vec<Label>,
    ) -> Result<(), Unsupported> {
        let owners = self.candidates(addr, 0, span, out)?;
        let zero = self.new.terms.bv(32, 0);
        if mode == LockMode::Exclusive {
            self.write(&owners, zero, out);
            return Ok(());
        }
        let readers = self.candidates(addr, 4, span, out)?;
        let (owner, count) = (self.read(&owners), self.read(&readers));
        let owned = self.new.terms.ne(owner, zero);
        let none = self.new.terms.eq(count, zero);
        let one = self.new.terms.bv(32, 1);
        let fewer = self.new.terms.binary(Op::Sub, count, one);
        let unchanged = self.new.terms.or(owned, none);
        let left = self.new.terms.ite(unchanged, count, fewer);
        self.write(&readers, left, out);
        self.write(&owners, zero, out);
        Ok(())
    }

    fn read(&mut self, words: &[Candidate]) -> Term {
        let (last, rest) = words
            .split_last()
            .expect("an address means at least one word");
        let mut value = self.new.read(last.var);
        for word in rest.iter().rev() {
            let read = self.new.read(word.var);
            value = self.new.terms.ite(word.here, read, value);
        }
        value
    }

    fn write(&mut self, words: &[Candidate], value: Term, out: &mut Vec<Label>) {
        for word in words {
            let value = match words.len() {
                1 => value,
                _ => {
                    let before = self.new.read(word.var);
                    self.new.terms.ite(word.here, value, before)
                }
            };
            out.push(Label::Assign {
                var: word.var,
                value,
            });
        }
    }

    /// The words that `addr + shift` can mean. An address that means none of them is not one of a
    /// lock: the run ends there.
    fn candidates(
        &mut self,
        addr: Term,
        shift: u64,
        span: Span,
        out: &mut Vec<Label>,
    ) -> Result<Vec<Candidate>, Unsupported> {
        let mut places = Vec::new();
        for target in self.points_to.targets(self.old, addr) {
            let size = self.old[target.object].size;
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
        let mut found = Vec::new();
        let mut any = self.new.terms.bool(false);
        let width = self.old.pointer_bits();
        for (object, at) in places {
            if at % 4 != 0 {
                return Err(Unsupported::at(span, "a lock that is not aligned"));
            }
            let base = self.new.terms.base(object, width);
            let offset = self.new.terms.bv(width, at.wrapping_sub(shift));
            let place = self.new.terms.add(base, offset);
            let here = self.new.terms.eq(addr, place);
            any = self.new.terms.or(any, here);
            let var = self.word(object, at, span)?;
            found.push(Candidate { here, var });
        }
        if self.new.terms.as_const(any) != Some(1) {
            out.push(Label::Assume(any));
        }
        Ok(found)
    }

    fn holds_word(&self, object: ObjId, at: u64) -> bool {
        let object = &self.old[object];
        !matches!(object.kind, ObjectKind::Function(_))
            && object.size.is_none_or(|size| at + 4 <= size)
    }

    /// What a word holds at the start; bytes that no initialiser names are zero.
    fn initial_bits(&self, object: ObjId, at: u64, span: Span) -> Result<u64, Unsupported> {
        let ObjectKind::Static { init } = &self.old[object].kind else {
            return Ok(0);
        };
        let mut bits = 0;
        for &(offset, term) in init {
            let bytes = u64::from(self.old.terms.width(term)).div_ceil(8);
            if offset + bytes <= at || at + 4 <= offset {
                continue;
            }
            let Some(value) = self.old.terms.as_const(term) else {
                return Err(Unsupported::at(
                    span,
                    "a lock whose first value is an address",
                ));
            };
            for byte in 0..bytes {
                if (at..at + 4).contains(&(offset + byte)) {
                    bits |= (value >> (8 * byte) & 0xff) << (8 * (offset + byte - at));
                }
            }
        }
        Ok(bits)
    }

    fn word(&mut self, object: ObjId, at: u64, span: Span) -> Result<VarId, Unsupported> {
        if let Some(&var) = self.words.get(&(object, at)) {
            return Ok(var);
        }
        let init = self.initial_bits(object, at, span)?;
        let init = self.new.terms.bv(32, init);
        let var = self.new.add_var(Var {
            name: format!("{}+{at}", self.old[object].name),
            sort: Sort::Bv(32),
            signed: false,
            scope: Scope::Global,
            init: Some(init),
            temp: true,
        });
        self.words.insert((object, at), var);
        Ok(var)
    }
}

/// Replaces addresses by the numbers that the layout gives them.
fn fix_addresses(xcfa: &mut Xcfa) -> FxHashMap<ObjId, u64> {
    let layout = semantics::Layout::new(xcfa);
    let fix = |terms: &mut expr::Terms, term: Term| {
        terms.map_leaves(term, &mut |terms, leaf| match terms.node(leaf) {
            Node::Base(object, width) => {
                let address = layout.base(object);
                Some(terms.bv(width, address))
            }
            _ => None,
        })
    };
    for edge in &mut xcfa.edges {
        for label in &mut edge.labels {
            label.map_terms(|term| fix(&mut xcfa.terms, term));
        }
    }
    for var in &mut xcfa.vars {
        var.init = var.init.map(|term| fix(&mut xcfa.terms, term));
    }
    let objects = xcfa.obj_ids();
    objects
        .map(|object| (object, layout.base(object)))
        .collect()
}
