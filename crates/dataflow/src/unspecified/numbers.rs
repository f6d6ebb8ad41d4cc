//! Uses of addresses as numbers.
//!
//! An address may be copied, moved by a number, compared for equality with another address or with
//! a null pointer, subtracted from an address of the same object or compared with one by order. The
//! bits below the alignment of its object are known, so that they may be tested, set and cleared.
//! Whatever else is computed from an address depends on where its object is.

use super::at;
use super::carriers::Carriers;
use crate::pointsto::{Offset, Target};
use crate::{PointsTo, Threads, threads};
use expr::{Node, ObjId, Op, Term, VarId};
use rustc_hash::FxHashSet;
use xcfa::{EdgeId, HavocOrigin, Label, ObjectKind, Xcfa};

/// Nothing is ever at the first and last addresses: numbers there mark what is no address.
const MARGIN: u64 = 4096;

/// How a program uses addresses as numbers.
#[derive(Clone, Debug, Default)]
pub struct AddressUse {
    /// The first place where the number that an address is may decide something, in words.
    pub matters: Option<String>,
    /// What is compared by order or subtracted, and may point into one object or into two.
    pub ordered: Vec<(Term, Term)>,
}

/// Finds the uses of addresses as numbers.
pub fn address_use(xcfa: &Xcfa, points_to: &PointsTo) -> AddressUse {
    let carriers = Carriers::new(xcfa, points_to);
    let numbers = Numbers::of(&carriers);
    let mut uses = Uses {
        carriers: &carriers,
        numbers,
        singles: Singles::of(xcfa),
        seen: FxHashSet::default(),
        ordered: Vec::new(),
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
    }
}

struct Uses<'a> {
    carriers: &'a Carriers<'a>,
    numbers: Numbers,
    singles: Singles,
    /// Terms already visited, in the program itself and in the library.
    seen: FxHashSet<(Term, bool)>,
    ordered: Vec<(Term, Term)>,
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
                found = self.matters(node);
            }
        });
        self.seen = seen;
        found.map(|what| at(xcfa, edge, what))
    }

    /// What an operator makes of addresses, if that depends on where objects are.
    fn matters(&mut self, node: Node) -> Option<&'static str> {
        const NUMBER: &str = "what number an address is, which is open, may matter";
        const ORDER: &str = "the order of objects in memory, which is open, may matter";
        let xcfa = self.carriers.xcfa;
        match node {
            Node::Unary(op, a) if self.carriers.carries(a) => {
                let fine = match op {
                    Op::ZeroExt(_) | Op::SignExt(_) | Op::AddressToInt => true,
                    Op::Extract { hi, lo } => self.keeps_known_bits(a, hi, lo),
                    _ => false,
                };
                (!fine).then_some(NUMBER)
            }
            Node::Binary(op, a, b) => match (self.carriers.carries(a), self.carriers.carries(b)) {
                (false, false) => None,
                (true, true) => (!self.may_meet(op, a, b)).then_some(ORDER),
                // A pointer that never points anywhere: the machine checks whether this happens.
                (false, true) if op == Op::Sub && xcfa.is_pointer(a) && xcfa.is_pointer(b) => {
                    self.ordered.push((a, b));
                    None
                }
                (true, false) => (!self.may_meet_number(op, a, b, true)).then_some(NUMBER),
                (false, true) => (!self.may_meet_number(op, b, a, false)).then_some(NUMBER),
            },
            _ => None,
        }
    }

    fn may_meet(&mut self, op: Op, a: Term, b: Term) -> bool {
        match op {
            Op::Eq => !self.may_touch(a, b),
            Op::Sub | Op::Ult | Op::Ule | Op::Slt | Op::Sle => self.may_be_ordered(a, b),
            _ => false,
        }
    }

    /// May two addresses be compared by order? Those of one object may; if there may be several
    /// objects, the machine looks.
    fn may_be_ordered(&mut self, a: Term, b: Term) -> bool {
        let xcfa = self.carriers.xcfa;
        let (of_a, of_b) = (self.carriers.objects(a), self.carriers.objects(b));
        let mut all = of_a.iter();
        let one = all.next().filter(|_| all.next().is_none());
        let one = one.is_some_and(|&object| self.singles.exists_once(xcfa, object));
        if of_a == of_b && one {
            return true;
        }
        let is_whole = |term: Term| xcfa.terms.width(term) == xcfa.pointer_bits();
        // `memmove` copies up or down; for different objects either will do.
        if self.in_library && is_whole(a) && is_whole(b) {
            return true;
        }
        let meet = of_a.iter().any(|object| of_b.contains(object));
        if meet && is_whole(a) && is_whole(b) {
            self.ordered.push((a, b));
            return true;
        }
        false
    }

    /// May one of the addresses be the end of an object, and the other the start of another one?
    fn may_touch(&self, a: Term, b: Term) -> bool {
        let (a, b) = (self.carriers.targets(a), self.carriers.targets(b));
        let ends = |target: &Target| {
            let size = self.carriers.xcfa[target.object].size;
            size.is_some_and(|size| size > 0 && target.offset == Offset::At(size as i64))
        };
        let starts = |target: &Target| target.offset == Offset::At(0);
        let touch = |a: &Target, b: &Target| a.object != b.object && ends(a) && starts(b);
        a.iter()
            .any(|a| b.iter().any(|b| touch(a, b) || touch(b, a)))
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
        let is_part = width < self.carriers.xcfa.pointer_bits();
        match (op, constant) {
            (Op::Eq | Op::Ult | Op::Ule, _) if is_part => false,
            (Op::Add | Op::Concat, _) => true,
            (Op::Sub, _) => address_first,
            (Op::Eq | Op::Ult | Op::Ule, Some(0)) => true,
            (Op::Eq, Some(bits)) => bits < MARGIN || bits > mask - MARGIN,
            // What a model compares with an address it has put there itself.
            (Op::Eq, None) => self.in_library || !self.numbers.is_number(self.carriers, number),
            (Op::BitAnd, Some(bits)) => bits & !low == 0 || !bits & mask & !low == 0,
            (Op::BitOr | Op::BitXor, Some(bits)) => bits & !low == 0,
            (Op::Urem, Some(bits)) => {
                address_first && bits.is_power_of_two() && (bits - 1) & !low == 0
            }
            _ => false,
        }
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

/// Variables and objects that may hold numbers which are neither addresses nor null pointers.
#[derive(Default)]
struct Numbers {
    vars: FxHashSet<VarId>,
    objects: FxHashSet<ObjId>,
    results: bool,
}

impl Numbers {
    fn of(carriers: &Carriers<'_>) -> Numbers {
        let mut numbers = Numbers::default();
        loop {
            let before = numbers.size();
            for label in carriers.xcfa.edges.iter().flat_map(|edge| &edge.labels) {
                numbers.follow(carriers, label);
            }
            if numbers.size() == before {
                return numbers;
            }
        }
    }

    fn size(&self) -> usize {
        self.vars.len() + self.objects.len() + usize::from(self.results)
    }

    fn follow(&mut self, carriers: &Carriers<'_>, label: &Label) {
        let xcfa = carriers.xcfa;
        match label {
            Label::Assign { var, value } if self.is_number(carriers, *value) => {
                self.vars.insert(*var);
            }
            Label::Havoc { var, origin } => {
                if matches!(origin, HavocOrigin::Input(..) | HavocOrigin::External(..)) {
                    self.vars.insert(*var);
                }
            }
            Label::Load { var, addr } => {
                let mut objects = carriers.points_to.objects(xcfa, *addr).into_iter();
                if objects.any(|object| self.objects.contains(&object)) {
                    self.vars.insert(*var);
                }
            }
            // Only what is as wide as an address is compared with one.
            Label::Store { addr, value }
                if xcfa.terms.width(*value) == xcfa.pointer_bits()
                    && self.is_number(carriers, *value) =>
            {
                self.objects.extend(carriers.points_to.objects(xcfa, *addr));
            }
            Label::Start { proc, arg, .. } => self.pass(carriers, &xcfa[*proc].params, &[*arg]),
            Label::Call {
                callee: xcfa::Callee::Direct(proc),
                args,
                result,
            } => {
                self.pass(carriers, &xcfa[*proc].params, args);
                if xcfa[*proc]
                    .result
                    .is_some_and(|var| self.vars.contains(&var))
                {
                    self.vars.extend(*result);
                }
            }
            Label::ThreadExit(value) => self.results |= self.is_number(carriers, *value),
            Label::Join { result, .. } if self.results => self.vars.extend(*result),
            _ => {}
        }
    }

    fn pass(&mut self, carriers: &Carriers<'_>, params: &[VarId], args: &[Term]) {
        for (&param, &arg) in params.iter().zip(args) {
            if self.is_number(carriers, arg) {
                self.vars.insert(param);
            }
        }
    }

    /// May the value be a number that the program chose?
    fn is_number(&self, carriers: &Carriers<'_>, term: Term) -> bool {
        if carriers.carries(term) {
            return false;
        }
        match carriers.xcfa.terms.node(term) {
            Node::Const(sort, bits) => {
                (MARGIN..=sort.mask() - MARGIN.min(sort.mask())).contains(&bits)
            }
            Node::Var(var, _) => self.vars.contains(&var),
            Node::Base(..) => false,
            Node::Ite(_, a, b) => self.is_number(carriers, a) || self.is_number(carriers, b),
            Node::Unary(Op::ZeroExt(_) | Op::SignExt(_) | Op::AddressToInt, a) => {
                self.is_number(carriers, a)
            }
            Node::Unary(..) | Node::Binary(..) => true,
        }
    }
}
