//! What a value may be besides a copy of an address: a null pointer, an address that arithmetic on
//! integers has moved, or a number that the program chose.
//!
//! Over-approximates without knowing the order of steps. What pointers from outside, uninitialised variables
//! and fresh memory hold is left out, and what is stored at an unknown place: only the points-to analysis knows
//! whether that is ever read.

use super::carriers::{Carriers, has_part};
use crate::pointsto::Spot;
use expr::{Node, ObjId, Op, Term, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::BitOr;
use xcfa::{Callee, HavocOrigin, Label, ObjectKind, Xcfa};

/// What a value may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Besides {
    /// A null pointer, or a number near to it: nothing is ever there.
    pub null: bool,
    /// An integer that is an address moved by another integer: it may be anything.
    pub moved: bool,
    /// A constant, an input, or what was computed from others.
    pub number: bool,
}

impl Besides {
    const NULL: Besides = Besides {
        null: true,
        moved: false,
        number: false,
    };
    const NUMBER: Besides = Besides {
        number: true,
        ..Besides::NULL
    };
}

impl BitOr for Besides {
    type Output = Besides;

    fn bitor(self, other: Besides) -> Besides {
        Besides {
            null: self.null || other.null,
            moved: self.moved || other.moved,
            number: self.number || other.number,
        }
    }
}

/// What variables, and what is stored, may be.
#[derive(Default)]
pub(super) struct AllBesides {
    vars: FxHashMap<VarId, Besides>,
    /// By object, place in it and width.
    stored: FxHashMap<ObjId, BTreeMap<(Spot, u32), Besides>>,
    results: Besides,
    news: bool,
}

impl AllBesides {
    pub fn of(carriers: &Carriers<'_>) -> AllBesides {
        let xcfa = carriers.xcfa;
        let mut all = AllBesides::default();
        for var in xcfa.var_ids() {
            let initial = xcfa[var].init.map(|term| all.term(carriers, term));
            all.give(var, initial.unwrap_or_default());
        }
        all.add_contents(carriers);
        loop {
            all.news = false;
            for edge in &xcfa.edges {
                let labels = edge.labels.iter();
                let labels = labels.filter(|label| !(edge.modelled && keeps_word(xcfa, label)));
                labels.for_each(|label| all.follow(carriers, label));
            }
            if !all.news {
                return all;
            }
        }
    }

    /// What static objects hold from the start.
    fn add_contents(&mut self, carriers: &Carriers<'_>) {
        for object in carriers.xcfa.obj_ids() {
            if let ObjectKind::Static { init } = &carriers.xcfa[object].kind {
                for &(offset, value) in init {
                    self.store(carriers, Spot::at(object, offset as i64), value);
                }
            }
        }
    }

    fn follow(&mut self, carriers: &Carriers<'_>, label: &Label) {
        let xcfa = carriers.xcfa;
        match label {
            Label::Assign { var, value } => self.give(*var, self.term(carriers, *value)),
            Label::Load { var, addr } => {
                let spots = carriers.points_to.copied_spots(xcfa, *addr).into_iter();
                let width = xcfa[*var].sort.width();
                let loaded = spots.map(|at| self.load(xcfa, at, width));
                self.give(*var, loaded.fold(Besides::NULL, BitOr::bitor));
            }
            Label::Store { addr, value } => {
                for at in carriers.points_to.copied_spots(xcfa, *addr) {
                    self.store(carriers, at, *value);
                }
            }
            Label::Start { proc, arg, .. } => self.pass(carriers, &xcfa[*proc].params, &[*arg]),
            Label::Call {
                callee: Callee::Direct(proc),
                args,
                result,
            } => {
                self.pass(carriers, &xcfa[*proc].params, args);
                if let (Some(to), Some(from)) = (result, xcfa[*proc].result) {
                    self.give(*to, self.var(from));
                }
            }
            Label::ThreadExit(value) => {
                let value = self.term(carriers, *value);
                self.news |= join(&mut self.results, value);
            }
            Label::Join {
                result: Some(var), ..
            } => self.give(*var, Besides::NULL | self.results),
            Label::Havoc { var, origin } => self.give(*var, chosen(origin)),
            _ => {}
        }
    }

    fn store(&mut self, carriers: &Carriers<'_>, at: Spot, value: Term) {
        let xcfa = carriers.xcfa;
        let width = xcfa.terms.width(value);
        let is_part = width < xcfa.pointer_bits() && !carriers.carries(value);
        let value = match is_part && xcfa.terms.as_const(value) != Some(0) {
            true => Besides::NUMBER,
            false => self.term(carriers, value),
        };
        let stored = self.stored.entry(at.object).or_default();
        let known = stored.entry((at, width)).or_default();
        self.news |= join(known, value);
    }

    fn load(&self, xcfa: &Xcfa, at: Spot, width: u32) -> Besides {
        let stored = self.stored.get(&at.object).into_iter().flatten();
        let shared = stored.filter(|(place, _)| may_share(xcfa, **place, (at, width)));
        shared.fold(Besides::NULL, |all, (_, value)| all | *value)
    }

    fn pass(&mut self, carriers: &Carriers<'_>, params: &[VarId], args: &[Term]) {
        for (&param, &arg) in params.iter().zip(args) {
            self.give(param, self.term(carriers, arg));
        }
    }

    fn give(&mut self, var: VarId, value: Besides) {
        self.news |= join(self.vars.entry(var).or_default(), value);
    }

    fn var(&self, var: VarId) -> Besides {
        self.vars.get(&var).copied().unwrap_or_default()
    }

    /// What the value of a term may be.
    pub fn term(&self, carriers: &Carriers<'_>, term: Term) -> Besides {
        let xcfa = carriers.xcfa;
        match xcfa.terms.node(term) {
            Node::Const(..) if carriers.points_to.may_be_number(xcfa, term) => Besides::NUMBER,
            Node::Const(..) => Besides::NULL,
            Node::Base(..) => Besides::default(),
            Node::Var(var, _) => self.var(var),
            Node::Ite(_, a, b) => self.term(carriers, a) | self.term(carriers, b),
            Node::Unary(Op::AddressToInt | Op::ZeroExt(_) | Op::SignExt(_), a) => {
                self.term(carriers, a)
            }
            Node::Unary(Op::Extract { hi, lo: 0 }, a) if hi + 1 >= xcfa.pointer_bits() => {
                self.term(carriers, a)
            }
            Node::Unary(..) => Besides::NUMBER,
            Node::Binary(op, a, b) => match (carriers.carries(a), carriers.carries(b)) {
                (true, false) => self.changed(carriers, term, op, a),
                (false, true) => self.changed(carriers, term, op, b),
                (false, false) if xcfa.is_pointer(term) => {
                    let pointers = [a, b].into_iter().filter(|&part| xcfa.is_pointer(part));
                    let parts = pointers.map(|part| self.term(carriers, part));
                    parts.fold(Besides::default(), BitOr::bitor)
                }
                // The difference of two addresses, or no address at all.
                (true, true) | (false, false) => Besides::NUMBER,
            },
        }
    }

    /// What an operator makes of an address and a number.
    fn changed(&self, carriers: &Carriers<'_>, term: Term, op: Op, address: Term) -> Besides {
        let before = self.term(carriers, address);
        match op {
            Op::Add | Op::Sub => Besides {
                moved: before.moved || !carriers.xcfa.is_pointer(term),
                ..before
            },
            Op::BitOr | Op::BitXor => before,
            _ => Besides::NULL | before,
        }
    }
}

/// Does a model of the library put a word of its own into memory: the state of a lock, a handle? What
/// it copies for the program are characters.
fn keeps_word(xcfa: &Xcfa, label: &Label) -> bool {
    matches!(label, Label::Store { value, .. } if xcfa.terms.width(*value) > 8)
}

/// What an arbitrary value may be.
fn chosen(origin: &HavocOrigin) -> Besides {
    match origin {
        HavocOrigin::Input(..) | HavocOrigin::External(..) => Besides::NUMBER,
        HavocOrigin::Pointer(_) | HavocOrigin::Uninitialised | HavocOrigin::WeakFailure => {
            Besides::NULL
        }
    }
}

/// May something that was stored be a part of what is read in the same object? Where nothing is known of
/// the place, everything may; that is left out.
fn may_share(xcfa: &Xcfa, stored: (Spot, u32), read: (Spot, u32)) -> bool {
    let bytes = |width: u32| width.div_ceil(8);
    let meeting = stored.0.meets(bytes(stored.1), read.0, bytes(read.1));
    let is_exact = stored.0.offset().is_some() && read.0.offset().is_some();
    let address = xcfa.pointer_bits();
    let fits = || has_part(&xcfa[read.0.object].shape, stored.1, address);
    let is_known = !stored.0.is_anywhere() && !read.0.is_anywhere();
    is_known
        && (meeting.is_equal || meeting.overlaps)
        && (is_exact || stored.1 >= address || fits())
}

/// Notes what a value may be; is that news?
fn join(known: &mut Besides, new: Besides) -> bool {
    let before = std::mem::replace(known, *known | new);
    before != *known
}
