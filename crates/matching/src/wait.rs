//! States that wait to be expanded, and which of them comes next.

use crate::config::Search;
use semantics::{Machine, State, Status};
use std::collections::{BTreeMap, VecDeque};
use xcfa::{Label, LocId, Xcfa};

/// Things that wait, each with a distance from an error.
pub struct Waiting<T> {
    search: Search,
    /// By distance; breadth and depth first do not tell distances apart.
    queues: BTreeMap<u32, VecDeque<T>>,
    count: usize,
}

impl<T> Waiting<T> {
    /// Nothing yet.
    pub fn new(search: Search) -> Waiting<T> {
        let queues = BTreeMap::new();
        Waiting {
            search,
            queues,
            count: 0,
        }
    }

    /// Adds one.
    pub fn push(&mut self, distance: u32, item: T) {
        let distance = match self.search {
            Search::Error => distance,
            Search::Bfs | Search::Dfs => 0,
        };
        self.count += 1;
        self.queues.entry(distance).or_default().push_back(item);
    }

    /// Takes the next one.
    pub fn pop(&mut self) -> Option<T> {
        let mut first = self.queues.first_entry()?;
        let item = match self.search {
            Search::Dfs => first.get_mut().pop_back(),
            Search::Bfs | Search::Error => first.get_mut().pop_front(),
        };
        if first.get().is_empty() {
            first.remove();
        }
        self.count -= 1;
        item
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }
}

/// How many steps the threads of a state are at least away from an error.
pub struct Distances {
    by_location: Vec<u32>,
}

impl Distances {
    /// In a program; without a location that shows the property's violation all are the same.
    pub fn of(machine: &Machine<'_>) -> Distances {
        let wanted = machine.property.error();
        let xcfa = machine.xcfa;
        let mut by_location = vec![u32::MAX; xcfa.locs.len()];
        for loc in xcfa.loc_ids() {
            if wanted.is_some() && xcfa[loc].error == wanted {
                by_location[loc.0 as usize] = 0;
            }
        }
        while closer(xcfa, &mut by_location) {}
        Distances { by_location }
    }

    /// The least distance of a thread.
    pub fn away(&self, state: &State) -> u32 {
        let running = state.threads.iter();
        let running = running.filter(|thread| thread.status == Status::Running);
        let away = running.map(|thread| self.by_location[thread.loc.0 as usize]);
        away.min().unwrap_or(u32::MAX)
    }
}

/// Looks one step further back; `true` if that changed something. A thread that is started or a
/// procedure that is called is one step away.
fn closer(xcfa: &Xcfa, away: &mut [u32]) -> bool {
    let mut changed = false;
    for edge in xcfa.edges.iter().rev() {
        let entered = edge.labels.iter().filter_map(|label| match label {
            Label::Start { proc, .. } => Some(xcfa[*proc].init),
            Label::Call {
                callee: xcfa::Callee::Direct(proc),
                ..
            } => Some(xcfa[*proc].init),
            _ => None,
        });
        let behind = entered.chain([edge.target]);
        let nearest = behind.map(|LocId(loc)| away[loc as usize]).min();
        let here = &mut away[edge.source.0 as usize];
        let through = nearest.unwrap_or(u32::MAX).saturating_add(1);
        if through < *here {
            *here = through;
            changed = true;
        }
    }
    changed
}
