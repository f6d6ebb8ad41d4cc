//! How pointers are aligned inside the objects that they point into.
//!
//! Law: where the points-to analysis says that a term can point anywhere into some objects, the
//! distance of its value from the start of the object has the residue that this analysis gives.
//! A number that may be the address of an exposed object has any distance.
//!
//! Residues are modulo powers of two, which makes them immune to wrap-around. An address is taken
//! as zero, so sums keep distances exact; a bitwise operation sees the low bits of the address as
//! well, which are zero up to the alignment that every object has.

use crate::PointsTo;
use crate::residue::Residue;
use expr::{Node, ObjId, Op, Sort, Term, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use xcfa::{Callee, Label, ObjectKind, ProcId, Xcfa};

/// Every object starts at a multiple of 2 to this power.
const OBJECT_ALIGNMENT: u32 = 4;

/// What is known of the pointers of a program.
#[derive(Clone, Debug)]
pub struct Alignment<'a> {
    xcfa: &'a Xcfa,
    points_to: &'a PointsTo,
    /// By variable; `None` if it never holds a pointer.
    vars: Vec<Option<Residue>>,
    /// By object: the pointers stored in it.
    contents: Vec<Option<Residue>>,
    /// What threads end with.
    exits: Option<Residue>,
    /// The objects behind each address that is loaded from or stored to.
    behind: FxHashMap<Term, Rc<[ObjId]>>,
    changed: bool,
}

/// A value, and whether it may be a pointer.
#[derive(Clone, Copy)]
struct Value {
    residue: Residue,
    pointer: bool,
}

const INTEGER: Value = Value {
    residue: Residue::ANY,
    pointer: false,
};
const UNKNOWN_POINTER: Value = Value {
    residue: Residue::ANY,
    pointer: true,
};

impl<'a> Alignment<'a> {
    /// Analyses the whole program.
    pub fn of(xcfa: &'a Xcfa, points_to: &'a PointsTo) -> Alignment<'a> {
        let mut alignment = Alignment {
            xcfa,
            points_to,
            vars: vec![None; xcfa.vars.len()],
            contents: vec![None; xcfa.objects.len()],
            exits: None,
            behind: FxHashMap::default(),
            changed: true,
        };
        while std::mem::replace(&mut alignment.changed, false) {
            alignment.initial_values();
            for label in xcfa.edges.iter().flat_map(|edge| &edge.labels) {
                alignment.label(label);
            }
        }
        alignment
    }

    /// The distance of a pointer from the start of whatever object it points into.
    pub fn residue(&self, addr: Term) -> Residue {
        match self.eval(addr) {
            _ if self.points_to.is_number(self.xcfa, addr) => Residue::ANY,
            Some(value) if value.pointer => value.residue,
            // Nothing that arrives here is a pointer: any answer is right.
            _ => Residue::ANY,
        }
    }

    fn objects(&mut self, addr: Term) -> Rc<[ObjId]> {
        let find = || self.points_to.objects(self.xcfa, addr).into();
        self.behind.entry(addr).or_insert_with(find).clone()
    }

    fn initial_values(&mut self) {
        let xcfa = self.xcfa;
        for var in xcfa.var_ids() {
            if let Some(init) = xcfa[var].init {
                self.flow(init, var);
            }
        }
        for object in xcfa.obj_ids() {
            let ObjectKind::Static { init } = &xcfa[object].kind else {
                continue;
            };
            for &(offset, value) in init {
                self.store(object, Residue::new(offset, 64), value);
            }
        }
    }

    fn label(&mut self, label: &Label) {
        let xcfa = self.xcfa;
        match label {
            Label::Assign { var, value } => self.flow(*value, *var),
            Label::Load { var, addr } => self.load(*var, *addr),
            Label::Store { addr, value } => {
                let residue = self.residue(*addr);
                for &object in self.objects(*addr).iter() {
                    self.store(object, residue, *value);
                }
            }
            Label::Alloc { var, .. } => self.note(*var, Residue::new(0, 64)),
            Label::Start { proc, arg, .. } => {
                self.pass_arguments(*proc, &[*arg]);
                let result = xcfa[*proc].result.and_then(|var| self.vars[var.0 as usize]);
                self.note_exit(result);
            }
            Label::ThreadExit(value) => {
                let value = self.pointer(*value);
                self.note_exit(value);
            }
            Label::Join {
                result: Some(var), ..
            } => {
                if let Some(residue) = self.exits {
                    self.note(*var, residue);
                }
            }
            Label::Call {
                callee: Callee::Direct(proc),
                args,
                result,
            } => {
                self.pass_arguments(*proc, args);
                let from = xcfa[*proc].result.and_then(|var| self.vars[var.0 as usize]);
                if let (Some(residue), Some(to)) = (from, result) {
                    self.note(*to, residue);
                }
            }
            // Prepared programs have none; whatever it gives or takes is unknown.
            Label::Call { result, .. } => {
                if let Some(to) = result {
                    self.note(*to, Residue::ANY);
                }
                for proc in xcfa.proc_ids() {
                    for &param in &xcfa[proc].params {
                        self.note(param, Residue::ANY);
                    }
                }
            }
            _ => {}
        }
    }

    fn pass_arguments(&mut self, proc: ProcId, args: &[Term]) {
        for (&arg, &param) in args.iter().zip(&self.xcfa[proc].params) {
            self.flow(arg, param);
        }
    }

    fn flow(&mut self, value: Term, to: VarId) {
        if let Some(residue) = self.pointer(value) {
            self.note(to, residue);
        }
    }

    /// The residue of a term that may be a pointer.
    fn pointer(&self, term: Term) -> Option<Residue> {
        let value = self.eval(term).filter(|value| value.pointer);
        value.map(|value| value.residue)
    }

    fn load(&mut self, var: VarId, addr: Term) {
        let whole = self.xcfa[var].sort.width() == self.xcfa.pointer_bits();
        let residue = self.residue(addr);
        for &object in self.objects(addr).iter() {
            if !residue.is_aligned(self.pointer_alignment()) {
                // This may read the end of one pointer and the start of the next.
                self.forget_contents(object);
            }
            match self.contents[object.0 as usize] {
                Some(residue) if whole => self.note(var, residue),
                Some(_) => self.note(var, Residue::ANY),
                None => {}
            }
        }
    }

    fn store(&mut self, object: ObjId, at: Residue, value: Term) {
        let Some(residue) = self.pointer(value) else {
            return;
        };
        let whole = self.xcfa.terms.width(value) == self.xcfa.pointer_bits();
        let residue = match whole && at.is_aligned(self.pointer_alignment()) {
            true => residue,
            false => Residue::ANY,
        };
        let contents = &mut self.contents[object.0 as usize];
        self.changed |= widen(contents, residue);
    }

    fn forget_contents(&mut self, object: ObjId) {
        let contents = &mut self.contents[object.0 as usize];
        if contents.is_some() {
            self.changed |= widen(contents, Residue::ANY);
        }
    }

    fn pointer_alignment(&self) -> u32 {
        (self.xcfa.pointer_bits() / 8).trailing_zeros()
    }

    fn note(&mut self, var: VarId, residue: Residue) {
        self.changed |= widen(&mut self.vars[var.0 as usize], residue);
    }

    fn note_exit(&mut self, residue: Option<Residue>) {
        if let Some(residue) = residue {
            self.changed |= widen(&mut self.exits, residue);
        }
    }

    /// The value of a term; `None` if it is a pointer that nothing has been found for yet.
    fn eval(&self, term: Term) -> Option<Value> {
        self.eval_once(term, &mut FxHashMap::default())
    }

    fn eval_once(&self, term: Term, done: &mut FxHashMap<Term, Option<Value>>) -> Option<Value> {
        if let Some(&value) = done.get(&term) {
            return value;
        }
        let mut value = self.node(term, done);
        if let Some(value) = &mut value {
            value.residue = value.residue.cut(self.xcfa.terms.width(term));
        }
        done.insert(term, value);
        value
    }

    fn node(&self, term: Term, done: &mut FxHashMap<Term, Option<Value>>) -> Option<Value> {
        let terms = &self.xcfa.terms;
        if terms.sort(term) == Sort::Bool {
            return Some(INTEGER);
        }
        Some(match terms.node(term) {
            Node::Const(_, bits) => Value {
                residue: Residue::new(bits, 64),
                pointer: false,
            },
            Node::Base(..) => Value {
                residue: Residue::new(0, 64),
                pointer: true,
            },
            Node::Var(var, _) if self.points_to.var(var).is_empty() => INTEGER,
            Node::Var(var, _) => Value {
                residue: self.vars[var.0 as usize]?,
                pointer: true,
            },
            Node::Unary(op, a) => self.unary(op, self.eval_once(a, done)?),
            Node::Binary(op, a, b) => {
                let (a, b) = (self.eval_once(a, done)?, self.eval_once(b, done)?);
                self.binary(op, a, b)
            }
            Node::Ite(_, a, b) => match (self.eval_once(a, done), self.eval_once(b, done)) {
                (Some(a), Some(b)) if a.pointer == b.pointer => Value {
                    residue: a.residue.join(b.residue),
                    pointer: a.pointer,
                },
                // Where one side is a pointer the other one is none, and is never followed.
                (a, b) => a.filter(|a| a.pointer).or(b.filter(|b| b.pointer))?,
            },
        })
    }

    fn unary(&self, op: Op, a: Value) -> Value {
        match op {
            Op::ZeroExt(_) | Op::SignExt(_) | Op::AddressToInt | Op::Extract { lo: 0, .. } => a,
            _ => Value {
                residue: Residue::ANY,
                ..a
            },
        }
    }

    fn binary(&self, op: Op, a: Value, b: Value) -> Value {
        let (x, y) = (a.residue, b.residue);
        let pointer = a.pointer || b.pointer;
        let both = a.pointer && b.pointer;
        let residue = match op {
            // What the sum of two pointers points to depends on where the objects are.
            _ if both => return UNKNOWN_POINTER,
            Op::Add => x.add(y),
            Op::Sub if !b.pointer => x.sub(y),
            Op::Mul if !pointer => x.mul(y),
            Op::Concat => y,
            Op::BitAnd => mask(x, y).cut(low_bits(pointer)),
            Op::BitOr => x.bitwise(y, |x, y| x | y).cut(low_bits(pointer)),
            Op::BitXor => x.bitwise(y, |x, y| x ^ y).cut(low_bits(pointer)),
            _ => Residue::ANY,
        };
        Value { residue, pointer }
    }
}

/// How many low bits of a bitwise operation depend on the distance alone.
fn low_bits(pointer: bool) -> u32 {
    match pointer {
        true => OBJECT_ALIGNMENT,
        false => 64,
    }
}

/// Conjunction: zeros of either side are zeros of the result.
fn mask(x: Residue, y: Residue) -> Residue {
    let both = x.bitwise(y, |x, y| x & y);
    let zeros = x.zeros().max(y.zeros());
    match both.zeros() < zeros {
        true => Residue::new(0, zeros),
        false => both,
    }
}

fn widen(known: &mut Option<Residue>, new: Residue) -> bool {
    let joined = known.map_or(new, |known| known.join(new));
    known.replace(joined) != Some(joined)
}
