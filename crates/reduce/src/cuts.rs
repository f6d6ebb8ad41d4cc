//! From the steps of the product to paths between the nodes that need an invariant.
//!
//! A node with one way in or one way out needs none: its steps are put together. Every cycle keeps a
//! node, so the paths that are left out are finite. Or only nodes on cycles are kept, and paths with the
//! same ends become one, whose inputs choose between them (large-block encoding, Beyer, Cimatti, Griggio,
//! Keremoglu and Sebastiani, FMCAD 2009).

use crate::known::constants;
use crate::letters::Letters;
use crate::product::{Node, Product, ProductStep};
use abstraction::Program;
use expr::{Sort, Term, Terms, VarId};
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

impl Paths<'_> {
    /// One of two paths from the same node.
    pub fn either(&mut self, terms: &mut Terms, first: &Path, second: &Path) -> Path {
        let (common, first_only, second_only) = common_parts(terms, first.guard, second.guard);
        let mut inputs: BTreeSet<VarId> = first.inputs.union(&second.inputs).copied().collect();
        let excluded = first_only
            .iter()
            .copied()
            .find(|&part| second_only.contains(&terms.not(part)));
        let choice = excluded.unwrap_or_else(|| {
            let name = VarId(self.fresh);
            self.fresh += 1;
            inputs.insert(name);
            terms.var(name, Sort::Bool)
        });
        let (first_only, second_only) = (terms.and_all(first_only), terms.and_all(second_only));
        let own = terms.ite(choice, first_only, second_only);
        let common = terms.and_all(common);
        let guard = terms.and(common, own);
        let mut updates = BTreeMap::new();
        for &var in first.updates.keys().chain(second.updates.keys()) {
            let [a, b] = [first, second].map(|path| {
                let unchanged =
                    |terms: &mut Terms| terms.var(var, self.program.vars[var.0 as usize].sort);
                let changed = path.updates.get(&var).copied();
                changed.unwrap_or_else(|| unchanged(terms))
            });
            updates.insert(var, terms.ite(choice, a, b));
        }
        Path {
            guard,
            updates,
            inputs,
        }
    }

    /// From a node, after a path to it: calls `arrive` for each path to a node that `ends` one, or to an error, and
    /// puts paths that meet elsewhere together. Nothing if there is a cycle on the way.
    pub fn region<E>(
        &mut self,
        terms: &mut Terms,
        nodes: &[Node],
        first: (usize, Path),
        ends: &dyn Fn(usize) -> bool,
        arrive: &mut dyn FnMut(&mut Terms, usize, Path) -> Result<(), E>,
    ) -> Option<Result<(), E>> {
        let order = walk(nodes, first.0, ends)?;
        let mut reached: BTreeMap<usize, Path> = [first].into();
        for number in order {
            let Some(path) = reached.remove(&number) else {
                continue;
            };
            let node = &nodes[number];
            for step in &node.steps {
                if nodes[step.target].dead {
                    continue;
                }
                let next = self.step(terms, node, step);
                let Some(next) = self.join(terms, &path, &next) else {
                    continue;
                };
                if ends(step.target) {
                    if let Err(why) = arrive(terms, step.target, next) {
                        return Some(Err(why));
                    }
                    continue;
                }
                let next = match reached.remove(&step.target) {
                    Some(other) => self.either(terms, &other, &next),
                    None => next,
                };
                reached.insert(step.target, next);
            }
        }
        Some(Ok(()))
    }
}

/// The nodes on the way from one to where ways end, each before those that come after it; nothing if there
/// is a cycle.
fn walk(nodes: &[Node], from: usize, ends: &dyn Fn(usize) -> bool) -> Option<Vec<usize>> {
    let mut left = Vec::new();
    // By node: whether all that comes after it has been seen.
    let mut seen: BTreeMap<usize, bool> = [(from, false)].into();
    let mut path = vec![(from, 0)];
    while let Some((number, child)) = path.pop() {
        let Some(step) = nodes[number].steps.get(child) else {
            seen.insert(number, true);
            left.push(number);
            continue;
        };
        path.push((number, child + 1));
        let target = step.target;
        if nodes[target].dead || ends(target) {
            continue;
        }
        match seen.get(&target) {
            Some(true) => {}
            Some(false) => return None,
            None => {
                seen.insert(target, false);
                path.push((target, 0));
            }
        }
    }
    left.reverse();
    Some(left)
}

/// The parts that two conditions have in common, and those of each alone.
fn common_parts(terms: &mut Terms, first: Term, second: Term) -> (Vec<Term>, Vec<Term>, Vec<Term>) {
    let (first, second) = (terms.conjuncts(first), terms.conjuncts(second));
    let others: BTreeSet<Term> = second.iter().copied().collect();
    let (common, first): (Vec<Term>, Vec<Term>) =
        first.into_iter().partition(|part| others.contains(part));
    let shared: BTreeSet<Term> = common.iter().copied().collect();
    let second = second.into_iter().filter(|part| !shared.contains(part));
    (common, first, second.collect())
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

    /// Keeps the start and a node of each cycle only.
    pub fn large(terms: &mut Terms, paths: &mut Paths<'_>, product: &Product) -> Cuts {
        let kept = turning_points(product);
        let nodes = &product.nodes;
        let ends = |number: usize| kept.contains(&number) || nodes[number].error;
        let mut transitions = Vec::new();
        for &from in &kept {
            let mut found: BTreeMap<Option<usize>, Vec<Path>> = BTreeMap::new();
            let first = (from, paths.empty(terms));
            let mut arrive = |_: &mut Terms, to: usize, path: Path| -> Result<(), ()> {
                let to = (!nodes[to].error).then_some(to);
                found.entry(to).or_default().push(path);
                Ok(())
            };
            let all = paths.region(terms, nodes, first, &ends, &mut arrive);
            assert!(all.is_some(), "every cycle has a node that is kept");
            for (to, several) in found {
                let one = several
                    .into_iter()
                    .reduce(|a, b| paths.either(terms, &a, &b));
                transitions.extend(one.map(|path| Transition { from, to, path }));
            }
        }
        Cuts {
            nodes: kept.into_iter().collect(),
            transitions,
        }
    }
}

/// The start, and nodes that a walk comes back to.
fn turning_points(product: &Product) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([0]);
    let mut seen: BTreeMap<usize, bool> = [(0, false)].into();
    let mut path = vec![(0, 0)];
    while let Some((number, child)) = path.pop() {
        let node = &product.nodes[number];
        let Some(step) = node.steps.get(child) else {
            seen.insert(number, true);
            continue;
        };
        path.push((number, child + 1));
        let target = step.target;
        if product.nodes[target].dead || product.nodes[target].error {
            continue;
        }
        match seen.get(&target) {
            Some(true) => {}
            Some(false) => {
                found.insert(target);
            }
            None => {
                seen.insert(target, false);
                path.push((target, 0));
            }
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;
    use expr::{Env, ObjId, Op};
    use statespace::Random;
    use testkit::task;
    use verdict::Property;
    use xcfa::{ErrorKind, SourceFile};

    struct Values(FxHashMap<VarId, u64>);

    impl Env for Values {
        fn var(&self, var: VarId) -> u64 {
            self.0.get(&var).copied().unwrap_or(0)
        }

        fn base(&self, _: ObjId) -> u64 {
            0
        }
    }

    /// Whatever one of two paths does, both together do with some choice, and nothing else.
    #[test]
    fn either_of_two_paths() {
        let text = "unsigned x, y; int main(void) { x = 1; y = x; return y; }";
        let task = task(SourceFile::new("paths.i", text), Property::Reach).expect("a task");
        let (program, mut terms) = Program::remembering(&task.xcfa, 1).expect("a program");
        let letters = Letters::of(&program, &mut terms, ErrorKind::Reached, false);
        let letters = letters.expect("letters");
        let numbers = 0..program.vars.len() as u32;
        let is_number = |&var: &VarId| {
            let about = &program.vars[var.0 as usize];
            about.sort == Sort::Bv(32) && !about.input
        };
        let vars: Vec<VarId> = numbers.map(VarId).filter(is_number).take(2).collect();
        let [x, y] = vars[..] else {
            panic!("the program has two variables");
        };
        let mut paths = Paths::new(&program, &letters);
        let input = VarId(paths.fresh);
        paths.fresh += 1;
        let [a, b, free] = [x, y, input].map(|var| terms.var(var, Sort::Bv(32)));
        let one = terms.bv(32, 1);
        let less = terms.binary(Op::Ult, a, b);
        let (more, same, chosen) = (terms.not(less), terms.eq(a, one), terms.eq(free, b));
        let guards = [less, more, same, chosen];
        let values = [terms.add(a, one), free, terms.add(a, b)];
        let mut random = Random::new(7);
        let some = |terms: &mut Terms, random: &mut Random| {
            let guard = (0..2).map(|_| guards[random.below(guards.len())]);
            let mut path = paths.empty(terms);
            path.guard = terms.and_all(guard);
            for var in [x, y] {
                if random.below(3) > 0 {
                    let value = values[random.below(values.len())];
                    path.updates.insert(var, value);
                }
            }
            path.inputs.insert(input);
            path
        };
        let mut taken = 0;
        for _ in 0..300 {
            let both = [some(&mut terms, &mut random), some(&mut terms, &mut random)];
            let mut joining = Paths::new(&program, &letters);
            joining.fresh = input.0 + 1;
            let either = joining.either(&mut terms, &both[0], &both[1]);
            let choice = VarId(input.0 + 1);
            let small = [x, y, input].map(|var| (var, random.below(3) as u64));
            // What a path leads to, for each choice; both choices may be the same.
            let outcomes = |path: &Path| -> BTreeSet<Vec<u64>> {
                let all = (0..2).filter_map(|chosen| {
                    let mut values = Values(small.into_iter().collect());
                    values.0.insert(choice, chosen);
                    let after = [x, y].map(|var| match path.updates.get(&var) {
                        Some(&value) => terms.eval(value, &values),
                        None => values.var(var),
                    });
                    (terms.eval(path.guard, &values) == 1).then(|| after.to_vec())
                });
                all.collect()
            };
            let expected = &outcomes(&both[0]) | &outcomes(&both[1]);
            assert_eq!(outcomes(&either), expected, "{both:?}");
            taken += usize::from(expected.len() > 1);
        }
        assert!(taken > 5, "paths differ {taken} times");
    }
}
