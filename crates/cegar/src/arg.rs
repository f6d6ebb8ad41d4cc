//! The abstract reachability graph: a tree of abstract states with covering edges.
//!
//! Invariants: a covered node has no children, and its coverer stands for at least its states, is
//! at the same locations with at least its crowd, and is not covered itself when it begins to
//! cover; a removed node is in no index and covers no node.

use abstraction::{ActionId, Control, Crowd, Data, Member, Shape};
use dataflow::BitSet;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use xcfa::LocId;

/// A node, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// What has been explored from a node.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The actions.
    pub actions: Vec<ActionId>,
    /// While none of these enters the precision, the actions are enough.
    pub validity: BitSet,
}

/// An abstract state, and how it came about.
#[derive(Debug)]
pub struct AbstractState {
    pub control: Control,
    pub crowd: Crowd,
    pub data: Data,
    /// Which member of the crowd before moved, if one did.
    pub member: Option<usize>,
    /// About which members of the crowd before less is known, by number.
    pub changed: Vec<(usize, Rc<Member>)>,
    /// The threads that joined the crowd.
    pub arrived: Vec<Rc<Member>>,
}

/// An abstract state and its place in the graph.
#[derive(Debug)]
pub struct Node {
    pub parent: Option<(NodeId, ActionId)>,
    /// Which member of the parent's crowd moved, if one did.
    pub member: Option<usize>,
    /// About which members of the crowd before less is known, by number.
    pub changed: Vec<(usize, Rc<Member>)>,
    /// The threads that joined the crowd on the way: the one that moved first, then those that started.
    pub arrived: Vec<Rc<Member>>,
    pub control: Rc<Control>,
    pub crowd: Crowd,
    pub data: Data,
    pub children: Vec<NodeId>,
    pub coverer: Option<NodeId>,
    pub covered: Vec<NodeId>,
    pub expansion: Option<Expansion>,
    pub removed: bool,
    pub depth: u32,
}

impl Node {
    /// Where threads are.
    pub fn locations(&self) -> impl Iterator<Item = LocId> + '_ {
        let crowd = self.crowd.members().iter().map(|(member, _)| member.loc);
        self.control.threads().map(|(_, loc)| loc).chain(crowd)
    }

    /// What is known when a member of the crowd moves, or another thread.
    pub fn data_of(&self, member: Option<usize>) -> Data {
        match member {
            Some(at) => self.crowd.members()[at].0.put_into(&self.data),
            None => self.data.clone(),
        }
    }

    /// What has become of a member of the crowd before that did not move.
    pub fn bystander<'n>(&'n self, at: usize, before: &'n Member) -> &'n Member {
        let now = self.changed.iter().find(|(number, _)| *number == at);
        now.map_or(before, |(_, now)| now)
    }
}

/// The nodes at the same locations that can cover others.
#[derive(Debug, Default)]
struct CoverCandidates {
    /// What they know; there are few combinations.
    shapes: Vec<Shape>,
    /// Nodes by what they know; several if their crowds differ.
    nodes: FxHashMap<Data, Vec<NodeId>>,
}

/// The graph.
#[derive(Debug, Default)]
pub struct Arg {
    nodes: Vec<Node>,
    at: FxHashMap<Rc<Control>, CoverCandidates>,
    live: usize,
}

impl Arg {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.live
    }

    /// All nodes that have not been removed.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        let ids = (0..self.nodes.len() as u32).map(NodeId);
        ids.filter(|&id| !self.node(id).removed)
    }

    /// Adds a node; it is covered at once if some other node covers it.
    pub fn add(&mut self, parent: Option<(NodeId, ActionId)>, state: AbstractState) -> NodeId {
        let AbstractState {
            control,
            mut crowd,
            data,
            member,
            changed,
            arrived,
        } = state;
        let id = NodeId(self.nodes.len() as u32);
        let control = match self.at.get_key_value(&control) {
            Some((known, _)) => Rc::clone(known),
            None => Rc::new(control),
        };
        let smaller = self.widen(&control, &data, &mut crowd);
        let depth = parent.map_or(0, |(parent, _)| self.node(parent).depth + 1);
        self.nodes.push(Node {
            parent,
            member,
            changed,
            arrived,
            control,
            crowd,
            data,
            children: Vec::new(),
            coverer: None,
            covered: Vec::new(),
            expansion: None,
            removed: false,
            depth,
        });
        self.live += 1;
        if let Some((parent, _)) = parent {
            self.node_mut(parent).children.push(id);
        }
        if !self.try_cover(id) {
            self.replace(&smaller, id);
            self.index(id);
        }
        id
    }

    /// Joins a crowd with those of nodes that differ from it in nothing else, so that the crowd
    /// only grows; gives these nodes.
    fn widen(&self, control: &Rc<Control>, data: &Data, crowd: &mut Crowd) -> Vec<NodeId> {
        if crowd.members().is_empty() {
            return Vec::new();
        }
        let place = self.at.get(control);
        let part = data.part(&data.shape()).unwrap_or_default();
        let alike = place.and_then(|place| place.nodes.get(&part)).cloned();
        let alike = alike.unwrap_or_default();
        for &other in &alike {
            crowd.widen(&self.node(other).crowd);
        }
        alike
    }

    /// What the smaller of these nodes would cover, the new one covers from now on; those that
    /// have not been expanded it covers itself.
    fn replace(&mut self, nodes: &[NodeId], new: NodeId) {
        let mut below = nodes.to_vec();
        below.retain(|&id| self.node(id).crowd.leq(&self.node(new).crowd));
        for &id in &below {
            self.forget_place(id);
            let node = self.node(id);
            if node.expansion.is_none() && node.covered.is_empty() {
                self.node_mut(id).coverer = Some(new);
                self.node_mut(new).covered.push(id);
            }
        }
    }

    /// Looks for a node that covers this one.
    pub fn try_cover(&mut self, id: NodeId) -> bool {
        let node = self.node(id);
        let Some(place) = self.at.get(&node.control) else {
            return false;
        };
        let coverer = place.shapes.iter().find_map(|shape| {
            let part = node.data.part(shape)?;
            let mut known = place.nodes.get(&part)?.iter().copied();
            known.find(|&other| other != id && node.crowd.leq(&self.node(other).crowd))
        });
        let Some(coverer) = coverer else { return false };
        self.node_mut(id).coverer = Some(coverer);
        self.node_mut(coverer).covered.push(id);
        true
    }

    /// From now on the node can cover others.
    pub fn index(&mut self, id: NodeId) {
        let control = Rc::clone(&self.node(id).control);
        let shape = self.node(id).data.shape();
        let part = self.node(id).data.part(&shape).unwrap_or_default();
        let place = self.at.entry(control).or_default();
        place.nodes.entry(part).or_default().push(id);
        if !place.shapes.contains(&shape) {
            place.shapes.push(shape);
        }
    }

    /// Removes everything below a node; gives the nodes that have lost their coverer.
    pub fn prune(&mut self, id: NodeId) -> Vec<NodeId> {
        let mut orphans = Vec::new();
        let mut work = std::mem::take(&mut self.node_mut(id).children);
        self.node_mut(id).expansion = None;
        while let Some(gone) = work.pop() {
            work.append(&mut self.node_mut(gone).children);
            orphans.append(&mut self.node_mut(gone).covered);
            self.forget(gone);
        }
        orphans.retain(|&orphan| !self.node(orphan).removed);
        for &orphan in &orphans {
            self.node_mut(orphan).coverer = None;
        }
        orphans
    }

    fn forget(&mut self, id: NodeId) {
        self.live -= 1;
        let node = self.node_mut(id);
        node.removed = true;
        if let Some(coverer) = node.coverer.take() {
            self.node_mut(coverer).covered.retain(|&other| other != id);
        } else {
            self.forget_place(id);
        }
        self.node_mut(id).data = Data::default();
    }

    /// From now on the node covers no further node.
    fn forget_place(&mut self, id: NodeId) {
        let Node { control, data, .. } = self.node(id);
        let control = Rc::clone(control);
        let part = data.part(&data.shape()).unwrap_or_default();
        if let Some(place) = self.at.get_mut(&control)
            && let Some(nodes) = place.nodes.get_mut(&part)
        {
            nodes.retain(|&other| other != id);
        }
    }

    /// The nodes from the root to `id`, and the actions between them.
    pub fn path(&self, id: NodeId) -> (Vec<NodeId>, Vec<ActionId>) {
        let (mut nodes, mut actions) = (vec![id], Vec::new());
        let mut now = id;
        while let Some((parent, action)) = self.node(now).parent {
            nodes.push(parent);
            actions.push(action);
            now = parent;
        }
        nodes.reverse();
        actions.reverse();
        (nodes, actions)
    }
}
