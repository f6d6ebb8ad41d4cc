//! What variables hold, as terms over symbols.
//!
//! A symbol is the value that a variable got at a place of the program when control was there last: at
//! a location where ways with different values meet, or at a label whose result is not a term (an
//! input, a load, an allocation, a handle). Law: whenever a thread is at a location, each of its
//! variables that is tracked there holds the value of its term, with every symbol as it was set last
//! in this activation. A term whose symbol is about to be set anew is given up in time.
//!
//! Tracked are locals and thread-local variables, and in `main`, until it starts the first thread,
//! globals too. A global that is never written after that is frozen: it is one symbol for all threads.

use crate::follow::Follower;
use crate::memory::Memory;
use crate::steady::Alone;
use dataflow::Analysed;
use rustc_hash::FxHashMap;
use std::rc::Rc;

use expr::{Node, Op, Term, Terms, VarId};
use xcfa::{EdgeId, LocId, Xcfa};

/// Where a symbol gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// At the start of the activation.
    Entry,
    /// Whenever control comes to the location.
    Loc(LocId),
    /// Whenever the label of this number on the edge is executed.
    Label(EdgeId, usize),
    /// Just before the label of this number on the edge is executed again.
    Aged(EdgeId, usize),
    /// Before the first thread is started.
    Frozen,
    /// Before the first thread is started, in memory at this address, which has no symbols. The variable of the
    /// symbol only says of which sort it is.
    Settled(Term),
    /// Before the thread was started, in memory at this address, which has no symbols, or in the variable of the
    /// symbol: nobody writes there as long as the thread lives. Threads that live at the same time find
    /// the same.
    Steady(Option<Term>),
}

impl Site {
    /// Is the symbol the same for all threads?
    pub fn is_shared(self) -> bool {
        matches!(self, Site::Frozen | Site::Settled(_))
    }

    /// Is the symbol the same for all threads that live at the same time?
    pub fn is_shared_by_living(self) -> bool {
        self.is_shared() || matches!(self, Site::Steady(_))
    }
}

/// A value without a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// When it is set.
    pub site: Site,
    /// Whose value it is.
    pub var: VarId,
}

/// What is known where control is.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The values of variables, by their number; none where nothing is tracked.
    pub vars: Vec<Option<Term>>,
    /// What memory holds.
    pub memory: Memory,
}

/// What is known where control is; equal knowledge is shared.
pub type Env = Rc<State>;

/// The values at every location of a program.
pub struct Values {
    /// Holds the terms of the program, under the same numbers, and those over symbols.
    pub terms: Terms,
    symbols: Vec<Symbol>,
    numbers: FxHashMap<Symbol, VarId>,
    first: u32,
    /// By location: what is known there; none if it is not reached.
    pub(crate) at: Vec<Option<Env>>,
    /// By edge: what is known behind it; none if it cannot be taken.
    pub(crate) after: Vec<Option<Env>>,
    /// By edge and label: its terms over symbols.
    pub(crate) evaluated: Vec<Vec<Vec<Term>>>,
    mentioned: FxHashMap<Term, Rc<[VarId]>>,
}

/// Programs of more locations times variables than this are not examined.
const MOST_ENTRIES: usize = 8_000_000;

impl Values {
    /// Follows the variables of every procedure; none if the program is too large for that. It is known
    /// where there is no thread but the first.
    pub fn of(xcfa: &Analysed, alone: Alone) -> Option<Values> {
        if xcfa.edges.len() * xcfa.vars.len() > MOST_ENTRIES {
            return None;
        }
        let mut values = Values {
            terms: xcfa.terms.clone(),
            symbols: Vec::new(),
            numbers: FxHashMap::default(),
            first: xcfa.vars.len() as u32,
            at: vec![None; xcfa.locs.len()],
            after: vec![None; xcfa.edges.len()],
            evaluated: vec![Vec::new(); xcfa.edges.len()],
            mentioned: FxHashMap::default(),
        };
        let mut follower = Follower::new(xcfa, alone);
        // What is frozen is known once `main` has been followed.
        follower.procedure(&mut values, xcfa.main);
        follower.settled = follower.at_starts(&values);
        for proc in xcfa.proc_ids().filter(|&proc| proc != xcfa.main) {
            follower.procedure(&mut values, proc);
        }
        Some(values)
    }

    /// The symbol of that number, if the variable is one.
    pub fn symbol(&self, var: VarId) -> Option<Symbol> {
        let at = var.0.checked_sub(self.first)?;
        self.symbols.get(at as usize).copied()
    }

    /// The value of a variable at a location.
    pub fn at(&self, loc: LocId, var: VarId) -> Option<Term> {
        self.at[loc.0 as usize].as_ref()?.vars[var.0 as usize]
    }

    /// The value of a variable behind an edge.
    pub fn after(&self, edge: EdgeId, var: VarId) -> Option<Term> {
        self.after[edge.0 as usize].as_ref()?.vars[var.0 as usize]
    }

    /// Can the edge be taken, for all that is known?
    pub fn is_feasible(&self, edge: EdgeId) -> bool {
        self.after[edge.0 as usize].is_some()
    }

    /// The terms of a label, in the order of [`Label::terms`], over symbols. Empty for a label that
    /// cannot be reached.
    pub fn evaluated(&self, edge: EdgeId, label: usize) -> &[Term] {
        let labels = &self.evaluated[edge.0 as usize];
        labels.get(label).map_or(&[], Vec::as_slice)
    }

    /// The symbols of a term.
    pub fn mentioned(&mut self, term: Term) -> Rc<[VarId]> {
        if let Some(known) = self.mentioned.get(&term) {
            return known.clone();
        }
        let vars: Rc<[VarId]> = self.terms.vars(term).into();
        self.mentioned.insert(term, vars.clone());
        vars
    }

    /// The term of a symbol.
    pub fn symbol_term(&mut self, xcfa: &Xcfa, site: Site, var: VarId) -> Term {
        let symbol = Symbol { site, var };
        let number = match self.numbers.get(&symbol) {
            Some(&number) => number,
            None => {
                let number = VarId(self.first + self.symbols.len() as u32);
                self.symbols.push(symbol);
                self.numbers.insert(symbol, number);
                number
            }
        };
        self.terms.var(number, xcfa[var].sort)
    }

    /// Does the term mention a symbol that is set there?
    pub fn mentions(&mut self, term: Term, site: Site) -> bool {
        let vars = self.mentioned(term);
        vars.iter()
            .any(|&var| self.symbol(var).is_some_and(|it| it.site == site))
    }
}

/// `base` and `step` of `base + step`, for a constant step that is not zero.
pub fn as_sum(terms: &Terms, term: Term) -> Option<(Term, u64)> {
    let Node::Binary(Op::Add, a, b) = terms.node(term) else {
        return None;
    };
    match (terms.as_const(a), terms.as_const(b)) {
        (None, Some(step)) => Some((a, step)),
        (Some(step), None) => Some((b, step)),
        _ => None,
    }
}
