//! The states found so far, how each was reached first, and where their steps lead.
//!
//! The steps of a thread are taken by the machine once for everything that they depend on ([`Tables`]); from then on
//! they are looked up, and a successor is the key of a state with a few numbers replaced.

use crate::choices::for_each_way;
use crate::column::Column;
use crate::expand::ExpansionSummary;
use crate::inputs::Inputs;
use crate::learn::{Learner, Subject};
use crate::packing::{Field, Packing};
use crate::race;
use crate::rows::{COUNT, HOLDER, Rows};
use crate::scratch::Scratch;
use crate::store::{StateId, Store, hash};
use crate::tables::{Leaf, Leaves, Rare, Standing, Tables, Touches};
use semantics::{Machine, Outcome, Property, State, Step, Tid};
use xcfa::EdgeId;

/// What leads out of a state.
#[derive(Default)]
pub struct Expansion {
    /// Where its steps lead; spurious wake-ups are marked.
    pub successors: Vec<Successor>,
    /// What else there is to say about it.
    pub summary: ExpansionSummary,
    /// Two steps that race.
    pub race: Option<[Step; 2]>,
}

impl Expansion {
    fn clear(&mut self) {
        self.successors.clear();
        self.race = None;
        let mut blocked = std::mem::take(&mut self.summary.blocked);
        blocked.clear();
        self.summary = ExpansionSummary {
            blocked,
            ..ExpansionSummary::default()
        };
    }
}

/// A step from a state.
pub struct Successor {
    /// The state that it leads to.
    pub id: StateId,
    /// Was that state not known?
    pub is_new: bool,
    /// The thread that moves, and how.
    pub action: (Tid, EdgeId),
    /// Is it a spurious wake-up?
    pub spurious: bool,
}

/// While there are fewer leaves than this, all are kept; from then on as long as each is found again often enough.
const FEW_LEAVES: u64 = 1 << 14;

/// States and a spanning tree over them.
pub struct Graph<'m, 'x> {
    machine: &'m Machine<'x>,
    /// The values that inputs are tried with.
    pub inputs: Inputs,
    rows: Rows,
    packing: Packing,
    store: Store,
    /// By state: from where it was reached first.
    parents: Vec<StateId>,
    learner: Learner<'m, 'x>,
    tables: Tables,
    /// Steps that were taken just now and are not kept.
    spare: Leaves,
    /// How often a leaf was found.
    hits: u64,
    /// Where each thread's own state is in a key.
    own: Vec<Field>,
    current: Current,
    /// The threads of the state that is expanded, with their leaves.
    found: Vec<Found>,
    key: Vec<u32>,
    next: Vec<u32>,
}

/// The state that is expanded, as far as it had to be rebuilt.
struct Current {
    id: StateId,
    state: State,
    row: Vec<u32>,
    is_loaded: bool,
}

/// A thread with its leaf.
#[derive(Clone, Copy)]
struct Found {
    tid: Tid,
    leaf: u32,
    is_kept: bool,
    can_move: bool,
}

impl<'m, 'x> Graph<'m, 'x> {
    /// With the initial state as number 0.
    pub fn new(machine: &'m Machine<'x>) -> Graph<'m, 'x> {
        let initial = machine.initial();
        let mut graph = Graph {
            machine,
            inputs: Inputs::new(machine.xcfa),
            rows: Rows::new(machine),
            packing: Packing::default(),
            store: Store::new(1),
            parents: vec![0],
            learner: Learner::new(machine),
            tables: Tables::default(),
            spare: Leaves::default(),
            hits: 0,
            own: Vec::new(),
            current: Current {
                id: 0,
                state: initial.clone(),
                row: Vec::new(),
                is_loaded: false,
            },
            found: Vec::new(),
            key: Vec::new(),
            next: Vec::new(),
        };
        let mut row = Vec::new();
        graph.rows.split(machine, &initial, &mut row);
        graph.repack();
        graph.packing.pack(&row, &mut graph.key);
        graph.store.insert(&graph.key, hash(&graph.key));
        graph
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.store.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let parents = 4 * self.parents.capacity() as u64;
        self.store.bytes() + parents + self.rows.bytes() + self.tables.bytes()
    }

    /// Adds a state that a step from another one has led to; is it new?
    pub fn insert(&mut self, state: &State, parent: StateId) -> (StateId, bool) {
        let mut row = Vec::new();
        self.rows.split(self.machine, state, &mut row);
        if !self.has_room() {
            self.repack();
        }
        row.resize(self.packing.columns(), 0);
        self.packing.pack(&row, &mut self.next);
        let (id, is_new) = self.store.insert(&self.next, hash(&self.next));
        if is_new {
            self.parents.push(parent);
        }
        (id, is_new)
    }

    /// Is there room for all numbers that there are?
    fn has_room(&self) -> bool {
        let columns = self.rows.columns();
        self.own.len() >= self.rows.threads().len()
            && self.packing.columns() >= columns.len()
            && self.packing.has_room(columns.iter().map(Column::len))
    }

    /// Makes room for all numbers that there are.
    fn repack(&mut self) {
        let counts: Vec<usize> = self.rows.columns().iter().map(Column::len).collect();
        let packing = Packing::new(&counts);
        let mut row = Vec::new();
        self.store = self.store.with_keys(packing.words(), |old, key| {
            self.packing.unpack(old, &mut row);
            row.resize(counts.len(), 0);
            packing.pack(&row, key);
        });
        self.packing = packing;
        let threads = self.rows.threads().iter();
        self.own = threads.map(|it| self.packing.field(it.own)).collect();
    }

    /// Rebuilds a state.
    pub fn load(&self, id: StateId, state: &mut State) {
        let mut row = Vec::new();
        self.packing.unpack(self.store.key(id), &mut row);
        self.rows.join(&row, state);
    }

    /// Takes every step from a state in every way, unless two of them race and that is looked for.
    pub fn expand(&mut self, id: StateId, expansion: &mut Expansion) {
        expansion.clear();
        self.spare.clear();
        self.found.clear();
        self.current.is_loaded = false;
        self.current.id = id;
        self.key.clear();
        self.key.extend_from_slice(self.store.key(id));
        self.find_leaves();
        if self.machine.property == Property::Race && self.may_race() {
            self.load_current();
            let (inputs, state) = (&mut self.inputs, &self.current.state);
            let mut scratch = Scratch::new(self.machine.xcfa, state.clone());
            expansion.race = race::find(self.machine, inputs, state, &mut scratch);
            if expansion.race.is_some() {
                return;
            }
        }
        self.follow(expansion);
    }

    /// Finds the leaf of every thread that may move, or race.
    fn find_leaves(&mut self) {
        let holder = self.packing.field(HOLDER).get(&self.key);
        let holder = Tid::from_handle(self.rows.columns()[HOLDER as usize].word(holder));
        let races = self.machine.property == Property::Race;
        for thread in 0.. {
            let Some(own) = self.own.get(thread).map(|field| field.get(&self.key)) else {
                break;
            };
            if own == 0 {
                break;
            }
            let tid = Tid(thread as u32);
            let can_move = holder.is_none_or(|holder| holder == tid);
            if !can_move && !races {
                continue;
            }
            let (packing, key) = (&self.packing, &self.key);
            let number = |column| packing.field(column).get(key);
            let (leaf, is_kept) = match self.tables.find(thread, own, number) {
                Some(leaf) => {
                    self.hits += 1;
                    if cfg!(debug_assertions) && self.hits.is_multiple_of(61) {
                        self.verify(tid, leaf);
                    }
                    (leaf, true)
                }
                None => self.learn(tid, own),
            };
            self.found.push(Found {
                tid,
                leaf,
                is_kept,
                can_move,
            });
        }
    }

    fn load_current(&mut self) {
        let current = &mut self.current;
        if !current.is_loaded {
            self.packing
                .unpack(self.store.key(current.id), &mut current.row);
            self.rows.join(&current.row, &mut current.state);
            current.is_loaded = true;
        }
    }

    /// Has the machine take the steps of a thread; are they kept?
    fn learn(&mut self, tid: Tid, own: u32) -> (u32, bool) {
        self.load_current();
        let subject = Subject {
            state: &self.current.state,
            row: &self.current.row,
            tid,
        };
        let (rows, inputs) = (&mut self.rows, &mut self.inputs);
        let (leaf, reads) = self.learner.run(rows, inputs, subject, &mut self.spare);
        if !self.has_room() {
            self.repack();
            self.key.clear();
            self.key.extend_from_slice(self.store.key(self.current.id));
        }
        let kept = self.tables.leaves.len() as u64;
        match reads {
            Some(reads) if kept < FEW_LEAVES + self.hits / 4 => {
                let leaf = self.tables.leaves.adopt(&self.spare, leaf);
                self.tables.insert(tid.0 as usize, own, &reads, leaf);
                (leaf, true)
            }
            _ => (leaf, false),
        }
    }

    /// Compares a leaf that was found with what the machine does.
    fn verify(&mut self, tid: Tid, leaf: u32) {
        self.load_current();
        let subject = Subject {
            state: &self.current.state,
            row: &self.current.row,
            tid,
        };
        let mut fresh = Leaves::default();
        let (again, _) = self
            .learner
            .run(&mut self.rows, &mut self.inputs, subject, &mut fresh);
        assert!(
            self.tables.leaves.agrees(leaf, &fresh, again),
            "a step that was looked up goes as the machine takes it"
        );
    }

    fn leaf(&self, found: Found) -> (&Leaves, &Leaf) {
        let leaves = match found.is_kept {
            true => &self.tables.leaves,
            false => &self.spare,
        };
        (leaves, leaves.get(found.leaf))
    }

    /// Are there accesses of two threads that race?
    fn may_race(&self) -> bool {
        let mut before = Touches::default();
        for (at, &found) in self.found.iter().enumerate() {
            let (leaves, leaf) = self.leaf(found);
            if leaf.touches.may_race(&before) {
                let others = self.found[..at].iter().flat_map(|&other| {
                    let (leaves, leaf) = self.leaf(other);
                    leaves.accesses(leaf)
                });
                let mine = leaves.accesses(leaf);
                let mut others = others;
                if others.any(|other| mine.iter().any(|it| it.conflicts(other))) {
                    return true;
                }
            }
            before = before.and(&leaf.touches);
        }
        false
    }

    /// Adds the states that the steps of the current one lead to.
    fn follow(&mut self, expansion: &mut Expansion) {
        let Expansion {
            successors,
            summary,
            ..
        } = expansion;
        let (mut somebody_moves, mut somebody_is_cut) = (false, false);
        for &found in self.found.iter().filter(|it| it.can_move) {
            let leaves = match found.is_kept {
                true => &self.tables.leaves,
                false => &self.spare,
            };
            let leaf = leaves.get(found.leaf);
            match leaf.standing {
                Standing::Ended => continue,
                Standing::Moves => somebody_moves = true,
                Standing::Blocked => summary.blocked.push(found.tid),
                Standing::Cut => somebody_is_cut = true,
            }
            if let Some(rare) = &leaf.rare {
                summary.note_rare(rare);
            }
            for way in leaves.ways(leaf) {
                self.next.clear();
                if way.ends {
                    self.next.resize(self.key.len(), 0);
                    let ended = self.rows.ended();
                    self.packing.field(COUNT).set(&mut self.next, ended);
                } else {
                    self.next.extend_from_slice(&self.key);
                    for &(column, number) in leaves.changes(way) {
                        self.packing.field(column).set(&mut self.next, number);
                    }
                }
                let (id, is_new) = self.store.insert(&self.next, hash(&self.next));
                if is_new {
                    self.parents.push(self.current.id);
                }
                successors.push(Successor {
                    id,
                    is_new,
                    action: (found.tid, way.edge),
                    spurious: way.spurious,
                });
            }
        }
        summary.deadlock = !summary.blocked.is_empty() && !somebody_moves && !somebody_is_cut;
    }

    /// Steps from the start to a state.
    pub fn depth(&self, mut id: StateId) -> u64 {
        let mut depth = 0;
        while id != 0 {
            id = self.parents[id as usize];
            depth += 1;
        }
        depth
    }

    /// The steps that first led to a state.
    ///
    /// Neither steps nor answers of the environment are stored: they are found again by trying.
    pub fn path(&mut self, mut id: StateId) -> Vec<Step> {
        let mut steps = Vec::new();
        while id != 0 {
            let parent = self.parents[id as usize];
            let step = self.step_between(parent, id, |_| true);
            steps.push(step.expect("a step that was taken once can be taken again"));
            id = parent;
        }
        steps.reverse();
        steps
    }

    /// Answers with which a step leads from one state to another.
    pub fn answers(&mut self, from: StateId, action: (Tid, EdgeId), to: StateId) -> Vec<u64> {
        let step = self.step_between(from, to, |other| other == action);
        step.expect("a step that was taken once can be taken again")
            .choices
    }

    /// The first step of some that leads from one state to another.
    fn step_between(
        &mut self,
        from: StateId,
        to: StateId,
        wanted: impl Fn((Tid, EdgeId)) -> bool,
    ) -> Option<Step> {
        let machine = self.machine;
        let mut state = machine.initial();
        self.load(from, &mut state);
        let (mut goal, mut row) = (Vec::new(), Vec::new());
        self.packing.unpack(self.store.key(to), &mut goal);
        let mut scratch = Scratch::new(machine.xcfa, state.clone());
        let threads: Vec<Tid> = state.runnable().collect();
        for tid in threads {
            for &edge in machine.edges(&state, tid) {
                let action = (tid, edge);
                if !wanted(action) || !machine.guard_holds(&state, tid, edge) {
                    continue;
                }
                let (rows, inputs) = (&mut self.rows, &mut self.inputs);
                let answers = for_each_way(machine, inputs, &state, &mut scratch, action, |way| {
                    let Outcome::Moved { .. } = way.outcome else {
                        return None;
                    };
                    rows.split(machine, way.state, &mut row);
                    goal.resize(row.len(), 0);
                    (row == goal).then_some(way.answers)
                });
                if let Some(answers) = answers {
                    return Some(Step::new(tid.0, edge.0, answers));
                }
            }
        }
        None
    }
}

impl ExpansionSummary {
    /// Takes over what one thread has shown.
    fn note_rare(&mut self, rare: &Rare) {
        if rare.violation.is_some() {
            self.violation.clone_from(&rare.violation);
        }
        self.beyond = rare.beyond.or(self.beyond);
        self.open = self.open.or(rare.open);
    }
}
