//! Solving the inclusion constraints with a worklist; only what is new travels.

use super::flow::{Flows, Shift, Source};
use super::memory::{Memory, NodeIx};
use super::{Offset, PointsTo, Target, normalise};
use expr::{ObjId, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{Callee, Label, ObjectKind, ProcId, Xcfa};

/// More known offsets than this in one object count as any offset: pointers that walk through
/// an array would otherwise be followed byte by byte.
const MOST_OFFSETS: u32 = 128;

/// A target, by number.
type TargetIx = u32;

#[derive(Default)]
struct Node {
    set: FxHashSet<TargetIx>,
    pending: Vec<TargetIx>,
    /// Inclusions into other nodes.
    copies: Vec<(NodeIx, Shift)>,
    /// Loads through this node's targets: who receives them, and how many bytes.
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
    targets: Vec<Target>,
    target_ix: FxHashMap<Target, TargetIx>,
    offsets: FxHashMap<ObjId, u32>,
    work: Vec<NodeIx>,
    /// Collects what threads end with.
    exits: NodeIx,
}

/// Runs the analysis.
pub(super) fn solve(xcfa: &Xcfa) -> PointsTo {
    let exits = xcfa.vars.len() as NodeIx;
    let mut solver = Solver {
        xcfa,
        flows: Flows::new(xcfa.pointer_bits()),
        nodes: (0..=exits).map(|_| Node::default()).collect(),
        inclusions: FxHashSet::default(),
        term_nodes: FxHashMap::default(),
        memory: Memory::default(),
        targets: Vec::new(),
        target_ix: FxHashMap::default(),
        offsets: FxHashMap::default(),
        work: Vec::new(),
        exits,
    };
    solver.initial_values();
    for edge in 0..xcfa.edges.len() {
        for label in 0..xcfa.edges[edge].labels.len() {
            solver.label(edge, label);
        }
    }
    solver.run();
    solver.result()
}

fn var_node(var: VarId) -> NodeIx {
    var.0
}

impl Solver<'_> {
    fn initial_values(&mut self) {
        let xcfa = self.xcfa;
        for var in xcfa.var_ids() {
            if let Some(init) = xcfa[var].init {
                self.flow(init, var_node(var));
            }
        }
        for object in xcfa.obj_ids() {
            let ObjectKind::Static { init } = &xcfa[object].kind else {
                continue;
            };
            for &(offset, value) in init {
                if let Some(value_node) = self.node_of(value) {
                    let at = Target {
                        object,
                        offset: Offset::At(offset as i64),
                    };
                    self.store(value_node, at, xcfa.terms.width(value) / 8);
                }
            }
        }
    }

    fn label(&mut self, edge: usize, index: usize) {
        let xcfa = self.xcfa;
        match &xcfa.edges[edge].labels[index] {
            Label::Assign { var, value } => self.flow(*value, var_node(*var)),
            Label::Load { var, addr } => {
                let size = xcfa[*var].sort.width() / 8;
                if let Some(addr) = self.node_of(*addr) {
                    self.nodes[addr as usize].loads.push((var_node(*var), size));
                    self.replay(addr);
                }
            }
            Label::Store { addr, value } => {
                let size = xcfa.terms.width(*value) / 8;
                if let (Some(addr), Some(value)) = (self.node_of(*addr), self.node_of(*value)) {
                    self.nodes[addr as usize].stores.push((value, size));
                    self.replay(addr);
                }
            }
            Label::Alloc { var, object, .. } => {
                self.insert(
                    var_node(*var),
                    Target {
                        object: *object,
                        offset: Offset::At(0),
                    },
                );
            }
            Label::Start { proc, arg, .. } => {
                if let Some(&param) = xcfa[*proc].params.first() {
                    self.flow(*arg, var_node(param));
                }
                if let Some(result) = xcfa[*proc].result {
                    self.include(var_node(result), self.exits, Shift::NONE);
                }
            }
            Label::ThreadExit(value) => self.flow(*value, self.exits),
            Label::Join {
                result: Some(result),
                ..
            } => {
                self.include(self.exits, var_node(*result), Shift::NONE);
            }
            Label::Call {
                callee: Callee::Direct(proc),
                ..
            } => self.connect(edge, index, *proc),
            Label::Call {
                callee: Callee::Pointer(pointer),
                ..
            } => {
                if let Some(pointer) = self.node_of(*pointer) {
                    self.nodes[pointer as usize].calls.push((edge, index));
                    self.replay(pointer);
                }
            }
            _ => {}
        }
    }

    /// Arguments and result of a call that can reach `proc`.
    fn connect(&mut self, edge: usize, index: usize, proc: ProcId) {
        let xcfa = self.xcfa;
        let Label::Call { args, result, .. } = &xcfa.edges[edge].labels[index] else {
            return;
        };
        for (&arg, &param) in args.iter().zip(&xcfa[proc].params) {
            self.flow(arg, var_node(param));
        }
        if let (Some(to), Some(from)) = (*result, xcfa[proc].result) {
            self.include(var_node(from), var_node(to), Shift::NONE);
        }
    }

    /// A node whose targets are those of the term; none if it can have none.
    fn node_of(&mut self, term: Term) -> Option<NodeIx> {
        if let Some(var) = self.xcfa.terms.as_var(term) {
            return Some(var_node(var));
        }
        if let Some(&node) = self.term_nodes.get(&term) {
            return node;
        }
        let node = (!self.flows.of(&self.xcfa.terms, term).is_empty()).then(|| {
            self.nodes.push(Node::default());
            self.nodes.len() as NodeIx - 1
        });
        self.term_nodes.insert(term, node);
        if let Some(node) = node {
            self.flow(term, node);
        }
        node
    }

    fn flow(&mut self, term: Term, to: NodeIx) {
        for flow in self.flows.of(&self.xcfa.terms, term).iter() {
            match flow.source {
                Source::Var(var) => self.include(var_node(var), to, flow.shift),
                Source::Base(object) => {
                    let base = Target {
                        object,
                        offset: Offset::At(0),
                    };
                    self.insert(to, flow.shift.apply(base));
                }
            }
        }
    }

    fn include(&mut self, from: NodeIx, to: NodeIx, shift: Shift) {
        if (from == to && shift == Shift::NONE) || !self.inclusions.insert((from, to, shift)) {
            return;
        }
        self.nodes[from as usize].copies.push((to, shift));
        let now: Vec<TargetIx> = sorted(&self.nodes[from as usize].set);
        for target in now {
            self.insert(to, shift.apply(self.targets[target as usize]));
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

    fn insert(&mut self, node: NodeIx, target: Target) {
        let any = self.number(Target {
            offset: Offset::Any,
            ..target
        });
        let new = self.number(target);
        let at = &mut self.nodes[node as usize];
        if at.set.contains(&any) || !at.set.insert(new) {
            return;
        }
        at.pending.push(new);
        self.work.push(node);
    }

    fn number(&mut self, mut target: Target) -> TargetIx {
        if let Some(&known) = self.target_ix.get(&target) {
            return known;
        }
        if target.offset != Offset::Any {
            let count = self.offsets.entry(target.object).or_default();
            *count += 1;
            if *count > MOST_OFFSETS {
                target.offset = Offset::Any;
                return self.number(target);
            }
        }
        let new = self.targets.len() as TargetIx;
        self.targets.push(target);
        self.target_ix.insert(target, new);
        new
    }

    fn run(&mut self) {
        while let Some(node) = self.work.pop() {
            for target in std::mem::take(&mut self.nodes[node as usize].pending) {
                self.propagate(node, self.targets[target as usize]);
            }
        }
    }

    fn propagate(&mut self, node: NodeIx, target: Target) {
        let at = node as usize;
        for index in 0..self.nodes[at].copies.len() {
            let (to, shift) = self.nodes[at].copies[index];
            self.insert(to, shift.apply(target));
        }
        for index in 0..self.nodes[at].loads.len() {
            let (to, size) = self.nodes[at].loads[index];
            self.load(target, size, to);
        }
        for index in 0..self.nodes[at].stores.len() {
            let (value, size) = self.nodes[at].stores[index];
            self.store(value, target, size);
        }
        if let ObjectKind::Function(proc) = self.xcfa[target.object].kind {
            for index in 0..self.nodes[at].calls.len() {
                let (edge, label) = self.nodes[at].calls[index];
                self.connect(edge, label, proc);
            }
        }
    }

    fn load(&mut self, at: Target, size: u32, to: NodeIx) {
        let mut count = self.nodes.len() as NodeIx;
        let cell = self.memory.load(at, size, &mut count);
        self.take_over(count);
        self.include(cell, to, self.width_shift(size));
    }

    fn store(&mut self, value: NodeIx, at: Target, size: u32) {
        let mut count = self.nodes.len() as NodeIx;
        let cell = self.memory.store(at, size, &mut count);
        self.take_over(count);
        self.include(value, cell, self.width_shift(size));
    }

    /// Only an access as wide as a pointer moves one as it is.
    fn width_shift(&self, size: u32) -> Shift {
        match size * 8 == self.xcfa.pointer_bits() {
            true => Shift::NONE,
            false => Shift::Anywhere,
        }
    }

    fn take_over(&mut self, count: NodeIx) {
        self.nodes.resize_with(count as usize, Node::default);
        for (from, to, shift) in std::mem::take(&mut self.memory.fresh) {
            self.include(from, to, shift);
        }
    }

    fn result(&self) -> PointsTo {
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
        PointsTo {
            vars: self.xcfa.var_ids().map(|var| set(var_node(var))).collect(),
            contents: self.xcfa.obj_ids().map(contents).collect(),
            exits: set(self.exits),
        }
    }
}

/// The members in a fixed order, so that the analysis is deterministic.
fn sorted(set: &FxHashSet<TargetIx>) -> Vec<TargetIx> {
    let mut members: Vec<_> = set.iter().copied().collect();
    members.sort_unstable();
    members
}
