//! The set of predicates: any truth values over the variables of a state.

use crate::predicates::Variable;
use crate::view::{Shape, View, Viewer};
use expr::{Env, Node, ObjId, Op, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Variables of states as variables of terms.
#[derive(Clone, Copy)]
pub struct Symbols {
    /// The first number that the program does not use.
    first: u32,
}

impl Symbols {
    /// For a program with this many variables.
    pub fn behind(count: usize) -> Symbols {
        let first = count as u32;
        Symbols { first }
    }

    /// The variable of terms that stands for a variable of states.
    pub fn id(self, variable: Variable) -> VarId {
        VarId(self.first + variable)
    }

    /// The same as a term.
    pub fn term(self, terms: &mut Terms, variable: Variable, shape: Shape) -> Term {
        terms.var(self.id(variable), shape.sort)
    }
}

/// The values of variables in one state.
pub struct Values {
    symbols: Symbols,
    /// The variables that the state has.
    pub variables: Vec<Variable>,
    values: FxHashMap<Variable, u64>,
    /// Its control.
    pub control: Vec<u8>,
}

impl Values {
    /// Those of a state.
    pub fn of(viewer: &mut Viewer, symbols: Symbols, state: &semantics::State) -> Values {
        let mut view = View::default();
        viewer.project(state, &mut view);
        let variables = viewer.variables(state);
        let pairs = variables.iter().zip(&view.values);
        let values = pairs.map(|(&variable, &value)| {
            let sign = viewer.shape(variable).sign;
            (variable, value ^ sign)
        });
        Values {
            symbols,
            values: values.collect(),
            variables,
            control: view.control,
        }
    }

    /// The value of a variable of the state, if it has it.
    pub fn get(&self, variable: Variable) -> Option<u64> {
        self.values.get(&variable).copied()
    }
}

impl Env for Values {
    fn var(&self, var: VarId) -> u64 {
        let variable = var.0.wrapping_sub(self.symbols.first);
        self.get(variable).unwrap_or(0)
    }

    fn base(&self, _: ObjId) -> u64 {
        0
    }
}

/// The predicates.
#[derive(Default)]
pub struct Phi {
    predicates: Vec<Term>,
    known: FxHashSet<Term>,
    /// By predicate: its variables.
    variables: Vec<Vec<VarId>>,
}

impl Phi {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.predicates.len()
    }

    /// Is it one of them, or the negation of one, or always the same?
    pub fn knows(&self, terms: &Terms, truth: Term) -> bool {
        let truth = positive(terms, truth);
        terms.as_const(truth).is_some() || self.known.contains(&truth)
    }

    /// Adds a predicate; `false` if it is nothing new.
    pub fn insert(&mut self, terms: &Terms, truth: Term) -> bool {
        debug_assert_eq!(terms.sort(truth), Sort::Bool);
        if self.knows(terms, truth) {
            return false;
        }
        let truth = positive(terms, truth);
        self.known.insert(truth);
        self.predicates.push(truth);
        self.variables.push(terms.vars(truth));
        true
    }

    /// The predicates over variables of the state only.
    pub fn about(&self, values: &Values) -> Vec<usize> {
        let all = 0..self.predicates.len();
        let fits = |var: &VarId| {
            let variable = var.0.wrapping_sub(values.symbols.first);
            values.values.contains_key(&variable)
        };
        all.filter(|&at| self.variables[at].iter().all(fits))
            .collect()
    }

    /// A predicate.
    pub fn get(&self, at: usize) -> Term {
        self.predicates[at]
    }
}

fn positive(terms: &Terms, truth: Term) -> Term {
    match terms.node(truth) {
        Node::Unary(Op::Not, inner) => inner,
        _ => truth,
    }
}
