//! Solving the inclusion constraints with a worklist; only what is new travels.

mod constraints;

use super::flow::{Flows, Shift};
use super::memory::{Memory, NodeIx};
use super::spot::Spot;
use super::{Found, PointsTo, UNINITIALISED, fresh, normalise, number};
use crate::Liveness;
use expr::{ObjId, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{ObjectKind, Xcfa};

/// More known offsets than this in one object count as any offset: pointers that walk through
/// an array would otherwise be followed byte by byte.
const MOST_OFFSETS: u32 = 128;

type TargetIx = u32;

#[derive(Default)]
struct Node {
    set: FxHashSet<TargetIx>,
    pending: Vec<TargetIx>,
    /// Inclusions into other nodes.
    copies: Vec<(NodeIx, Shift)>,
    /// Loads through this node's targets: the receiving node, and how many bytes.
    loads: Vec<(NodeIx, u32)>,
    /// Stores through this node's targets: whose value, and how many bytes.
    stores: Vec<(NodeIx, u32)>,
    /// Calls through this node's targets, as edge and label number.
    calls: Vec<(usize, usize)>,
}

struct Solver<'a> {
    xcfa: &'a Xcfa,
    flows: Flows,
    nodes: Vec<Node>,
    inclusions: FxHashSet<(NodeIx, NodeIx, Shift)>,
    term_nodes: FxHashMap<Term, Option<NodeIx>>,
    memory: Memory,
    targets: Vec<Spot>,
    target_ix: FxHashMap<Spot, TargetIx>,
    offsets: FxHashMap<ObjId, u32>,
    work: Vec<NodeIx>,
    liveness: Liveness,
    /// Collects what threads end with.
    exits: NodeIx,
    /// Holds any number.
    number: NodeIx,
    /// Collects the objects whose addresses the program may rebuild.
    exposed: NodeIx,
    /// Holds no address: what a null pointer flows from.
    nothing: NodeIx,
    /// The nodes through which memory is accessed and that may hold a number.
    by_number: FxHashSet<NodeIx>,
    /// By object that is not exposed yet: the nodes that may be moved out of it.
    strays: FxHashMap<ObjId, Vec<NodeIx>>,
    /// Where numbers from outside come from.
    origins: Vec<String>,
}

/// Runs the analysis.
pub(super) fn solve(xcfa: &Xcfa) -> PointsTo {
    let exits = xcfa.vars.len() as NodeIx;
    let (number, exposed, nothing) = (exits + 1, exits + 2, exits + 3);
    let liveness = Liveness::of(xcfa);
    let mut flows = Flows::default();
    let fresh = fresh::unset(xcfa, &mut flows, &liveness);
    let numbers = fresh::numbers(xcfa, &fresh);
    let mut solver = Solver {
        xcfa,
        flows,
        nodes: (0..=nothing).map(|_| Node::default()).collect(),
        inclusions: FxHashSet::default(),
        term_nodes: FxHashMap::default(),
        memory: Memory::new(number, numbers, fresh),
        targets: Vec::new(),
        target_ix: FxHashMap::default(),
        offsets: FxHashMap::default(),
        work: Vec::new(),
        liveness,
        exits,
        number,
        exposed,
        nothing,
        by_number: FxHashSet::default(),
        strays: FxHashMap::default(),
        origins: Vec::new(),
    };
    solver.insert(number, super::number(xcfa));
    solver.initial_values();
    for edge in 0..xcfa.edges.len() {
        for label in 0..xcfa.edges[edge].labels.len() {
            solver.label(edge, label);
        }
    }
    solver.run();
    solver.unset_values();
    solver.result()
}

fn var_node(var: VarId) -> NodeIx {
    var.0
}

impl Solver<'_> {
    fn include(&mut self, from: NodeIx, to: NodeIx, shift: Shift) {
        if (from == to && shift == Shift::NONE) || !self.inclusions.insert((from, to, shift)) {
            return;
        }
        self.nodes[from as usize].copies.push((to, shift));
        let now: Vec<TargetIx> = sorted(&self.nodes[from as usize].set);
        for target in now {
            self.insert_moved(to, shift, self.targets[target as usize]);
        }
    }

    fn insert_moved(&mut self, node: NodeIx, shift: Shift, target: Spot) {
        let (moved, is_number) = shift.apply(self.xcfa, target);
        if let Some(moved) = moved {
            self.insert(node, moved);
        }
        if is_number {
            self.insert(node, number(self.xcfa));
        }
    }

    /// A constraint was added to a node that may have targets already: they all count as new.
    fn replay(&mut self, node: NodeIx) {
        let all = sorted(&self.nodes[node as usize].set);
        if !all.is_empty() {
            self.nodes[node as usize].pending = all;
            self.work.push(node);
        }
    }

    fn insert(&mut self, node: NodeIx, target: Spot) {
        let any = self.number(Spot::anywhere(target.object));
        let new = self.number(target);
        let at = &mut self.nodes[node as usize];
        if at.set.contains(&any) || !at.set.insert(new) {
            return;
        }
        at.pending.push(new);
        self.work.push(node);
    }

    fn number(&mut self, target: Spot) -> TargetIx {
        if let Some(&known) = self.target_ix.get(&target) {
            return known;
        }
        if !target.is_anywhere() && !target.is_coarse() {
            let count = self.offsets.entry(target.object).or_default();
            *count += 1;
            if *count > MOST_OFFSETS {
                return self.number(target.coarser());
            }
        }
        let new = self.targets.len() as TargetIx;
        self.targets.push(target);
        self.target_ix.insert(target, new);
        new
    }

    /// What is loaded from where nothing is ever stored is what an uninitialised variable holds. An access
    /// through it may reach places that were not accessed before.
    fn unset_values(&mut self) {
        loop {
            for node in self.memory.never_written() {
                self.insert_origin(node, UNINITIALISED);
            }
            if self.work.is_empty() {
                return;
            }
            self.run();
        }
    }

    fn run(&mut self) {
        while let Some(node) = self.work.pop() {
            for target in std::mem::take(&mut self.nodes[node as usize].pending) {
                self.propagate(node, self.targets[target as usize]);
            }
        }
    }

    fn propagate(&mut self, node: NodeIx, target: Spot) {
        let at = node as usize;
        for index in 0..self.nodes[at].copies.len() {
            let (to, shift) = self.nodes[at].copies[index];
            self.insert_moved(to, shift, target);
        }
        if target.object.0 as usize >= self.xcfa.objects.len() {
            return self.access_exposed(node);
        }
        if node == self.exposed {
            for stray in self.strays.remove(&target.object).unwrap_or_default() {
                self.access_exposed(stray);
            }
        }
        if node != self.exposed && target.strays(self.xcfa) {
            self.stray(node, target.object);
        }
        // A function can be called, and nothing else: there is no memory where it is.
        if let ObjectKind::Function(proc) = self.xcfa[target.object].kind {
            for index in 0..self.nodes[at].calls.len() {
                let (edge, label) = self.nodes[at].calls[index];
                self.connect(edge, label, proc);
            }
            return;
        }
        for index in 0..self.nodes[at].loads.len() {
            let (to, size) = self.nodes[at].loads[index];
            self.load(target, size, to);
        }
        for index in 0..self.nodes[at].stores.len() {
            let (value, size) = self.nodes[at].stores[index];
            self.store(value, target, size);
        }
    }

    /// An access at an unknown distance from an object: it may be anywhere, if the program knows
    /// the address of the object and of the place.
    fn stray(&mut self, node: NodeIx, object: ObjId) {
        let exposed = self.number(Spot::anywhere(object));
        match self.nodes[self.exposed as usize].set.contains(&exposed) {
            true => self.access_exposed(node),
            false => self.strays.entry(object).or_default().push(node),
        }
    }

    /// What is accessed through a number may be any object whose address can be rebuilt.
    fn access_exposed(&mut self, node: NodeIx) {
        let by_number = &self.nodes[node as usize];
        let (loads, stores) = (by_number.loads.clone(), by_number.stores.clone());
        let calls = by_number.calls.clone();
        let is_access = !loads.is_empty() || !stores.is_empty() || !calls.is_empty();
        if is_access && self.by_number.insert(node) {
            let exposed = &mut self.nodes[self.exposed as usize];
            exposed.loads.extend(loads);
            exposed.stores.extend(stores);
            exposed.calls.extend(calls);
            self.replay(self.exposed);
        }
    }

    fn load(&mut self, at: Spot, size: u32, to: NodeIx) {
        let mut count = self.nodes.len() as NodeIx;
        let cell = self.memory.load(at, size, &mut count);
        self.take_over(count);
        self.include(cell, to, self.width_shift(size));
    }

    fn store(&mut self, value: NodeIx, at: Spot, size: u32) {
        let mut count = self.nodes.len() as NodeIx;
        let cell = self.memory.store(at, size, &mut count);
        self.take_over(count);
        self.include(value, cell, self.width_shift(size));
    }

    /// Only an access as wide as a pointer moves one as it is.
    fn width_shift(&self, size: u32) -> Shift {
        match size * 8 == self.xcfa.pointer_bits() {
            true => Shift::NONE,
            false => Shift::ANYWHERE,
        }
    }

    fn take_over(&mut self, count: NodeIx) {
        self.nodes.resize_with(count as usize, Node::default);
        for (from, to, shift) in std::mem::take(&mut self.memory.fresh) {
            self.include(from, to, shift);
        }
    }

    fn result(self) -> PointsTo {
        let set = |node: NodeIx| {
            let numbers = &self.nodes[node as usize].set;
            normalise(
                numbers
                    .iter()
                    .map(|&number| self.targets[number as usize])
                    .collect(),
            )
        };
        let contents = |object| self.memory.contents(object).map_or_else(Vec::new, set);
        let calls_pointers = self.nodes.iter().any(|node| !node.calls.is_empty());
        let is_of_use = |target: &Spot| {
            let object = self.xcfa.objects.get(target.object.0 as usize);
            object.is_some_and(|object| match object.kind {
                ObjectKind::Function(_) => calls_pointers,
                _ => true,
            })
        };
        let mut exposed = set(self.exposed);
        exposed.retain(is_of_use);
        let mut found = PointsTo {
            values: self.xcfa.var_ids().map(|var| set(var_node(var))).collect(),
            vars: Vec::new(),
            contents: Vec::new(),
            exits: Vec::new(),
            exposed: Vec::new(),
            origins: self.origins.clone(),
            unset: self.memory.unset.clone(),
        };
        let contents = self.xcfa.obj_ids().map(contents).collect();
        let exits = set(self.exits);
        found.finish(
            self.xcfa,
            Found {
                contents,
                exits,
                exposed,
            },
        );
        found
    }
}

/// The members in a fixed order, so that the analysis is deterministic.
fn sorted(set: &FxHashSet<TargetIx>) -> Vec<TargetIx> {
    let mut members: Vec<_> = set.iter().copied().collect();
    members.sort_unstable();
    members
}
