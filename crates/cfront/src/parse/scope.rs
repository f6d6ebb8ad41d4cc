//! Which names are typedefs.

use crate::lex::Symbol;

/// The names of all open scopes, each a typedef or something else.
#[derive(Debug, Default)]
pub struct TypedefScopes {
    /// By symbol: is it a typedef now?
    typedefs: Vec<bool>,
    /// What declarations have hidden, to be undone.
    hidden: Vec<(Symbol, bool)>,
    /// Length of `hidden` where each scope starts.
    scopes: Vec<usize>,
}

impl TypedefScopes {
    /// Is the name a typedef here?
    pub fn is_typedef(&self, name: Symbol) -> bool {
        self.typedefs.get(name.0 as usize) == Some(&true)
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, name: Symbol, is_typedef: bool) {
        let before = self.is_typedef(name);
        if before == is_typedef {
            return;
        }
        let index = name.0 as usize;
        if index >= self.typedefs.len() {
            self.typedefs.resize(index + 1, false);
        }
        self.hidden.push((name, before));
        self.typedefs[index] = is_typedef;
    }

    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(self.hidden.len());
    }

    /// How many scopes are open.
    pub fn open_scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        while self.hidden.len() > start {
            if let Some((name, before)) = self.hidden.pop() {
                self.typedefs[name.0 as usize] = before;
            }
        }
    }
}
