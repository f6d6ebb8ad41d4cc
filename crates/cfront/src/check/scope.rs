//! Names and what they denote.

use crate::hir::{FuncId, FuncType, GlobalId, IntType, LocalId, RecordId, Type};
use crate::lex::Symbol;
use rustc_hash::FxHashMap;

/// What an ordinary name denotes.
#[derive(Clone, Debug)]
pub enum Entity {
    /// A type, with the alignment that its declaration asks for, and whether objects of it are constant.
    Typedef(Type, Option<u64>, bool),
    /// A constant of an enumeration, as bits of its type.
    Constant(u64, IntType),
    /// A parameter or automatic local.
    Local(LocalId),
    /// A global or static local.
    Global(GlobalId),
    /// A function, with the type that this unit knows.
    Function(FuncId, FuncType),
}

/// What a tag denotes.
#[derive(Clone, Copy, Debug)]
pub enum Tag {
    /// A struct or union.
    Record(RecordId),
    /// An enumeration by its type.
    Enum(IntType),
}

/// A name space with nested scopes.
#[derive(Clone, Debug)]
pub struct Scopes<V> {
    current: FxHashMap<Symbol, (usize, V)>,
    hidden: Vec<(Symbol, Option<(usize, V)>)>,
    starts: Vec<usize>,
}

impl<V> Default for Scopes<V> {
    fn default() -> Self {
        Scopes {
            current: FxHashMap::default(),
            hidden: Vec::new(),
            starts: Vec::new(),
        }
    }
}

impl<V> Scopes<V> {
    /// What the name denotes here.
    pub fn get(&self, name: Symbol) -> Option<&V> {
        self.current.get(&name).map(|(_, value)| value)
    }

    /// What the name denotes, if it was declared in the innermost scope.
    pub fn get_innermost(&self, name: Symbol) -> Option<&V> {
        let (depth, value) = self.current.get(&name)?;
        (*depth == self.starts.len()).then_some(value)
    }

    /// The names that denote something here.
    pub fn names(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.current.keys().copied()
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Symbol, value: V) {
        let depth = self.starts.len();
        let before = self.current.insert(name, (depth, value));
        if before
            .as_ref()
            .is_none_or(|(declared, _)| *declared != depth)
        {
            self.hidden.push((name, before));
        }
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.starts.push(self.hidden.len());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        let start = self.starts.pop().unwrap_or(0);
        for (name, before) in self.hidden.drain(start..).rev() {
            match before {
                Some(before) => self.current.insert(name, before),
                None => self.current.remove(&name),
            };
        }
    }
}
