//! The graph for display.

use crate::abstractor::{Abstractor, Moves};
use crate::arg::{Node, NodeId};
use abstraction::por::{Base, Dependence, Reduction, Situation};
use abstraction::{ActionId, Count, Precision, Program, Truth};
use dataflow::BitSet;
use expr::{Terms, VarId};
use verdict::Task;

/// The graph at the end of an iteration, before it is refined.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// From 1 on.
    pub iteration: u64,
    /// The tracked variables and predicates, without locks and the states of threads.
    pub precision: Vec<String>,
    /// All nodes; parents come before their children.
    pub nodes: Vec<NodeView>,
    /// The nodes of the counterexample, from the root on; empty if there is none.
    pub path: Vec<u32>,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub struct NodeView {
    /// Its number, which it keeps over iterations while it is kept.
    pub id: u32,
    /// The node it was reached from, and how.
    pub parent: Option<(u32, ActionView)>,
    /// The threads that run, each with the line it is at.
    pub threads: Vec<(String, String)>,
    /// What is known: values and predicates.
    pub known: Vec<String>,
    /// What was explored.
    pub explored: Vec<ActionView>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    /// The variables that must not enter the precision.
    pub validity: Vec<String>,
    /// The node that covers it.
    pub covered_by: Option<u32>,
    /// Has its expansion been done?
    pub expanded: bool,
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionView {
    /// The thread that it belongs to.
    pub thread: String,
    /// The text of its line.
    pub text: String,
}

/// An action that was not explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The action.
    pub action: ActionView,
    /// Would a reduction without the precision leave it out as well?
    pub by_basic: bool,
}

/// Makes snapshots.
pub struct Viewer<'a> {
    pub task: &'a Task,
    pub program: &'a Program,
    pub terms: &'a Terms,
    pub precision: &'a Precision,
}

struct Names<'a>(&'a Program);

impl expr::Names for Names<'_> {
    fn var(&self, var: VarId) -> String {
        self.0.vars[var.0 as usize].name.clone()
    }

    fn base(&self, object: expr::ObjId) -> String {
        format!("object {}", object.0)
    }
}

impl Viewer<'_> {
    /// The graph as it is now.
    pub fn snapshot(
        &self,
        abstractor: &mut Abstractor<'_>,
        iteration: u64,
        error: Option<NodeId>,
    ) -> Snapshot {
        let path = error.map_or(Vec::new(), |error| abstractor.arg.path(error).0);
        let ids: Vec<NodeId> = abstractor.arg.ids().collect();
        let basic = Reduction::new(self.program, Base::Basic, Dependence::Ours);
        Snapshot {
            iteration,
            precision: self.precision(),
            nodes: ids
                .iter()
                .map(|&id| self.node(abstractor, &basic, id))
                .collect(),
            path: path.into_iter().map(|id| id.0).collect(),
        }
    }

    /// The variables and predicates of the precision, as text.
    pub fn precision(&self) -> Vec<String> {
        let vars = self.precision.vars().iter();
        let vars = vars.map(|var| &self.program.vars[var.0 as usize]);
        let vars = vars.filter(|var| !var.control);
        let vars = vars.map(|var| var.name.clone());
        let predicates = self.precision.predicates().iter();
        let predicates =
            predicates.map(|predicate| self.terms.show(predicate.term, &Names(self.program)));
        vars.chain(predicates).collect()
    }

    fn node(&self, abstractor: &mut Abstractor<'_>, basic: &Reduction, id: NodeId) -> NodeView {
        let moves = abstractor.moves(id, self.terms, self.precision);
        let node = abstractor.arg.node(id);
        let expansion = node.expansion.as_ref();
        let explored = expansion.map_or(&[][..], |expansion| &expansion.actions);
        let left: Vec<ActionId> = match expansion {
            Some(_) => moves
                .enabled
                .iter()
                .copied()
                .filter(|a| !explored.contains(a))
                .collect(),
            None => Vec::new(),
        };
        let by_basic = match left.is_empty() {
            true => moves.enabled.clone(),
            false => self.choice(basic, node, &moves),
        };
        let left_out = left.iter().map(|&action| LeftOut {
            action: self.action(action),
            by_basic: !by_basic.contains(&action),
        });
        NodeView {
            id: id.0,
            parent: node.parent.map(|(parent, by)| (parent.0, self.action(by))),
            threads: self.threads(node),
            known: self.known(node),
            explored: explored.iter().map(|&action| self.action(action)).collect(),
            left_out: left_out.collect(),
            validity: expansion.map_or(Vec::new(), |expansion| self.names(&expansion.validity)),
            covered_by: node.coverer.map(|coverer| coverer.0),
            expanded: expansion.is_some(),
        }
    }

    fn choice(&self, reduction: &Reduction, node: &Node, moves: &Moves) -> Vec<ActionId> {
        let situation = Situation {
            control: &node.control,
            precision: self.precision,
            enabled: &moves.enabled,
            certain: &moves.certain,
            waits: &moves.waits,
            explored: &[],
        };
        reduction.choose(self.program, &situation).actions
    }

    fn threads(&self, node: &Node) -> Vec<(String, String)> {
        let name = |thread: usize| self.program.threads[thread].name.clone();
        let threads = node.control.threads();
        let threads = threads.map(|(thread, loc)| (name(thread), self.place(loc)));
        let crowd = node.crowd.members().iter().map(|(member, count)| {
            let many = match count {
                Count::Exactly(n) => n.to_string(),
                Count::Any => "any number".to_owned(),
            };
            let of_them = format!("{} ({many})", name(member.thread));
            (of_them, self.place(member.loc))
        });
        threads.chain(crowd).collect()
    }

    fn place(&self, loc: xcfa::LocId) -> String {
        match (self.program.error(loc), self.program.out(loc).first()) {
            (Some(_), _) => "error".to_owned(),
            (None, Some(&action)) => self.line(action),
            (None, None) => "ended".to_owned(),
        }
    }

    fn known(&self, node: &Node) -> Vec<String> {
        let mut known = Vec::new();
        for (slot, var) in self.precision.vars().iter().enumerate() {
            let about = &self.program.vars[var.0 as usize];
            if let Some(value) = node.data.value(slot).filter(|_| !about.control) {
                known.push(format!("{} = {value}", about.name));
            }
        }
        for (number, predicate) in self.precision.predicates().iter().enumerate() {
            let text = self.terms.show(predicate.term, &Names(self.program));
            match node.data.truth(number) {
                Truth::Yes => known.push(text),
                Truth::No => known.push(format!("not {text}")),
                Truth::Unknown => {}
            }
        }
        known
    }

    fn names(&self, vars: &BitSet) -> Vec<String> {
        let names = vars.iter().map(|var| self.program.vars[var].name.clone());
        names.collect()
    }

    fn line(&self, action: ActionId) -> String {
        let edge = self.program[action].edge;
        let place = self
            .task
            .xcfa
            .sources
            .place(self.program.unrolled.xcfa[edge].span);
        format!("line {}", place.line)
    }

    fn action(&self, action: ActionId) -> ActionView {
        let action = &self.program[action];
        let span = self.program.unrolled.xcfa[action.edge].span;
        ActionView {
            thread: self.program.threads[action.thread].name.clone(),
            text: self.task.xcfa.sources.line_text(span).trim().to_owned(),
        }
    }
}
