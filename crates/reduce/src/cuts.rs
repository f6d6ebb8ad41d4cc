//! From the steps of the product to paths between the nodes that need an invariant.
//!
//! A node with one way in or one way out needs none: its steps are put together. Every cycle keeps a
//! node, so the paths that are left out are finite.

use crate::known::constants;
use crate::letters::Letters;
use crate::product::{Node, Product, ProductStep};
use abstraction::Program;
use expr::{Term, Terms, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Several letters as one condition and one list of assignments.
#[derive(Clone, Debug)]
pub struct Path {
    /// It can be taken if this holds before it.
    pub guard: Term,
    /// The new values of the variables that it changes.
    pub updates: BTreeMap<VarId, Term>,
    /// The inputs that it uses.
    inputs: BTreeSet<VarId>,
}

/// Makes paths; inputs that are used twice on one path get new names.
pub struct Paths<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its letters.
    pub letters: &'a Letters,
    /// The first number that no variable has.
    fresh: u32,
}

impl<'a> Paths<'a> {
    /// Of a program.
    pub fn new(program: &'a Program, letters: &'a Letters) -> Paths<'a> {
        let fresh = program.vars.len() as u32;
        Paths {
            program,
            letters,
            fresh,
        }
    }

    /// Does nothing.
    pub fn empty(&self, terms: &mut Terms) -> Path {
        Path {
            guard: terms.bool(true),
            updates: BTreeMap::new(),
            inputs: BTreeSet::new(),
        }
    }

    /// The start of an execution: variables get their first values.
    pub fn start(&self, terms: &mut Terms) -> Path {
        let mut path = self.empty(terms);
        for (number, var) in self.program.vars.iter().enumerate() {
            if let Some(init) = var.init.filter(|_| !var.input) {
                let value = terms.constant(var.sort, init);
                path.updates.insert(VarId(number as u32), value);
            }
        }
        path
    }

    /// A step of the product, in the light of what is known where it starts.
    pub fn step(&self, terms: &mut Terms, node: &Node, step: &ProductStep) -> Path {
        let letter = &self.letters[step.letter];
        let known = constants(self.program, terms, &node.state.known);
        let mut guard = terms.and(letter.guard, letter.agrees);
        if let Some(condition) = step.condition {
            guard = terms.and(guard, condition);
        }
        let guard = terms.substitute(guard, &known);
        let mut updates = BTreeMap::new();
        for (var, value) in letter.values() {
            updates.insert(var, terms.substitute(value, &known));
        }
        let inputs = self.inputs(terms, guard, &updates);
        Path {
            guard,
            updates,
            inputs,
        }
    }

    fn inputs(
        &self,
        terms: &Terms,
        guard: Term,
        updates: &BTreeMap<VarId, Term>,
    ) -> BTreeSet<VarId> {
        let all = updates.values().copied().chain([guard]);
        let vars = all.flat_map(|term| terms.vars(term));
        vars.filter(|var| self.is_input(*var)).collect()
    }

    fn is_input(&self, var: VarId) -> bool {
        let about = self.program.vars.get(var.0 as usize);
        about.is_none_or(|about| about.input)
    }

    /// One path after the other; nothing if that is impossible.
    pub fn join(&mut self, terms: &mut Terms, first: &Path, second: &Path) -> Option<Path> {
        let mut with: FxHashMap<VarId, Term> = first
            .updates
            .iter()
            .map(|(&var, &value)| (var, value))
            .collect();
        let mut inputs = first.inputs.clone();
        let mut sorts: FxHashMap<VarId, expr::Sort> = FxHashMap::default();
        for &input in &second.inputs {
            let mut name = input;
            if first.inputs.contains(&input) {
                if sorts.is_empty() {
                    sorts = sorts_of(terms, second);
                }
                name = VarId(self.fresh);
                self.fresh += 1;
                with.insert(input, terms.var(name, sorts[&input]));
            }
            inputs.insert(name);
        }
        let guard = terms.substitute(second.guard, &with);
        let guard = terms.and(first.guard, guard);
        if terms.as_const(guard) == Some(0) {
            return None;
        }
        let mut updates = first.updates.clone();
        for (&var, &value) in &second.updates {
            updates.insert(var, terms.substitute(value, &with));
        }
        Some(Path {
            guard,
            updates,
            inputs,
        })
    }
}

fn sorts_of(terms: &Terms, path: &Path) -> FxHashMap<VarId, expr::Sort> {
    let mut sorts = FxHashMap::default();
    for term in path.updates.values().copied().chain([path.guard]) {
        terms.for_each_subterm(term, &mut |_, node| {
            if let expr::Node::Var(var, sort) = node {
                sorts.insert(var, sort);
            }
        });
    }
    sorts
}

/// A path from one node that is kept to another, or to an error.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Where it starts.
    pub from: usize,
    /// Where it leads; nothing for an error.
    pub to: Option<usize>,
    /// What it does.
    pub path: Path,
}

/// The nodes that are kept, and the paths between them.
pub struct Cuts {
    /// The nodes that need an invariant; the first is the start.
    pub nodes: Vec<usize>,
    /// The paths.
    pub transitions: Vec<Transition>,
}

impl Cuts {
    /// Puts together the steps of what is alive in a product.
    pub fn of(terms: &mut Terms, paths: &mut Paths<'_>, product: &Product) -> Cuts {
        let mut graph = Graph::default();
        graph.nodes.insert(0);
        for (from, node) in product.nodes.iter().enumerate() {
            if node.dead || node.error {
                continue;
            }
            graph.nodes.insert(from);
            for step in &node.steps {
                let target = &product.nodes[step.target];
                if target.dead {
                    continue;
                }
                let path = paths.step(terms, node, step);
                if terms.as_const(path.guard) != Some(0) {
                    let to = (!target.error).then_some(step.target);
                    graph.add(Transition { from, to, path });
                }
            }
        }
        graph.eliminate(terms, paths);
        Cuts {
            nodes: graph.nodes.into_iter().collect(),
            transitions: graph.transitions.into_values().collect(),
        }
    }
}

#[derive(Default)]
struct Graph {
    nodes: BTreeSet<usize>,
    transitions: BTreeMap<usize, Transition>,
    into: BTreeMap<usize, BTreeSet<usize>>,
    out: BTreeMap<usize, BTreeSet<usize>>,
    next: usize,
}

impl Graph {
    fn add(&mut self, transition: Transition) {
        let number = self.next;
        self.next += 1;
        self.out.entry(transition.from).or_default().insert(number);
        if let Some(to) = transition.to {
            self.into.entry(to).or_default().insert(number);
        }
        self.transitions.insert(number, transition);
    }

    fn remove(&mut self, number: usize) -> Option<Transition> {
        let transition = self.transitions.remove(&number)?;
        self.out.entry(transition.from).or_default().remove(&number);
        if let Some(to) = transition.to {
            self.into.entry(to).or_default().remove(&number);
        }
        Some(transition)
    }

    fn eliminate(&mut self, terms: &mut Terms, paths: &mut Paths<'_>) {
        loop {
            let before = self.nodes.len();
            for node in self.nodes.clone() {
                if node != 0 && self.is_superfluous(node) {
                    self.bypass(terms, paths, node);
                }
            }
            if self.nodes.len() == before {
                return;
            }
        }
    }

    fn is_superfluous(&self, node: usize) -> bool {
        let count =
            |sets: &BTreeMap<usize, BTreeSet<usize>>| sets.get(&node).map_or(0, BTreeSet::len);
        let (into, out) = (count(&self.into), count(&self.out));
        let own = self.out.get(&node).into_iter().flatten();
        let mut own = own.filter(|number| self.transitions[number].to == Some(node));
        own.next().is_none() && into * out <= into + out
    }

    fn bypass(&mut self, terms: &mut Terms, paths: &mut Paths<'_>, node: usize) {
        let into: Vec<usize> = self
            .into
            .remove(&node)
            .unwrap_or_default()
            .into_iter()
            .collect();
        let out: Vec<usize> = self
            .out
            .get(&node)
            .cloned()
            .unwrap_or_default()
            .into_iter()
            .collect();
        let into: Vec<Transition> = into.into_iter().filter_map(|it| self.remove(it)).collect();
        let out: Vec<Transition> = out.into_iter().filter_map(|it| self.remove(it)).collect();
        for first in &into {
            for second in &out {
                if let Some(path) = paths.join(terms, &first.path, &second.path) {
                    let (from, to) = (first.from, second.to);
                    self.add(Transition { from, to, path });
                }
            }
        }
        self.nodes.remove(&node);
    }
}
