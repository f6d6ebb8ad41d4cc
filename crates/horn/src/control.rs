//! Where the threads of a set can be at the same time, by control alone.

use crate::blocks::Blocks;
use crate::steps::{Step, Steps};
use crate::variables::Member;
use abstraction::Program;
use rustc_hash::FxHashMap;
use xcfa::LocId;

/// Where a thread is; nowhere before it has been started.
pub type ThreadPosition = Option<LocId>;

/// A set of threads, by number, and where its members are.
pub type Situation = (usize, Vec<ThreadPosition>);

/// The thread that takes a step: a member of the set, by its place in it, or another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The member with this number in the set.
    Inside(usize),
    /// A thread outside of the set.
    Outside(Member),
}

/// A step out of a situation.
#[derive(Clone, Debug)]
pub struct Move {
    /// The thread that does it.
    pub who: Who,
    /// Which step, by number.
    pub step: usize,
    /// Where the members are afterwards.
    pub after: Vec<ThreadPosition>,
}

/// Too many situations are given up.
const MOST_SITUATIONS: usize = 4000;

/// What the situations are made of.
pub struct Control<'a> {
    pub program: &'a Program,
    pub blocks: &'a Blocks,
    pub steps: &'a Steps,
    pub sets: &'a [Vec<Member>],
}

impl Control<'_> {
    /// All possible situations, in the order of discovery; `None` if there are too many.
    pub fn situations(&self) -> Option<Vec<Situation>> {
        let mut found: Vec<Situation> = Vec::new();
        let mut known: FxHashMap<Situation, ()> = FxHashMap::default();
        for set in 0..self.sets.len() {
            let start = (set, self.initial(set));
            known.insert(start.clone(), ());
            found.push(start);
        }
        let mut next = 0;
        while let Some((set, places)) = found.get(next).cloned() {
            next += 1;
            for reached in self.moves(set, &places) {
                let reached = (set, reached.after);
                if known.insert(reached.clone(), ()).is_none() {
                    found.push(reached);
                }
            }
            if found.len() > MOST_SITUATIONS {
                return None;
            }
        }
        Some(found)
    }

    /// Where the members of a set are at the start.
    pub fn initial(&self, set: usize) -> Vec<ThreadPosition> {
        let place = |member: &Member| match member.thread {
            0 => Some(self.program.threads[0].init),
            _ => None,
        };
        self.sets[set].iter().map(place).collect()
    }

    /// The member that is inside a block, and therefore the only one to move.
    pub fn busy(&self, places: &[ThreadPosition]) -> Option<usize> {
        let inside = |place: &ThreadPosition| place.is_some_and(|loc| self.blocks.is_inside(loc));
        places.iter().position(inside)
    }

    /// All steps that can be done in a situation. Those of others only count where they end a
    /// block, and only if they matter to the members: that is for the caller to see.
    pub fn moves(&self, set: usize, places: &[ThreadPosition]) -> Vec<Move> {
        let mut moves = Vec::new();
        let busy = self.busy(places);
        for (number, step) in self.steps.steps.iter().enumerate() {
            if self.program.error(step.target).is_some() {
                continue;
            }
            for (at, member) in self.sets[set].iter().enumerate() {
                let may = busy.is_none_or(|busy| busy == at);
                if may && member.thread == step.thread && places[at] == Some(step.source) {
                    let mut after = places.to_vec();
                    after[at] = Some(step.target);
                    self.starting(set, step, after, &mut |after| {
                        moves.push(Move {
                            who: Who::Inside(at),
                            step: number,
                            after,
                        });
                    });
                }
            }
            if busy.is_none() && !self.blocks.is_inside(step.target) {
                let Some(other) = self.outsider(set, step.thread) else {
                    continue;
                };
                self.starting(set, step, places.to_vec(), &mut |after| {
                    moves.push(Move {
                        who: Who::Outside(other),
                        step: number,
                        after,
                    });
                });
            }
        }
        moves
    }

    /// A thread with that number that is not in the set, if there can be one.
    fn outsider(&self, set: usize, thread: usize) -> Option<Member> {
        let copy = self.sets[set].iter().filter(|m| m.thread == thread).count();
        (copy == 0 || self.program.threads[thread].many).then_some(Member { thread, copy })
    }

    /// The ways in which members of the set can be the threads that the step starts.
    fn starting(
        &self,
        set: usize,
        step: &Step,
        after: Vec<ThreadPosition>,
        found: &mut dyn FnMut(Vec<ThreadPosition>),
    ) {
        let mut ways = vec![after];
        for &thread in &step.starts {
            let init = Some(self.program.threads[thread].init);
            let many = self.program.threads[thread].many;
            let mut next = Vec::new();
            for way in ways {
                let members = self.sets[set].iter().enumerate();
                let of_thread = members.filter(|(_, member)| member.thread == thread);
                let mut there = false;
                for (at, _) in of_thread {
                    there = true;
                    if way[at].is_none() {
                        let mut started = way.clone();
                        started[at] = init;
                        next.push(started);
                    }
                }
                // Another thread of the template; a thread that is there is started only once.
                if many || !there {
                    next.push(way);
                }
            }
            ways = next;
        }
        for way in ways {
            found(way);
        }
    }
}
