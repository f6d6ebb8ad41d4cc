//! What threads do next, by what it depends on.
//!
//! Where a thread is and what its own variables hold decides which part of the shared state its next steps look at
//! first; what it finds there decides what it looks at next, and so on. That is a tree for each state of a thread.
//! At its leaves are the steps, as the parts of the state that they change.

use semantics::{Access, Cell, Open, Step, Violation};
use xcfa::EdgeId;

/// How a thread stands in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has ended.
    Ended,
    /// It can move, and not only by a spurious wake-up.
    Moves,
    /// It has to wait.
    Blocked,
    /// No run goes on with it.
    Cut,
}

/// One way in which a step can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The edge.
    pub edge: EdgeId,
    /// Is it a spurious wake-up?
    pub spurious: bool,
    /// Does the process end?
    pub ends: bool,
    /// From where to where in [`Leaves::changes`].
    changes: [u32; 2],
}

/// Everything that one thread can do in a state.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// How the thread stands.
    pub standing: Standing,
    /// What it could access, roughly.
    pub touches: Touches,
    ways: [u32; 2],
    accesses: [u32; 2],
    /// What is rare.
    pub rare: Option<Box<Rare>>,
}

/// What few steps show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rare {
    /// A step that violates the property.
    pub violation: Option<(Violation, Step)>,
    /// A step that could not be followed.
    pub beyond: Option<&'static str>,
    /// A step that goes otherwise in another layout of memory.
    pub open: Option<Open>,
}

/// Cells by some bits of their addresses: the same cell always has the same bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    /// By plain accesses, then by atomic ones: what is read, and what is written.
    cells: [[u64; 2]; 2],
}

impl Touches {
    fn add(&mut self, access: &Access) {
        let mask = match access.cell {
            Cell::Var(var) => 1u64.rotate_left(var.0.wrapping_mul(11)),
            Cell::Bytes { start, len } => {
                let last = start.saturating_add(len.max(1) - 1) / 8;
                match last - start / 8 {
                    0..64 => (start / 8..=last).fold(0, |all, at| all | 1 << (at * 11 % 64)),
                    _ => u64::MAX,
                }
            }
        };
        self.cells[usize::from(access.atomic)][usize::from(access.write)] |= mask;
    }

    /// May two accesses race?
    pub fn may_race(&self, other: &Touches) -> bool {
        let [[reads, writes], [atomic_reads, atomic_writes]] = self.cells;
        let [[other_reads, other_writes], [their_reads, their_writes]] = other.cells;
        let theirs = other_writes | their_writes;
        writes & (other_reads | their_reads | theirs) != 0
            || reads & theirs != 0
            || atomic_writes & (other_reads | other_writes) != 0
            || atomic_reads & other_writes != 0
    }

    /// Both.
    pub fn and(&self, other: &Touches) -> Touches {
        let mut all = *self;
        for (mine, theirs) in all
            .cells
            .iter_mut()
            .flatten()
            .zip(other.cells.iter().flatten())
        {
            *mine |= theirs;
        }
        all
    }
}

/// What threads do.
#[derive(Default)]
pub struct Leaves {
    leaves: Vec<Leaf>,
    ways: Vec<Way>,
    /// Columns, and what is in them after the step.
    changes: Vec<(u32, u32)>,
    accesses: Vec<Access>,
}

impl Leaves {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.ways.clear();
        self.changes.clear();
        self.accesses.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.leaves.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let (leaves, ways) = (80 * self.leaves.capacity(), 16 * self.ways.capacity());
        (leaves + ways + 8 * self.changes.capacity() + 40 * self.accesses.capacity()) as u64
    }

    /// A leaf by its number.
    #[inline]
    pub fn get(&self, leaf: u32) -> &Leaf {
        &self.leaves[leaf as usize]
    }

    /// The ways of a leaf.
    #[inline]
    pub fn ways(&self, leaf: &Leaf) -> &[Way] {
        &self.ways[leaf.ways[0] as usize..leaf.ways[1] as usize]
    }

    /// The columns that change on a way, with their new numbers.
    #[inline]
    pub fn changes(&self, way: &Way) -> &[(u32, u32)] {
        &self.changes[way.changes[0] as usize..way.changes[1] as usize]
    }

    /// The accesses of a leaf.
    pub fn accesses(&self, leaf: &Leaf) -> &[Access] {
        &self.accesses[leaf.accesses[0] as usize..leaf.accesses[1] as usize]
    }

    /// Adds a way to the leaf that will be added next.
    pub fn add_way(
        &mut self,
        (edge, spurious, ends): (EdgeId, bool, bool),
        changes: impl Iterator<Item = (u32, u32)>,
    ) {
        let from = self.changes.len() as u32;
        self.changes.extend(changes);
        self.ways.push(Way {
            edge,
            spurious,
            ends,
            changes: [from, self.changes.len() as u32],
        });
    }

    /// Adds accesses to the leaf that will be added next.
    pub fn add_accesses(&mut self, accesses: &[Access]) {
        self.accesses.extend_from_slice(accesses);
    }

    /// Adds the leaf whose ways and accesses were added; its number.
    pub fn finish(&mut self, standing: Standing, rare: Rare) -> u32 {
        let before = self.leaves.last();
        let [ways, accesses] = before.map_or([0; 2], |it| [it.ways[1], it.accesses[1]]);
        let mut touches = Touches::default();
        for access in &self.accesses[accesses as usize..] {
            touches.add(access);
        }
        self.leaves.push(Leaf {
            standing,
            touches,
            ways: [ways, self.ways.len() as u32],
            accesses: [accesses, self.accesses.len() as u32],
            rare: (rare != Rare::default()).then(|| Box::new(rare)),
        });
        self.leaves.len() as u32 - 1
    }

    /// Adds a leaf of others; its number.
    pub fn adopt(&mut self, others: &Leaves, leaf: u32) -> u32 {
        let leaf = others.get(leaf);
        for way in others.ways(leaf) {
            let facts = (way.edge, way.spurious, way.ends);
            self.add_way(facts, others.changes(way).iter().copied());
        }
        self.add_accesses(others.accesses(leaf));
        let rare = leaf.rare.as_deref().cloned().unwrap_or_default();
        self.finish(leaf.standing, rare)
    }

    /// Do two leaves say the same?
    pub fn agrees(&self, leaf: u32, other: &Leaves, with: u32) -> bool {
        let (a, b) = (self.get(leaf), other.get(with));
        let ways = self.ways(a).iter().zip(other.ways(b));
        let mut same = ways.map(|(x, y)| {
            let changes = self.changes(x) == other.changes(y);
            changes && (x.edge, x.spurious, x.ends) == (y.edge, y.spurious, y.ends)
        });
        self.ways(a).len() == other.ways(b).len()
            && same.all(|it| it)
            && (a.standing, &a.rare) == (b.standing, &b.rare)
            && self.accesses(a) == other.accesses(b)
    }
}

/// A branch, a leaf, or nothing yet.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const NONE: Link = Link(0);
    const LEAF: u32 = 1 << 31;

    #[inline]
    fn leaf(self) -> Option<u32> {
        (self.0 & Link::LEAF != 0).then_some(self.0 & !Link::LEAF)
    }
}

/// Looks at one column.
struct Branch {
    column: u32,
    /// By what is there.
    next: Vec<Link>,
}

/// The trees, with their leaves.
#[derive(Default)]
pub struct Tables {
    /// By thread and the number of its own state.
    roots: Vec<Vec<Link>>,
    branches: Vec<Branch>,
    /// What is at the leaves.
    pub leaves: Leaves,
    links: u64,
}

impl Tables {
    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let branches = 32 * self.branches.capacity() as u64;
        self.leaves.bytes() + branches + 4 * self.links
    }

    /// What a thread with this own state does; `number` looks at a column.
    #[inline]
    pub fn find(&self, thread: usize, own: u32, number: impl Fn(u32) -> u32) -> Option<u32> {
        let mut link = *self.roots.get(thread)?.get(own as usize)?;
        loop {
            if let Some(leaf) = link.leaf() {
                return Some(leaf);
            }
            let branch = self.branches.get((link.0 as usize).wrapping_sub(1))?;
            link = *branch.next.get(number(branch.column) as usize)?;
        }
    }

    /// Notes the leaf that looking at these columns, with these numbers in them, leads to.
    pub fn insert(&mut self, thread: usize, own: u32, reads: &[(u32, u32)], leaf: u32) {
        if self.roots.len() <= thread {
            self.roots.resize_with(thread + 1, Vec::new);
        }
        let mut link = self.slot(thread, None, own);
        let (mut branch, mut at) = (None, own);
        for &(column, number) in reads {
            if *link == Link::NONE {
                let new = self.branches.len() as u32;
                let next = Vec::new();
                self.branches.push(Branch { column, next });
                link = self.slot(thread, branch, at);
                *link = Link(new + 1);
            }
            assert!(
                link.leaf().is_none(),
                "a leaf is looked for before it is added"
            );
            let below = link.0 as usize - 1;
            assert!(
                self.branches[below].column == column,
                "what a thread looks at first depends on its own state only"
            );
            (branch, at) = (Some(below), number);
            link = self.slot(thread, branch, at);
        }
        assert!(
            *link == Link::NONE,
            "a leaf is looked for before it is added"
        );
        *link = Link(leaf | Link::LEAF);
    }

    /// A place in a branch, or among the roots of a thread.
    fn slot(&mut self, thread: usize, branch: Option<usize>, at: u32) -> &mut Link {
        let list = match branch {
            Some(branch) => &mut self.branches[branch].next,
            None => &mut self.roots[thread],
        };
        let at = at as usize;
        if list.len() <= at {
            let before = list.capacity();
            list.resize(at + 1, Link::NONE);
            self.links += (list.capacity() - before) as u64;
        }
        &mut list[at]
    }
}
