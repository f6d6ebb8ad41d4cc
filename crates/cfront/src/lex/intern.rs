//! Identifiers as numbers.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An identifier, by number into its [`Interner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// All identifiers of all translation units; equal names have equal symbols.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    symbols: FxHashMap<Rc<str>, Symbol>,
    names: Vec<Rc<str>>,
}

impl Interner {
    /// The symbol of a name.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        let name: Rc<str> = name.into();
        self.names.push(name.clone());
        self.symbols.insert(name, symbol);
        symbol
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }
}
