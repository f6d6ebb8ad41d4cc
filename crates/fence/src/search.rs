//! The search for orders that are as weak as possible.
//!
//! Weaker orders allow more executions. So a level that is too weak at one site stays so when other sites get weaker,
//! and one round over all sites ends where no single site can be weakened. (Under a model of the user's own, orders may
//! mean anything: every assignment on the way is checked all the same, but the last one need not be the weakest.)

use crate::{Kind, Level, Sites};
use verdict::{Property, Reason, Task, Verdict};

/// What a verifier says about a task.
pub(crate) type Ask<'a> = dyn FnMut(&Task) -> Verdict + 'a;

/// Which sites are weakened first: one may be weak only because another is strong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Fences, so that as few as possible are left.
    Fences,
    /// Accesses, so that as many as possible are relaxed.
    Accesses,
}

/// What came of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The answer.
    pub found: Found,
    /// How many assignments were tried.
    pub questions: u64,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// The properties hold with these levels, and with no site weaker, but for what is undecided.
    Levels {
        /// By site.
        levels: Vec<Level>,
        /// The property that does not hold as the program is written, if there is one.
        violated: Option<Property>,
        /// The levels that might do as well.
        undecided: Vec<Undecided>,
    },
    /// A property does not hold, however strong all sites are.
    Hopeless(Property),
    /// It is not known whether a property holds.
    Open {
        /// The property.
        property: Property,
        /// Why not.
        reason: Reason,
        /// Does a property fail as the program is written? Then it is not known of the strongest orders.
        violated: Option<Property>,
    },
}

/// A level that was tried at a site, without an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// The number of the site.
    pub site: usize,
    /// The level.
    pub level: Level,
    /// Why there is no answer.
    pub reason: Reason,
}

/// What to do with a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Its order is needed.
    Keep,
    /// It orders more than is needed.
    Weaken,
    /// It is a fence that does nothing.
    Remove,
    /// It orders too little.
    Strengthen,
    /// It orders something else than is needed.
    Replace,
}

impl Advice {
    /// How to come from what is written to what was found.
    pub fn of(written: Level, found: Level) -> Advice {
        match (written, found) {
            _ if written == found => Advice::Keep,
            (_, Level(None)) => Advice::Remove,
            _ if found.is_weaker_than(written) => Advice::Weaken,
            _ if written.is_weaker_than(found) => Advice::Strengthen,
            _ => Advice::Replace,
        }
    }
}

/// Searches for the weakest levels with which all properties hold.
pub fn weakest(sites: &Sites, first: First, ask: &mut Ask<'_>) -> Outcome {
    let mut search = Search {
        sites,
        first,
        ask,
        questions: 0,
        undecided: Vec::new(),
    };
    let found = search.run();
    Outcome {
        found,
        questions: search.questions,
    }
}

/// An answer about one assignment.
enum Said {
    Holds,
    Fails(Property),
    Open(Property, Reason),
}

struct Search<'a, 'q> {
    sites: &'a Sites,
    first: First,
    ask: &'a mut Ask<'q>,
    questions: u64,
    undecided: Vec<Undecided>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Found {
        let written = self.sites.written();
        let (violated, levels) = match self.say(&written) {
            Said::Holds => (None, written),
            Said::Open(property, reason) => {
                return Found::Open {
                    property,
                    reason,
                    violated: None,
                };
            }
            Said::Fails(property) => match self.repair(&written, property) {
                Ok(levels) => (Some(property), levels),
                Err(found) => return found,
            },
        };
        // What was open on the way to a repair is tried again now.
        self.undecided.clear();
        let levels = self.descend(levels);
        Found::Levels {
            levels,
            violated,
            undecided: std::mem::take(&mut self.undecided),
        }
    }

    /// Do all properties hold?
    fn say(&mut self, levels: &[Level]) -> Said {
        self.questions += 1;
        for task in self.sites.tasks(levels) {
            match (self.ask)(&task) {
                Verdict::Safe(_) => {}
                Verdict::Unsafe(_) => return Said::Fails(task.property),
                Verdict::Unknown(reason) => return Said::Open(task.property, reason),
            }
        }
        Said::Holds
    }

    /// From the strongest levels, as many sites as possible go back to what is written.
    fn repair(&mut self, written: &[Level], violated: Property) -> Result<Vec<Level>, Found> {
        let mut levels = vec![Level::STRONGEST; written.len()];
        match self.say(&levels) {
            Said::Holds => {}
            Said::Fails(property) => return Err(Found::Hopeless(property)),
            Said::Open(property, reason) => {
                return Err(Found::Open {
                    property,
                    reason,
                    violated: Some(violated),
                });
            }
        }
        for (site, &level) in written.iter().enumerate() {
            self.try_level(&mut levels, site, level);
        }
        Ok(levels)
    }

    /// Gives every site the weakest level that will do.
    fn descend(&mut self, mut levels: Vec<Level>) -> Vec<Level> {
        let is_first = |&site: &usize| {
            let is_fence = self.sites.all[site].kind == Kind::Fence;
            is_fence == (self.first == First::Fences)
        };
        let (before, after): (Vec<usize>, Vec<usize>) = (0..levels.len()).partition(is_first);
        for site in before.into_iter().chain(after) {
            let now = levels[site];
            let weaker = self.sites.all[site].kind.levels().iter();
            for &level in weaker.filter(|it| it.is_weaker_than(now)) {
                if self.try_level(&mut levels, site, level) {
                    break;
                }
            }
        }
        levels
    }

    /// Gives a site another level, if all properties hold then.
    fn try_level(&mut self, levels: &mut [Level], site: usize, level: Level) -> bool {
        let now = std::mem::replace(&mut levels[site], level);
        if now == level {
            return true;
        }
        let said = self.say(levels);
        if let Said::Holds = said {
            return true;
        }
        levels[site] = now;
        if let Said::Open(_, reason) = said {
            self.undecided.push(Undecided {
                site,
                level,
                reason,
            });
        }
        false
    }
}
