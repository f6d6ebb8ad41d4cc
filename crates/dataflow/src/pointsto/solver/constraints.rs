//! The constraints: what initial values and labels make flow where.

use super::super::flow::{Flow, Shift, Source};
use super::super::memory::NodeIx;
use super::super::spot::Spot;
use super::super::{UNINITIALISED, constant_name, origin};
use super::{Node, Solver, var_node};
use crate::liveness::is_local;
use expr::{ObjId, Sort, Term, VarId};
use xcfa::{Callee, DataModel, HavocOrigin, Label, ObjectKind, ProcId, Xcfa};

/// Where the machine puts the first object.
const FIRST_ADDRESS: u64 = 0x1000;

impl Solver<'_> {
    pub(super) fn initial_values(&mut self) {
        let xcfa = self.xcfa;
        for var in xcfa.var_ids() {
            if let Some(init) = xcfa[var].init {
                self.flow(init, var_node(var));
            }
        }
        for object in xcfa.obj_ids().filter(|&object| xcfa[object].external) {
            self.external(object);
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

    /// Anything may be in an object that is defined outside, and what is used as an address comes from there.
    fn external(&mut self, object: ObjId) {
        self.nodes.push(Node::default());
        let node = self.nodes.len() as NodeIx - 1;
        self.include(self.number, node, Shift::NONE);
        self.insert_origin(node, &self.xcfa[object].name);
        self.store(node, Spot::anywhere(object), self.xcfa.pointer_bits() / 8);
    }

    pub(super) fn label(&mut self, edge: usize, index: usize) {
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
                let value = self.node_of(*value).unwrap_or(self.nothing);
                let values = [value].into_iter().chain(number);
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
    pub(super) fn connect(&mut self, edge: usize, index: usize, proc: ProcId) {
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
                self.insert_origin(to, &constant_name(bits));
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
            HavocOrigin::Uninitialised => Some(UNINITIALISED),
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

    pub(super) fn insert_origin(&mut self, node: NodeIx, name: &str) {
        let known = self.origins.iter().position(|origin| origin == name);
        let number = known.unwrap_or_else(|| {
            self.origins.push(name.into());
            self.origins.len() - 1
        });
        self.insert(node, origin(self.xcfa, number));
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
