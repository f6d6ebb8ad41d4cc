//! The whole program.

use crate::{Edge, EdgeId, LocId, Location, Object, ProcId, Procedure, Sources, Span};
use expr::{Names, Node, ObjId, Op, Sort, Term, Terms, VarId};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// Sizes of C's types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// 32-bit `long` and pointers.
    Ilp32,
    /// 64-bit `long` and pointers.
    #[default]
    Lp64,
}

impl DataModel {
    /// Width of a pointer (and of `long`) in bits.
    pub fn pointer_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

/// The owner of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One for all threads.
    Global,
    /// One for each thread, set to its initial value when the thread starts.
    ThreadLocal,
    /// One for each activation of the procedure, zero at its start.
    Local(ProcId),
}

/// A variable: a scalar whose address is never taken.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name in the program, or one of ours for a temporary.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// Is it signed, for printing?
    pub signed: bool,
    /// Is it declared as a pointer? What is added to it is then a distance within one object;
    /// saying `false` is always right.
    pub pointer: bool,
    /// Its owner.
    pub scope: Scope,
    /// Initial value of a global or thread-local variable, over constants and addresses.
    pub init: Option<Term>,
    /// Made by us rather than named in the program?
    pub temp: bool,
    /// What the program calls it, where that is not its name: the local that a temporary has
    /// replaced, or that this is a copy of.
    pub alias: Option<String>,
}

impl Var {
    /// A variable that we make ourselves, an unsigned number at first unknown.
    pub fn temp(name: String, sort: Sort, scope: Scope) -> Var {
        Var {
            name,
            sort,
            signed: false,
            pointer: false,
            scope,
            init: None,
            temp: true,
            alias: None,
        }
    }

    /// What the program calls it; a temporary has no such name, unless it stands for a local.
    pub fn shown(&self) -> Option<&str> {
        match &self.alias {
            Some(alias) => Some(alias),
            None if self.temp => None,
            None => Some(&self.name),
        }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub struct Xcfa {
    /// Owns every term of the program.
    pub terms: Terms,
    /// All variables, by [`VarId`].
    pub vars: Vec<Var>,
    /// All objects, by [`ObjId`].
    pub objects: Vec<Object>,
    /// All procedures, by [`ProcId`].
    pub procs: Vec<Procedure>,
    /// All locations, by [`LocId`].
    pub locs: Vec<Location>,
    /// All edges, by [`EdgeId`].
    pub edges: Vec<Edge>,
    /// The procedure of the first thread; it takes no parameters and never returns.
    pub main: ProcId,
    /// A thread-local variable that holds each thread's own handle.
    pub self_var: VarId,
    /// Sizes.
    pub data_model: DataModel,
    /// The text behind the spans.
    pub sources: Sources,
    /// The text of each assertion, by the call that reports its failure.
    pub assertions: BTreeMap<Span, String>,
    /// What was assumed about the program while building it, as text.
    pub assumptions: Vec<String>,
    /// An access through a pointer that came from outside: what is there is unknown, so such a
    /// program is not proved. What is accessed, as text.
    pub foreign: Option<String>,
    /// A value that C leaves open and that may decide what the program does: the order of addresses
    /// or of thread handles, for instance. Such a program is not proved either. What and where.
    pub unspecified: Option<String>,
    /// Comparisons and differences of what may be addresses of different objects, or null pointers: the
    /// machine does not follow a step in which the result depends on where objects are.
    pub ordered: Vec<Term>,
    /// The operands of these that are never addresses: they must be null pointers.
    pub numbers: Vec<Term>,
    /// Functions whose results are arbitrary here, but not in the library. An execution that needs
    /// such a result proves nothing.
    pub inexact: BTreeMap<String, Inexact>,
    /// Are there threads whose handle may be given out again without a join?
    pub detaches: bool,
    /// Is an invalid access or `free`, or memory that is lost, an error of its own, rather than the end
    /// of the run? Models in which memory has become variables ask.
    pub checks_memory: bool,
}

/// The name of variables that get the handles of threads that are detached.
pub const DETACHED: &str = "a detached thread";

/// What the first word of a plain mutex is after it was destroyed: the handle of no thread.
pub const DESTROYED: u64 = 0xffff_ffff;

/// Which results of a function may be impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Inexact {
    /// The first comes from outside; others depend on it.
    FromSecond,
    /// All: they depend on arguments, or on what the program has done.
    Every,
}

macro_rules! indexed {
    ($id:ty, $field:ident, $item:ty) => {
        impl Index<$id> for Xcfa {
            type Output = $item;
            fn index(&self, id: $id) -> &$item {
                &self.$field[id.0 as usize]
            }
        }
        impl IndexMut<$id> for Xcfa {
            fn index_mut(&mut self, id: $id) -> &mut $item {
                &mut self.$field[id.0 as usize]
            }
        }
    };
}
indexed!(VarId, vars, Var);
indexed!(ObjId, objects, Object);
indexed!(ProcId, procs, Procedure);
indexed!(LocId, locs, Location);
indexed!(EdgeId, edges, Edge);

impl Xcfa {
    /// All variables.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars.len() as u32).map(VarId)
    }

    /// All objects.
    pub fn obj_ids(&self) -> impl Iterator<Item = ObjId> + use<> {
        (0..self.objects.len() as u32).map(ObjId)
    }

    /// All procedures.
    pub fn proc_ids(&self) -> impl Iterator<Item = ProcId> + use<> {
        (0..self.procs.len() as u32).map(ProcId)
    }

    /// All locations.
    pub fn loc_ids(&self) -> impl Iterator<Item = LocId> + use<> {
        (0..self.locs.len() as u32).map(LocId)
    }

    /// All edges.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len() as u32).map(EdgeId)
    }

    /// Width of a pointer in bits.
    pub fn pointer_bits(&self) -> u32 {
        self.data_model.pointer_bits()
    }

    /// A sentence about a place in the text, with its file and line if there is a text.
    pub fn remark(&self, span: Span, what: &str) -> String {
        match self.sources.files().get(span.file.0 as usize) {
            Some(_) => {
                let place = self.sources.place(span);
                format!("{}:{}: {what}", place.file, place.line)
            }
            None => what.to_owned(),
        }
    }

    /// Can other threads see this variable?
    pub fn is_global(&self, var: VarId) -> bool {
        self[var].scope == Scope::Global
    }

    /// Is the term a pointer by its form: an address, a pointer variable, or one of these moved
    /// within its object? A cast to an integer is none, whatever is done with it afterwards.
    pub fn is_pointer(&self, term: Term) -> bool {
        match self.terms.node(term) {
            Node::Base(..) => true,
            Node::Var(var, _) => self[var].pointer,
            Node::Binary(Op::Add, a, b) | Node::Ite(_, a, b) => {
                self.is_pointer(a) || self.is_pointer(b)
            }
            Node::Binary(Op::Sub, a, b) => self.is_pointer(a) && !self.is_pointer(b),
            Node::Const(..) | Node::Unary(..) | Node::Binary(..) => false,
        }
    }

    /// Is an address turned into an integer somewhere? What happens then may depend on where the
    /// machine puts objects.
    pub fn uses_addresses_as_numbers(&self) -> bool {
        let labels = self.edges.iter().flat_map(|edge| &edge.labels);
        let mut found = false;
        for term in labels.flat_map(crate::Label::terms) {
            self.terms.for_each_subterm(term, &mut |_, node| {
                found |= matches!(node, Node::Unary(Op::AddressToInt, _));
            });
        }
        found
    }

    /// The term that reads a variable.
    pub fn read(&mut self, var: VarId) -> Term {
        let sort = self[var].sort;
        self.terms.var(var, sort)
    }
}

impl Names for Xcfa {
    fn var(&self, var: VarId) -> String {
        self[var].name.clone()
    }

    fn base(&self, obj: ObjId) -> String {
        self[obj].name.clone()
    }
}
