//! Solving the inclusion constraints with a worklist; only what is new travels.

use super::flow::{Flow, Flows, Shift, Source};
use super::memory::{Memory, NodeIx};
use super::spot::Spot;
use super::{Found, PointsTo, fresh, normalise, number};
use crate::Liveness;
use crate::liveness::is_local;
use expr::{ObjId, Sort, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use xcfa::{Callee, DataModel, HavocOrigin, Label, ObjectKind, ProcId, Xcfa};

/// More known offsets than this in one object count as any offset: pointers that walk through
/// an array would otherwise be followed byte by byte.
const MOST_OFFSETS: u32 = 128;

/// Where the machine puts the first object.
const FIRST_ADDRESS: u64 = 0x1000;

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
    let (number, exposed) = (exits + 1, exits + 2);
    let liveness = Liveness::of(xcfa);
    let mut flows = Flows::default();
    let numbers = fresh::numbers(xcfa, &mut flows, &liveness);
    let mut solver = Solver {
        xcfa,
        flows,
        nodes: (0..=exposed).map(|_| Node::default()).collect(),
        inclusions: FxHashSet::default(),
        term_nodes: FxHashMap::default(),
        memory: Memory::new(number, numbers),
        targets: Vec::new(),
        target_ix: FxHashMap::default(),
        offsets: FxHashMap::default(),
        work: Vec::new(),
        liveness,
        exits,
        number,
        exposed,
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
                if xcfa.terms.as_const(value).is_some() {
                    continue;
                }
                if let Some(value_node) = self.node_of(value) {
                    let at = Spot::at(object, offset as i64);
                    self.store(value_node, at, xcfa.terms.width(value) / 8);
                }
            }
        }
    }

    fn label(&mut self, edge: usize, index: usize) {
        let xcfa = self.xcfa;
        let label = &xcfa.edges[edge].labels[index];
        if !is_guard_of_start(xcfa, edge, label) {
            for term in label.terms() {
                self.expose(term);
            }
        }
        match label {
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
                let is_part = size * 8 != xcfa.pointer_bits();
                let is_number = is_part && xcfa.terms.as_const(*value) != Some(0);
                let number = is_number.then_some(self.number);
                let values = self.node_of(*value).into_iter().chain(number);
                if let Some(addr) = self.node_of(*addr) {
                    let values = values.map(|value| (value, size));
                    self.nodes[addr as usize].stores.extend(values);
                    self.replay(addr);
                }
            }
            Label::Havoc { var, origin } => self.havoc(edge, index, *var, origin),
            Label::Alloc {
                var, object, size, ..
            } => {
                for flow in self.flows.of(xcfa, *size).iter() {
                    self.flow_from(*flow, self.exposed);
                }
                self.insert(var_node(*var), Spot::at(*object, 0));
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
        let node = (!self.flows.of(self.xcfa, term).is_empty()).then(|| {
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
        for flow in self.flows.of(self.xcfa, term).iter() {
            self.flow_from(*flow, to);
        }
    }

    fn flow_from(&mut self, flow: Flow, to: NodeIx) {
        match flow.source {
            Source::Var(var) => self.include(var_node(var), to, flow.shift),
            Source::Base(object) => {
                self.insert_moved(to, flow.shift, Spot::at(object, 0));
            }
            Source::Number => self.include(self.number, to, Shift::NONE),
            Source::Constant(bits) if is_occupied(self.xcfa, bits) => {
                self.insert_origin(to, &super::constant_name(bits));
            }
            Source::Constant(_) => {}
        }
    }

    /// The objects whose addresses the value of the term reveals.
    fn expose(&mut self, term: Term) {
        for flow in self.flows.leaks(self.xcfa, term).iter() {
            self.flow_from(*flow, self.exposed);
        }
    }

    /// A variable gets any value; that of one from outside is the address of something unknown.
    fn havoc(&mut self, edge: usize, index: usize, var: VarId, origin: &HavocOrigin) {
        let name = match origin {
            HavocOrigin::Uninitialised if !self.is_used(edge, index, var) => return,
            HavocOrigin::Uninitialised => Some(super::UNINITIALISED),
            HavocOrigin::WeakFailure => None,
            HavocOrigin::Input(name, _)
            | HavocOrigin::External(name, _)
            | HavocOrigin::Pointer(name) => Some(name.as_str()),
        };
        let sort = self.xcfa[var].sort;
        if sort.width() >= self.xcfa.pointer_bits() {
            self.include(self.number, var_node(var), Shift::NONE);
        }
        if let Some(name) = name.filter(|_| sort != Sort::Bool) {
            self.insert_origin(var_node(var), name);
        }
    }

    fn insert_origin(&mut self, node: NodeIx, name: &str) {
        let known = self.origins.iter().position(|origin| origin == name);
        let origin = known.unwrap_or_else(|| {
            self.origins.push(name.into());
            self.origins.len() - 1
        });
        self.insert(node, super::origin(self.xcfa, origin));
    }

    /// Can the value that a label gives to a variable be used?
    fn is_used(&self, edge: usize, index: usize, var: VarId) -> bool {
        let xcfa = self.xcfa;
        let edge = &xcfa.edges[edge];
        for label in &edge.labels[index + 1..] {
            if label
                .terms()
                .any(|term| xcfa.terms.vars(term).contains(&var))
            {
                return true;
            }
            if label.defines() == Some(var) {
                return false;
            }
        }
        !is_local(xcfa, var) || self.liveness.is_live(edge.target, var)
    }

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
        if !target.is_anywhere() {
            let count = self.offsets.entry(target.object).or_default();
            *count += 1;
            if *count > MOST_OFFSETS {
                return self.number(Spot::anywhere(target.object));
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

/// Can there be an object of ours at this address? Static objects are laid out from the first on;
/// the regions of threads are far behind.
fn is_occupied(xcfa: &Xcfa, address: u64) -> bool {
    let room = |object: &xcfa::Object| object.size.unwrap_or(0) + 2 * object.align.max(16) + 16;
    let end = FIRST_ADDRESS + xcfa.objects.iter().map(room).sum::<u64>();
    let regions = match xcfa.data_model {
        DataModel::Ilp32 => 1 << 28..0xf200_0000,
        DataModel::Lp64 => 1 << 40..1 << 53,
    };
    (FIRST_ADDRESS..end).contains(&address) || regions.contains(&address)
}

/// Is it the test of a function pointer before a thread starts there?
fn is_guard_of_start(xcfa: &Xcfa, edge: usize, label: &Label) -> bool {
    let mut labels = xcfa.edges[edge].labels.iter();
    matches!(label, Label::Assume(_)) && labels.any(|label| matches!(label, Label::Start { .. }))
}

/// The members in a fixed order, so that the analysis is deterministic.
fn sorted(set: &FxHashSet<TargetIx>) -> Vec<TargetIx> {
    let mut members: Vec<_> = set.iter().copied().collect();
    members.sort_unstable();
    members
}
