//! The contradicting parts of a path.

use expr::VarId;
use rustc_hash::FxHashSet;

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// The first value of a variable.
    Init(VarId),
    /// A part of the condition of a step, by number.
    Guard(usize, usize),
    /// What a step assigns to a variable.
    Update(usize, VarId),
}

/// Parts of a path that cannot hold together.
#[derive(Clone, Debug)]
pub struct Core {
    items: Vec<Item>,
    /// Variables that several steps look at and nothing in the core sets.
    free: Vec<VarId>,
    known: FxHashSet<Item>,
}

impl Core {
    pub fn new(items: Vec<Item>, free: Vec<VarId>) -> Core {
        let known = items.iter().copied().collect();
        Core { items, free, known }
    }

    pub fn contains(&self, item: Item) -> bool {
        self.known.contains(&item)
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The variables whose values carry the contradiction from step to step.
    pub fn carriers(&self) -> Vec<VarId> {
        let mut vars = self.free.clone();
        for item in &self.items {
            if let Item::Init(var) | Item::Update(_, var) = item
                && !vars.contains(var)
            {
                vars.push(*var);
            }
        }
        vars
    }

    /// The first step that has a part in it.
    pub fn first_step(&self) -> usize {
        let steps = self.items.iter().map(|item| match item {
            Item::Init(_) => 0,
            Item::Guard(step, _) | Item::Update(step, _) => *step,
        });
        steps.min().unwrap_or(0)
    }
}
