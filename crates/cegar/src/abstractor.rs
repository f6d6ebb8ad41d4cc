//! Builds the abstract reachability graph.
//!
//! Law: when [`Abstractor::run`] says that the graph is closed, every error that the program can
//! reach under the precision is a node of it: each node is covered, or has a successor for each
//! action that the reduction asks for.

mod successors;

use crate::arg::{AbstractState, Arg, Expansion, Node, NodeId};
use crate::waitlist::Waitlist;
use crate::{Config, Domain, Search};
use abstraction::por::{Base, Choice, Reduction, Situation};
use abstraction::{
    ActionId, Control, Crowd, Data, Evaluator, Post, Precision, Predicate, Program, Splitting,
    Thresholds, Truth, always_enabled_locations,
};
use dataflow::BitSet;
use expr::{Terms, VarId};
use verdict::{Budget, Reason};
use xcfa::{ErrorKind, LocId};

/// How building ended.
pub enum Built {
    /// There is nothing more to explore.
    Closed,
    /// An error was reached.
    Error(NodeId),
    /// There is no budget left.
    Stopped(Reason),
}

/// What the threads can do in a node.
pub struct Moves {
    /// The actions that may be possible.
    pub enabled: Vec<ActionId>,
    /// By thread: can it certainly move?
    pub certain: Vec<bool>,
    /// By thread: what keeps it waiting, if it cannot move.
    pub waits: Vec<Option<BitSet>>,
}

/// Builds and rebuilds a graph.
pub struct Abstractor<'a> {
    program: &'a Program,
    config: &'a Config,
    reduction: Reduction,
    /// By location: can a thread there always move?
    pub total: Vec<bool>,
    /// By location: how many steps to an error, at least.
    distance: Vec<u32>,
    targets: Vec<ErrorKind>,
    pub post: Post,
    /// How far threads of a template that are alike are counted.
    pub thresholds: Thresholds,
    pub arg: Arg,
    waiting: Waitlist,
    /// Actions explored so far, over all iterations.
    pub explored: u64,
    /// Sum and number of the sizes of chosen sets, over all iterations.
    pub chosen: (u64, u64),
}

impl<'a> Abstractor<'a> {
    pub fn new(
        program: &'a Program,
        terms: &mut Terms,
        config: &'a Config,
        target: ErrorKind,
        budget: &Budget,
    ) -> Abstractor<'a> {
        let splitting = match config.domain {
            Domain::Boolean => Splitting::Boolean,
            _ => Splitting::Cartesian,
        };
        // Threads of one template depend on each other, however many there are.
        let por = match program.has_templates() {
            true => Base::None,
            false => config.por,
        };
        let total = match por {
            Base::None => vec![false; program.locations()],
            _ => always_enabled_locations(program, terms, budget),
        };
        Abstractor {
            program,
            config,
            reduction: Reduction::new(program, por, config.dependence),
            total,
            distance: distances(program, target),
            targets: vec![target],
            post: Post::new(splitting),
            thresholds: Thresholds::default(),
            arg: Arg::default(),
            waiting: Waitlist::new(search_of(program, config)),
            explored: 0,
            chosen: (0, 0),
        }
    }

    /// Starts with the initial state alone.
    pub fn restart(&mut self, terms: &Terms, precision: &Precision) {
        self.arg = Arg::default();
        self.waiting = Waitlist::new(search_of(self.program, self.config));
        let init = |var: VarId| self.program.vars[var.0 as usize].init;
        let mut evaluator = Evaluator::default();
        let mut truth = |predicate: &Predicate| match evaluator.eval(terms, predicate.term, &init) {
            Some(0) => Truth::No,
            Some(_) => Truth::Yes,
            None => Truth::Unknown,
        };
        let data = Data {
            values: precision.vars().iter().map(|&var| init(var)).collect(),
            truths: precision.predicates().iter().map(&mut truth).collect(),
        };
        let root = AbstractState {
            control: Control::initial(self.program),
            crowd: Crowd::default(),
            data,
            member: None,
            changed: Vec::new(),
            arrived: Vec::new(),
        };
        let root = self.arg.add(None, root);
        self.wait(root);
    }

    /// Also looks for these; gives a node that shows one already.
    pub fn add_target(&mut self, kind: ErrorKind) -> Option<NodeId> {
        self.targets.push(kind);
        let mut ids = self.arg.ids();
        ids.find(|&id| self.is_target(self.arg.node(id)))
    }

    fn is_target(&self, node: &Node) -> bool {
        node.locations().any(|loc| {
            let error = self.program.error(loc);
            error.is_some_and(|kind| self.targets.contains(&kind))
        })
    }

    fn wait(&mut self, id: NodeId) {
        let node = self.arg.node(id);
        let distance = || {
            let away = node.locations().map(|loc| self.distance[loc.0 as usize]);
            away.min().unwrap_or(0)
        };
        self.waiting.push(id, node.depth, distance);
    }

    /// Expands nodes until an error is reached or nothing is left.
    pub fn run(&mut self, terms: &mut Terms, precision: &Precision, budget: &Budget) -> Built {
        let mut rounds = 0u32;
        while let Some(id) = self.waiting.pop() {
            rounds += 1;
            if rounds.is_multiple_of(256) {
                budget.tell(|| format!("{} abstract states", self.arg.len()));
            }
            // The memory takes longer to ask for than the time.
            let memory = match rounds.is_multiple_of(16) {
                true => verdict::resident_bytes(),
                false => 0,
            };
            if let Some(reason) = budget.exceeded(memory) {
                self.wait(id);
                return Built::Stopped(reason);
            }
            let node = self.arg.node(id);
            if node.removed || node.coverer.is_some() {
                continue;
            }
            if self.is_target(node) {
                self.wait(id);
                return Built::Error(id);
            }
            if let Some(error) = self.expand(id, terms, precision) {
                return Built::Error(error);
            }
        }
        Built::Closed
    }

    /// Explores what is asked for and has not been explored; gives an error if one is reached.
    fn expand(&mut self, id: NodeId, terms: &mut Terms, precision: &Precision) -> Option<NodeId> {
        let done = self.arg.node_mut(id).expansion.take();
        let first_time = done.is_none();
        let done = done.map_or(Vec::new(), |expansion| expansion.actions);
        let Moves {
            enabled,
            certain,
            waits,
        } = self.moves(id, terms, precision);
        let node = self.arg.node(id);
        let situation = Situation {
            control: &node.control,
            precision,
            enabled: &enabled,
            certain: &certain,
            waits: &waits,
            explored: &done,
        };
        let mut choice = self.reduction.choose(self.program, &situation);
        // Depth first, what comes last goes on first: new threads before old ones, because a
        // larger crowd covers smaller ones.
        let mut error = match first_time {
            true => self.explore_crowd(id, terms, precision),
            false => None,
        };
        error = error.or(self.explore(id, &choice, &done, terms, precision));
        if !choice.full && self.arg.node(id).children.is_empty() {
            // The action turned out to be impossible; the others must not wait for it.
            let rest = Choice {
                actions: enabled,
                validity: BitSet::new(),
                full: true,
            };
            error = error.or(self.explore(id, &rest, &choice.actions, terms, precision));
            choice = rest;
        }
        self.chosen.0 += choice.actions.len() as u64;
        self.chosen.1 += 1;
        self.arg.node_mut(id).expansion = Some(Expansion {
            actions: choice.actions,
            validity: choice.validity,
        });
        error
    }

    fn explore(
        &mut self,
        id: NodeId,
        choice: &Choice,
        done: &[ActionId],
        terms: &mut Terms,
        precision: &Precision,
    ) -> Option<NodeId> {
        let mut error = None;
        for &action in &choice.actions {
            if !done.contains(&action) {
                let found = self.follow(id, None, action, terms, precision);
                error = error.or(found);
            }
        }
        error
    }

    /// What the threads can do in a node.
    pub fn moves(&mut self, id: NodeId, terms: &Terms, precision: &Precision) -> Moves {
        let node = self.arg.node(id);
        let threads = self.program.threads.len();
        let mut moves = Moves {
            enabled: Vec::new(),
            certain: vec![false; threads],
            waits: vec![None; threads],
        };
        for (thread, loc) in node.control.threads() {
            if node.control.holder().is_some_and(|holder| holder != thread) {
                continue;
            }
            moves.certain[thread] = self.total[loc.0 as usize];
            let before = moves.enabled.len();
            for &action in self.program.out(loc) {
                let guard = self
                    .post
                    .guard(terms, precision, &node.data, &self.program[action]);
                if guard != Some(false) {
                    moves.enabled.push(action);
                }
                moves.certain[thread] |= guard == Some(true) && self.program[action].nesting <= 0;
            }
            if moves.enabled.len() == before && self.config.por == Base::Source {
                moves.waits[thread] = Some(self.known_reads(node, loc, precision));
            }
        }
        moves
    }

    /// The variables that the next steps look at and whose values the node knows.
    fn known_reads(&self, node: &Node, loc: LocId, precision: &Precision) -> BitSet {
        let next = self.program.out(loc).iter();
        let reads = next.flat_map(|&action| self.program[action].reads.iter());
        let known = reads.filter(|&var| {
            let slot = precision.slot(VarId(var as u32));
            slot.and_then(|slot| node.data.value(slot)).is_some()
        });
        known.collect()
    }

    /// Goes on after a refinement: below the node everything is built anew, and elsewhere what the
    /// finer precision asks for in addition (Algorithm 4).
    pub fn prune(&mut self, from: NodeId, precision: &Precision) {
        let orphans = self.arg.prune(from);
        for orphan in orphans {
            if !self.arg.try_cover(orphan) {
                self.arg.index(orphan);
                self.wait(orphan);
            }
        }
        self.wait(from);
        let stale: Vec<NodeId> = self
            .arg
            .ids()
            .filter(|&id| {
                let expansion = self.arg.node(id).expansion.as_ref();
                expansion.is_some_and(|e| e.validity.intersects(precision.occurring()))
            })
            .collect();
        for id in stale {
            self.wait(id);
        }
    }
}

/// In a crowd there is always another thread to move, so depth first search would go astray.
fn search_of(program: &Program, config: &Config) -> Search {
    match (program.has_templates(), config.search) {
        (true, Search::Dfs) => Search::Bfs,
        (_, search) => search,
    }
}

/// By location: the fewest steps of its thread to a target.
fn distances(program: &Program, target: ErrorKind) -> Vec<u32> {
    let mut distance = vec![u32::MAX / 2; program.locations()];
    for (loc, away) in distance.iter_mut().enumerate() {
        if program.error(LocId(loc as u32)) == Some(target) {
            *away = 0;
        }
    }
    loop {
        let mut changed = false;
        for action in program.action_ids().rev() {
            let action = &program[action];
            let starts = action.starts.iter().map(|&t| program.threads[t].init);
            let nearest = starts.chain([action.target]);
            let nearest = nearest.map(|loc| distance[loc.0 as usize]).min();
            let through = nearest.unwrap_or(u32::MAX / 2) + 1;
            let source = &mut distance[action.source.0 as usize];
            if through < *source {
                *source = through;
                changed = true;
            }
        }
        if !changed {
            return distance;
        }
    }
}
