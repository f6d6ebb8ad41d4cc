//! The whole program.

use crate::{Edge, EdgeId, LocId, Location, Object, ProcId, Procedure, Sources};
use expr::{Names, ObjId, Sort, Term, Terms, VarId};
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

/// Who has a variable.
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
    /// Who has it.
    pub scope: Scope,
    /// Initial value of a global or thread-local variable, over constants and addresses.
    pub init: Option<Term>,
    /// Made by us rather than named in the program?
    pub temp: bool,
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
    /// What was assumed about the program while building it, for a person to read.
    pub assumptions: Vec<String>,
    /// An access through a pointer that came from outside: nobody knows what is there, so such a
    /// program is not proved. What is accessed, for a person to read.
    pub foreign: Option<String>,
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

    /// Can other threads see this variable?
    pub fn is_global(&self, var: VarId) -> bool {
        self[var].scope == Scope::Global
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
