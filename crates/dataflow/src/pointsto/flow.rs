//! Which variables and addresses the value of a term is made from, and how far it is moved.
//!
//! Every way in which a pointer can survive arithmetic is a flow: a cast and a sum with a
//! constant keep the offset exact, anything else keeps the object and forgets the offset.
//! Arithmetic on pointers stays in the object, by C's rule. Arithmetic on integers gives a number,
//! [`Source::Number`], that may be the address of anything.

use super::spot::{Spot, gcd};
use expr::{Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use xcfa::{Scaled, Xcfa};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    Var(VarId),
    Base(ObjId),
    /// A computation, or a constant.
    Number,
    /// A constant as it is in the text.
    Constant(u64),
}

impl Source {
    fn is_number(self) -> bool {
        matches!(self, Source::Number | Source::Constant(_))
    }
}

/// What happens to an address on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Shift {
    /// It moves by this many bytes,
    by: i64,
    /// and any multiple of this many; if that is 1, only its object is known afterwards.
    stride: i64,
    /// It is an integer that moves: outside of its object it may be the address of another.
    integer: bool,
    /// It is added to a pointer: a number that is added is no address.
    index: bool,
    /// Only what may have left its object goes this way.
    stray: bool,
}

impl Shift {
    pub(super) const NONE: Shift = Shift::by(0, 0);
    pub(super) const ANYWHERE: Shift = Shift::by(0, 1);
    pub(super) const INDEX: Shift = Shift {
        index: true,
        ..Shift::ANYWHERE
    };
    const STRAY: Shift = Shift {
        index: true,
        stray: true,
        ..Shift::NONE
    };

    const fn by(by: i64, stride: i64) -> Shift {
        Shift {
            by,
            stride,
            integer: false,
            index: false,
            stray: false,
        }
    }

    fn then(self, next: Shift) -> Shift {
        Shift {
            by: self.by.wrapping_add(next.by),
            stride: gcd(self.stride, next.stride),
            integer: self.integer || next.integer,
            index: self.index || next.index,
            stray: self.stray || next.stray,
        }
    }

    /// Where it points afterwards, and whether it may also be any other number.
    pub(super) fn apply(self, xcfa: &Xcfa, spot: Spot) -> (Option<Spot>, bool) {
        if spot.object.0 as usize >= xcfa.objects.len() {
            return ((!self.index).then_some(spot), false);
        }
        let moved = spot.moved(self.by, self.stride);
        if self.stray {
            let stray = moved.strays(xcfa).then_some(Spot::anywhere(spot.object));
            return (stray, false);
        }
        let is_inside = |at: i64| {
            let size = xcfa[spot.object].size;
            let size = size.and_then(|size| i64::try_from(size).ok());
            0 <= at && at <= size.or(spot.offset()).unwrap_or(0)
        };
        let leaves = self.integer && !moved.offset().is_some_and(is_inside);
        (Some(moved), leaves)
    }
}

/// One way for an address to get into the value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Flow {
    pub(super) source: Source,
    pub(super) shift: Shift,
}

/// What an operator makes of the addresses in its operands.
enum Effect {
    /// Both come out, moved so.
    Moves(Shift, Shift),
    /// The result is a number computed from them.
    Computes,
    /// The result is the distance of two pointers. C defines it within one object, where it does
    /// not depend on the address; a pointer moved by it stays there, or has left an exposed object.
    Measures,
}

/// Finds the flows of terms, each term once.
#[derive(Default)]
pub(super) struct Flows {
    done: FxHashMap<Term, Rc<[Flow]>>,
    leaks: FxHashMap<Term, Rc<[Flow]>>,
}

impl Flows {
    /// The flows into `term`, each once.
    pub(super) fn of(&mut self, xcfa: &Xcfa, term: Term) -> Rc<[Flow]> {
        if let Some(flows) = self.done.get(&term) {
            return flows.clone();
        }
        let flows = sorted(self.compute(xcfa, term));
        self.done.insert(term, flows.clone());
        flows
    }

    /// The flows of which an evaluation of `term` tells more than a copy does: they are compared,
    /// or a number is computed from them. The program may rebuild the address from the result.
    pub(super) fn leaks(&mut self, xcfa: &Xcfa, term: Term) -> Rc<[Flow]> {
        if let Some(flows) = self.leaks.get(&term) {
            return flows.clone();
        }
        let flows = sorted(self.compute_leaks(xcfa, term));
        self.leaks.insert(term, flows.clone());
        flows
    }

    fn compute(&mut self, xcfa: &Xcfa, term: Term) -> Vec<Flow> {
        let terms = &xcfa.terms;
        if terms.sort(term) == Sort::Bool {
            return Vec::new();
        }
        let from = |source| Flow {
            source,
            shift: Shift::NONE,
        };
        let mut flows = match terms.node(term) {
            Node::Const(_, bits) => match may_be_address(bits, terms.width(term)) {
                true => vec![from(Source::Number), from(Source::Constant(bits))],
                false => Vec::new(),
            },
            Node::Var(var, _) => vec![from(Source::Var(var))],
            Node::Base(obj, _) => vec![from(Source::Base(obj))],
            Node::Unary(op, a) => match keeps_address(xcfa, op, a) {
                true => self.moved(xcfa, a, Shift::NONE),
                false => self.computed(xcfa, &[a]),
            },
            Node::Binary(op, a, b) => match effect(xcfa, term, op, a, b) {
                Effect::Moves(of_a, of_b) => {
                    let mut flows = self.moved(xcfa, a, of_a);
                    flows.extend(self.moved(xcfa, b, of_b));
                    flows
                }
                Effect::Computes => self.computed(xcfa, &[a, b]),
                Effect::Measures => vec![from(Source::Number)],
            },
            Node::Ite(_, a, b) => {
                let mut flows = self.moved(xcfa, a, Shift::NONE);
                flows.extend(self.moved(xcfa, b, Shift::NONE));
                flows
            }
        };
        if terms.width(term) < xcfa.pointer_bits() {
            flows.retain(|flow| !flow.source.is_number());
        }
        flows
    }

    fn compute_leaks(&mut self, xcfa: &Xcfa, term: Term) -> Vec<Flow> {
        let mut leaks = Vec::new();
        match xcfa.terms.node(term) {
            Node::Const(..) | Node::Var(..) | Node::Base(..) => {}
            Node::Unary(op, a) => {
                leaks.extend_from_slice(&self.leaks(xcfa, a));
                if !keeps_address(xcfa, op, a) {
                    leaks.extend(self.moved(xcfa, a, Shift::INDEX));
                }
            }
            Node::Binary(op, a, b) => {
                leaks.extend_from_slice(&self.leaks(xcfa, a));
                leaks.extend_from_slice(&self.leaks(xcfa, b));
                let [of_a, of_b] = operand_leaks(xcfa, term, op, a, b);
                leaks.extend(of_a.map_or_else(Vec::new, |shift| self.moved(xcfa, a, shift)));
                leaks.extend(of_b.map_or_else(Vec::new, |shift| self.moved(xcfa, b, shift)));
            }
            Node::Ite(c, a, b) => {
                for part in [c, a, b] {
                    leaks.extend_from_slice(&self.leaks(xcfa, part));
                }
            }
        }
        leaks.retain(|flow| !flow.source.is_number());
        leaks
    }

    fn moved(&mut self, xcfa: &Xcfa, term: Term, shift: Shift) -> Vec<Flow> {
        let flows = self.of(xcfa, term);
        let moved = flows.iter().map(|flow| Flow {
            shift: flow.shift.then(shift),
            ..*flow
        });
        let is_kept = |flow: &Flow| match flow.source {
            Source::Constant(_) => flow.shift == Shift::NONE,
            Source::Number => !flow.shift.index,
            Source::Var(_) | Source::Base(_) => true,
        };
        moved.filter(is_kept).collect()
    }

    fn computed(&mut self, xcfa: &Xcfa, operands: &[Term]) -> Vec<Flow> {
        let number = Flow {
            source: Source::Number,
            shift: Shift::NONE,
        };
        let mut flows = vec![number];
        for &operand in operands {
            flows.extend(self.moved(xcfa, operand, Shift::ANYWHERE));
        }
        flows
    }
}

fn sorted(mut flows: Vec<Flow>) -> Rc<[Flow]> {
    flows.sort_unstable();
    flows.dedup();
    flows.into()
}

/// No object is so near to the ends of the address space: these are null pointers with an offset,
/// and the negative numbers that stand for errors.
const MARGIN: i64 = 4096;

fn may_be_address(bits: u64, width: u32) -> bool {
    expr::sign_extend(bits, width).unsigned_abs() >= MARGIN.unsigned_abs()
}

/// Objects start at multiples of this many bytes, and at least as many are between two of them.
const BLOCK: u64 = 16;

/// Is the result the address that the operand is?
fn keeps_address(xcfa: &Xcfa, op: Op, operand: Term) -> bool {
    let width = xcfa.terms.width(operand);
    match op {
        Op::AddressToInt | Op::FloatToBits | Op::FloatFromBits(_) => true,
        Op::ZeroExt(_) | Op::SignExt(_) => width >= xcfa.pointer_bits(),
        Op::Extract { hi, lo } => lo == 0 && hi + 1 >= xcfa.pointer_bits(),
        _ => false,
    }
}

fn effect(xcfa: &Xcfa, term: Term, op: Op, a: Term, b: Term) -> Effect {
    let terms = &xcfa.terms;
    match (op, terms.as_const(b)) {
        (Op::Add, Some(bits)) => {
            let by = Shift::by(expr::sign_extend(bits, terms.width(b)), 0);
            if xcfa.is_pointer(a) {
                return Effect::Moves(by, Shift::INDEX);
            }
            match terms.node(a) {
                Node::Unary(Op::AddressToInt, _) => {
                    let by = Shift {
                        integer: true,
                        ..by
                    };
                    Effect::Moves(by, Shift::INDEX)
                }
                _ => Effect::Computes,
            }
        }
        (Op::Add | Op::Sub, _) if xcfa.is_pointer(term) => {
            let of = |operand, index| match xcfa.is_pointer(operand) {
                true => distance(terms, op, index),
                false => Shift::INDEX,
            };
            Effect::Moves(of(a, b), of(b, a))
        }
        (Op::Sub, _) if xcfa.is_pointer(a) && xcfa.is_pointer(b) => Effect::Measures,
        // Tags in the low bits do not leave the block.
        (Op::BitOr | Op::BitXor, Some(bits)) if bits < BLOCK => {
            Effect::Moves(Shift::ANYWHERE, Shift::INDEX)
        }
        (Op::BitAnd, Some(bits)) if is_mask_of_tags(terms, b, bits) => {
            Effect::Moves(Shift::ANYWHERE, Shift::INDEX)
        }
        _ => Effect::Computes,
    }
}

/// How far a pointer moves if an index is added to it, or subtracted: see [`Scaled`].
fn distance(terms: &Terms, op: Op, index: Term) -> Shift {
    match op {
        Op::Sub => {
            let added = distance(terms, Op::Add, index);
            Shift::by(added.by.wrapping_neg(), added.stride)
        }
        _ => match terms.node(index) {
            Node::Const(_, bits) => Shift::by(expr::sign_extend(bits, terms.width(index)), 0),
            Node::Binary(op @ (Op::Add | Op::Sub), a, b) => {
                distance(terms, Op::Add, a).then(distance(terms, op, b))
            }
            Node::Unary(Op::Neg, a) => distance(terms, Op::Sub, a),
            _ => Scaled::of(terms, index).map_or(Shift::ANYWHERE, |scaled| {
                Shift::by(0, i64::try_from(scaled.factor).unwrap_or(1))
            }),
        },
    }
}

/// What an operation reveals of its operands, beyond what its result is a copy of.
fn operand_leaks(xcfa: &Xcfa, term: Term, op: Op, a: Term, b: Term) -> [Option<Shift>; 2] {
    if is_test_for_null(xcfa, op, a, b) {
        return [Some(Shift::STRAY); 2];
    }
    // A comparison with this very object confirms a guess of its address; of another object it
    // tells nothing, unless that has been left.
    let is_base = |term: Term| matches!(xcfa.terms.node(term), Node::Base(..));
    if op == Op::Eq && (is_base(a) || is_base(b)) {
        let tells = |side| match is_base(side) {
            true => Shift::INDEX,
            false => Shift::STRAY,
        };
        return [a, b].map(|side| Some(tells(side)));
    }
    match effect(xcfa, term, op, a, b) {
        Effect::Moves(of_a, of_b) => [of_a, of_b].map(|of| of.index.then_some(Shift::INDEX)),
        Effect::Computes | Effect::Measures => [Some(Shift::INDEX); 2],
    }
}

fn is_mask_of_tags(terms: &Terms, term: Term, bits: u64) -> bool {
    !bits & terms.sort(term).mask() < BLOCK
}

/// Whether an address is null, or one of the numbers that stand for errors, tells nothing of it if
/// it is inside of its object.
fn is_test_for_null(xcfa: &Xcfa, op: Op, a: Term, b: Term) -> bool {
    let is_special = |term: Term| {
        let width = xcfa.terms.width(term);
        let bits = xcfa.terms.as_const(term);
        width >= xcfa.pointer_bits() && bits.is_some_and(|bits| !may_be_address(bits, width))
    };
    matches!(op, Op::Eq | Op::Ult | Op::Ule) && (is_special(a) || is_special(b))
}
