//! Uses of addresses as numbers.
//!
//! An address may be copied, moved by a number, compared for equality with another address or with
//! a null pointer, subtracted from an address of the same object or compared with one by order. The
//! bits below the alignment of its object are known, so that they may be tested, set and cleared.
//! Whatever else is computed from an address depends on where its object is.
//!
//! Where the text does not tell that there is no other object, null pointer or end of an object, the
//! machine looks at the operands. It cannot tell a number from the address that the number happens to
//! be, so numbers are found here.

use super::at;
use super::besides::AllBesides;
use super::carriers::Carriers;
use crate::pointsto::Neighbours;
use crate::{PointsTo, Threads, threads};
use expr::{Node, ObjId, Op, Term};
use rustc_hash::FxHashSet;
use xcfa::{EdgeId, Label, ObjectKind, Xcfa};

const NUMBER: &str = "what number an address is, which is open, may matter";
const ORDER: &str = "the order of objects in memory, which is open, may matter";

/// How a program uses addresses as numbers.
#[derive(Clone, Debug, Default)]
pub struct AddressUse {
    /// The first place where the number that an address is may decide something, in words.
    pub matters: Option<String>,
    /// What is compared or subtracted: the machine looks whether the result is open.
    pub ordered: Vec<Term>,
    /// The operands of these that are no addresses: the machine looks whether they are null pointers.
    pub numbers: Vec<Term>,
}

/// Finds the uses of addresses as numbers.
pub fn address_use(xcfa: &Xcfa, points_to: &PointsTo) -> AddressUse {
    let carriers = Carriers::new(xcfa, points_to);
    let mut uses = Uses {
        carriers: &carriers,
        besides: AllBesides::of(&carriers),
        singles: Singles::of(xcfa),
        seen: FxHashSet::default(),
        ordered: Vec::new(),
        no_addresses: Vec::new(),
        in_library: false,
    };
    let mut matters = None;
    for edge in xcfa.edge_ids() {
        uses.in_library = xcfa[edge].modelled;
        for term in xcfa[edge].labels.iter().flat_map(Label::terms) {
            let found = uses.find(edge, term);
            matters = matters.or(found);
        }
    }
    AddressUse {
        matters,
        ordered: uses.ordered,
        numbers: uses.no_addresses,
    }
}

/// What a value may be, besides a null pointer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    /// A copy of an address, moved within its object perhaps.
    Address,
    /// What is in memory that was not written, a pointer from outside, or what was stored at an unknown
    /// place: no address.
    Unset,
    /// A number that may happen to be the address of something.
    Number,
}

struct Uses<'a> {
    carriers: &'a Carriers<'a>,
    besides: AllBesides,
    singles: Singles,
    /// Terms already visited, in the program itself and in the library.
    seen: FxHashSet<(Term, bool)>,
    ordered: Vec<Term>,
    no_addresses: Vec<Term>,
    /// Is the term that is examined part of the model of a library function?
    in_library: bool,
}

impl Uses<'_> {
    fn find(&mut self, edge: EdgeId, term: Term) -> Option<String> {
        let xcfa = self.carriers.xcfa;
        let mut found = None;
        let mut seen = std::mem::take(&mut self.seen);
        xcfa.terms.for_each_subterm(term, &mut |term, node| {
            if found.is_none() && seen.insert((term, self.in_library)) {
                found = self.matters(term, node);
            }
        });
        self.seen = seen;
        found.map(|what| at(xcfa, edge, what))
    }

    /// What an operator makes of addresses, if that depends on where objects are.
    fn matters(&mut self, term: Term, node: Node) -> Option<&'static str> {
        match node {
            Node::Unary(op, a) if self.carriers.carries(a) => {
                let fine = match op {
                    Op::AddressToInt => true,
                    Op::ZeroExt(_) | Op::SignExt(_) => self.is_whole(a) || self.is_known(a),
                    Op::Extract { hi, lo } => self.keeps_known_bits(a, hi, lo),
                    _ => false,
                };
                (!fine).then_some(NUMBER)
            }
            Node::Binary(op, a, b) => {
                match (op, self.carriers.carries(a), self.carriers.carries(b)) {
                    (_, false, false) => None,
                    (Op::Eq, _, _) => self.compare(term, a, b),
                    (_, true, true) => self.order(term, op, a, b),
                    // A pointer that never points anywhere: the machine checks whether this happens.
                    (Op::Sub, false, true) if self.is_difference(a, b) => self.look_at(term),
                    (_, true, false) => (!self.may_meet_number(op, a, b, true)).then_some(NUMBER),
                    (_, false, true) => (!self.may_meet_number(op, b, a, false)).then_some(NUMBER),
                }
            }
            _ => None,
        }
    }

    /// The machine has to look at the operands.
    fn look_at(&mut self, term: Term) -> Option<&'static str> {
        self.ordered.push(term);
        None
    }

    fn is_difference(&self, a: Term, b: Term) -> bool {
        let xcfa = self.carriers.xcfa;
        xcfa.is_pointer(a) && xcfa.is_pointer(b) && self.identity(a) != Identity::Number
    }

    fn identity(&self, term: Term) -> Identity {
        let xcfa = self.carriers.xcfa;
        let besides = self.besides.term(self.carriers, term);
        match self.carriers.points_to.may_be_number(xcfa, term) {
            true if besides.number || besides.moved => Identity::Number,
            // What carries an address is not used as a number elsewhere.
            true if !self.carriers.carries(term) => Identity::Unset,
            _ => Identity::Address,
        }
    }

    fn is_whole(&self, term: Term) -> bool {
        self.carriers.xcfa.terms.width(term) >= self.carriers.xcfa.pointer_bits()
    }

    /// A test for equality. Addresses in their objects are equal if they are the same place; what is no
    /// copy of an address may be equal to one by chance.
    fn compare(&mut self, term: Term, a: Term, b: Term) -> Option<&'static str> {
        let xcfa = self.carriers.xcfa;
        if !self.is_whole(a) {
            return Some(NUMBER);
        }
        // What a model compares with an address it has put there itself.
        if self.in_library {
            return None;
        }
        if self.is_null(a) || self.is_null(b) {
            let moved = |term| self.besides.term(self.carriers, term).moved;
            return (moved(a) || moved(b)).then_some(NUMBER);
        }
        match self.identity(a).max(self.identity(b)) {
            Identity::Number => return Some(NUMBER),
            Identity::Unset => {
                let numbers = [a, b]
                    .into_iter()
                    .filter(|&side| !self.carriers.carries(side));
                self.no_addresses.extend(numbers);
                return self.look_at(term);
            }
            Identity::Address => {}
        }
        let once = |object| self.singles.exists_once(xcfa, object);
        match self.carriers.points_to.neighbours(xcfa, [a, b], once) {
            Neighbours::Apart => None,
            Neighbours::Touch => self.look_at(term),
            Neighbours::Beyond => Some(ORDER),
        }
    }

    /// Is the term one of the numbers where nothing ever is?
    fn is_null(&self, term: Term) -> bool {
        let constant = self.carriers.xcfa.terms.as_const(term);
        constant.is_some() && self.identity(term) == Identity::Address
    }

    /// A comparison by order, or a difference. Two addresses of one object may be compared; if there may
    /// be several objects, or a null pointer, the machine looks.
    fn order(&mut self, term: Term, op: Op, a: Term, b: Term) -> Option<&'static str> {
        let xcfa = self.carriers.xcfa;
        let may_be_null = |term| self.besides.term(self.carriers, term).null;
        let may_differ = match op {
            Op::Ult | Op::Ule => false,
            Op::Sub | Op::Slt | Op::Sle => may_be_null(a) || may_be_null(b),
            _ => return Some(ORDER),
        };
        let identity = self.identity(a).max(self.identity(b));
        let (of_a, of_b) = (self.carriers.objects(a), self.carriers.objects(b));
        let mut all = of_a.iter();
        let one = all.next().filter(|_| all.next().is_none());
        let one = one.is_some_and(|&object| self.singles.exists_once(xcfa, object));
        if of_a == of_b && one && !may_differ && identity == Identity::Address {
            return None;
        }
        let is_whole = self.is_whole(a) && self.is_whole(b);
        // `memmove` copies up or down; for different objects either will do.
        if self.in_library && is_whole {
            return None;
        }
        let meet = of_a.iter().any(|object| of_b.contains(object));
        match meet && is_whole && identity != Identity::Number {
            true => self.look_at(term),
            false => Some(ORDER),
        }
    }

    fn may_meet_number(&self, op: Op, address: Term, number: Term, address_first: bool) -> bool {
        let terms = &self.carriers.xcfa.terms;
        let constant = terms.as_const(number);
        let width = terms.width(number);
        let mask = if width >= 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        let low = self.known_bits(address);
        let moved = self.besides.term(self.carriers, address).moved;
        match (op, constant) {
            (Op::Ult | Op::Ule, _) if moved || !self.is_whole(number) => false,
            (Op::Add | Op::Concat, _) => true,
            (Op::Sub, _) => address_first,
            (Op::Ult | Op::Ule, Some(0)) => true,
            (Op::BitAnd, Some(bits)) => bits & !low == 0 || !bits & mask & !low == 0,
            (Op::BitOr | Op::BitXor, Some(bits)) => bits & !low == 0,
            (Op::Urem, Some(bits)) => {
                address_first && bits.is_power_of_two() && (bits - 1) & !low == 0
            }
            _ => false,
        }
    }

    /// Are all bits the same wherever the object is?
    fn is_known(&self, address: Term) -> bool {
        self.carriers.xcfa.terms.sort(address).mask() <= self.known_bits(address)
    }

    /// Are these bits the whole address, or some that alignment determines?
    fn keeps_known_bits(&self, address: Term, hi: u32, lo: u32) -> bool {
        let width = self.carriers.xcfa.terms.width(address);
        let whole = lo == 0 && hi + 1 >= width.min(self.carriers.xcfa.pointer_bits());
        whole || hi < 63 && (1u64 << (hi + 1)) - 1 <= self.known_bits(address)
    }

    /// The lower bits that are the same wherever the object is, as a mask.
    fn known_bits(&self, address: Term) -> u64 {
        let objects = self.carriers.objects(address);
        let aligns = objects
            .iter()
            .map(|&object| self.carriers.xcfa[object].align);
        aligns.min().map_or(0, |align| align.max(1) - 1)
    }
}

/// Objects of which there is at most one instance.
struct Singles {
    made: Vec<Vec<EdgeId>>,
    threads: Threads,
}

impl Singles {
    fn of(xcfa: &Xcfa) -> Singles {
        let mut made = vec![Vec::new(); xcfa.objects.len()];
        for edge in xcfa.edge_ids() {
            for label in &xcfa[edge].labels {
                if let Label::Alloc { object, .. } = label {
                    made[object.0 as usize].push(edge);
                }
            }
        }
        Singles {
            made,
            threads: Threads::of(xcfa),
        }
    }

    fn exists_once(&self, xcfa: &Xcfa, object: ObjId) -> bool {
        let made = &self.made[object.0 as usize];
        let Some(first) = made.first() else {
            return !matches!(xcfa[object].kind, ObjectKind::Function(_));
        };
        let proc = xcfa[xcfa[*first].source].proc;
        self.threads.starts_at_most_once(proc)
            && made
                .iter()
                .all(|&edge| xcfa[xcfa[edge].source].proc == proc)
            && threads::exclude_each_other(xcfa, made)
    }
}
