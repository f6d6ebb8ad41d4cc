//! One execution, from the start until it ends, fails, or is too long.

use crate::adjacent::side_by_side;
use crate::dice::{Dice, Mood, Sight};
use crate::parked::{Parked, Place, places};
use crate::scheduler::Scheduler;
use semantics::{
    Clocks, Machine, Outcome, Property, Saved, State, Status, Step, Tid, Trace, Violation,
};
use statespace::{Inputs, Random};
use verdict::{Budget, Reason};
use xcfa::{EdgeId, Label, LockMode};

/// What all runs share.
pub struct Workshop<'m, 'x, 'b> {
    pub machine: &'m Machine<'x>,
    pub budget: &'b Budget,
    pub inputs: Inputs,
    pub random: Random,
    /// The steps of all runs together.
    pub steps: u64,
    saved: Saved,
    sight: Sight,
}

impl<'m, 'x, 'b> Workshop<'m, 'x, 'b> {
    pub fn new(machine: &'m Machine<'x>, seed: u64, budget: &'b Budget) -> Workshop<'m, 'x, 'b> {
        Workshop {
            machine,
            budget,
            inputs: Inputs::new(machine.xcfa),
            random: Random::new(seed),
            steps: 0,
            saved: Saved::default(),
            sight: Sight::default(),
        }
    }
}

/// How a run ended.
pub enum End {
    /// With a violation.
    Failed(Trace),
    /// Without one, after so many steps.
    Over(usize),
    /// It was stopped.
    Stopped(Reason),
}

/// What came of letting a thread move.
enum Tried {
    Moved,
    Failed(Violation),
    /// It cannot, and was parked.
    Waits,
}

/// An execution under way.
pub struct Run<'w, 'm, 'x, 'b> {
    shop: &'w mut Workshop<'m, 'x, 'b>,
    scheduler: &'w mut dyn Scheduler,
    mood: Mood,
    state: State,
    parked: Parked,
    clocks: Clocks,
    taken: Vec<Step>,
}

/// How often limits are looked at: every so many steps.
const CHECK_INTERVAL: usize = 256;

impl<'w, 'm, 'x, 'b> Run<'w, 'm, 'x, 'b> {
    pub fn new(
        shop: &'w mut Workshop<'m, 'x, 'b>,
        scheduler: &'w mut dyn Scheduler,
        mood: Mood,
    ) -> Run<'w, 'm, 'x, 'b> {
        let state = shop.machine.initial();
        scheduler.add(Tid(0), &mut shop.random);
        Run {
            shop,
            scheduler,
            mood,
            state,
            parked: Parked::default(),
            clocks: Clocks::default(),
            taken: Vec::new(),
        }
    }

    /// Runs until the end, for at most so many steps.
    pub fn finish(mut self, longest: usize) -> End {
        let mut tries = 0;
        while self.taken.len() < longest && !self.state.ended {
            if tries % CHECK_INTERVAL == 0
                && let Some(reason) = self.shop.budget.exceeded(0)
            {
                return End::Stopped(reason);
            }
            tries += 1;
            // Whoever is in an atomic section is not among the threads of the scheduler.
            let next = self.state.holder;
            let next = next.or_else(|| self.scheduler.next(&mut self.shop.random));
            let tried = match next {
                Some(tid) => self.let_move(tid, false),
                None => match self.let_any_move() {
                    Some(tried) => tried,
                    None => return self.stuck(),
                },
            };
            match tried {
                Tried::Failed(violation) => return End::Failed(self.trace(violation)),
                // Nobody else may move.
                Tried::Waits if self.state.holder.is_some() => return self.stuck(),
                Tried::Moved | Tried::Waits => {}
            }
        }
        End::Over(self.taken.len())
    }

    fn trace(self, violation: Violation) -> Trace {
        Trace::new(violation, self.taken)
    }

    /// Nobody can move.
    fn stuck(self) -> End {
        let machine = self.shop.machine;
        let violation = match machine.property {
            Property::Deadlock => Violation::Deadlock,
            Property::Termination => Violation::NonTermination,
            _ => return End::Over(self.taken.len()),
        };
        match machine.is_deadlock(&self.state) {
            true => End::Failed(self.trace(violation)),
            false => End::Over(self.taken.len()),
        }
    }

    /// Tries everybody who is parked until one moves; those who were not tried may move again.
    fn let_any_move(&mut self) -> Option<Tried> {
        let mut all = self.parked.take_all();
        while !all.is_empty() {
            let tid = all.swap_remove(self.shop.random.below(all.len()));
            match self.let_move(tid, true) {
                Tried::Waits => {}
                moved => {
                    for tid in all {
                        self.scheduler.add(tid, &mut self.shop.random);
                    }
                    return Some(moved);
                }
            }
        }
        None
    }

    /// Lets a thread take one of its edges. Time limits are over if this is the last resort, and now and then.
    fn let_move(&mut self, tid: Tid, last_resort: bool) -> Tried {
        let machine = self.shop.machine;
        let edges = machine.edges(&self.state, tid);
        let signal = self.state.thread(tid).waiting;
        if signal != 0 && !self.wakes_alone(edges, last_resort) {
            self.parked.park(tid, [Place::Word(signal / 8)].into_iter());
            return Tried::Waits;
        }
        let mut waits_for = Vec::new();
        let first = match edges.len() {
            0 | 1 => 0,
            count => self.shop.random.below(count),
        };
        for at in 0..edges.len() {
            let edge = edges[(first + at) % edges.len()];
            match self.attempt(tid, edge) {
                Outcome::Moved { .. } => return self.moved(tid, edge),
                Outcome::Violation(violation) => {
                    let answers = self.shop.sight.answers.clone();
                    self.taken.push(Step::new(tid.0, edge.0, answers));
                    return Tried::Failed(violation);
                }
                Outcome::Blocked => self.add_places(edge, true, &mut waits_for),
                Outcome::Cut(_) | Outcome::Beyond(_) => {
                    self.add_places(edge, false, &mut waits_for);
                }
            }
        }
        self.parked.park(tid, waits_for.into_iter());
        Tried::Waits
    }

    /// Does a thread that waits for a signal go on without one?
    fn wakes_alone(&mut self, edges: &[EdgeId], last_resort: bool) -> bool {
        let xcfa = self.shop.machine.xcfa;
        let mut labels = edges.iter().flat_map(|&edge| &xcfa[edge].labels);
        let timed = labels.any(|it| matches!(it, Label::AwaitSignal { timed: true }));
        let restless = self.shop.random.below(64) < self.mood.restless;
        match timed {
            true => last_resort || restless,
            false => restless && self.counts_spurious(),
        }
    }

    /// Waking up for no reason all the time would hide that no thread can move.
    fn counts_spurious(&self) -> bool {
        !matches!(
            self.shop.machine.property,
            Property::Deadlock | Property::Termination
        )
    }

    fn attempt(&mut self, tid: Tid, edge: EdgeId) -> Outcome {
        let mut mood = self.mood;
        if !self.counts_spurious() {
            mood.restless = 0;
        }
        let shop = &mut *self.shop;
        shop.sight.forget();
        let mut dice = Dice {
            random: &mut shop.random,
            inputs: &mut shop.inputs,
            mood,
            sight: &mut shop.sight,
        };
        let (machine, saved) = (shop.machine, &mut shop.saved);
        machine.attempt(&mut self.state, tid, edge, &mut dice, saved)
    }

    /// Where something has to happen before an edge can be taken that could not.
    fn add_places(&self, edge: EdgeId, blocked: bool, waits_for: &mut Vec<Place>) {
        let sight = &self.shop.sight;
        waits_for.extend(sight.joins.map(Place::End));
        let exclusive = |label: &Label| match label {
            Label::Lock { mode, .. } => *mode == LockMode::Exclusive,
            _ => false,
        };
        let labels = &self.shop.machine.xcfa[edge].labels;
        // It blocked at its lock, which it looked at last.
        if blocked
            && labels.iter().any(exclusive)
            && let Some(last) = sight.accesses.last().filter(|it| it.write)
        {
            let lock = places(last.cell).map(|place| match place {
                Place::Word(word) => Place::Lock(word),
                other => other,
            });
            waits_for.extend(lock);
            return;
        }
        let cells = sight.accesses.iter().map(|access| access.cell);
        waits_for.extend(cells.flat_map(places));
    }

    /// A step was taken: notes it, and who may be able to move now.
    fn moved(&mut self, tid: Tid, edge: EdgeId) -> Tried {
        let machine = self.shop.machine;
        let labels = &machine.xcfa[edge].labels;
        let starts = labels.iter().filter(|it| matches!(it, Label::Start { .. }));
        let before = self.state.threads.len() - starts.count();
        let answers = self.shop.sight.answers.clone();
        self.taken.push(Step::new(tid.0, edge.0, answers));
        self.shop.steps += 1;
        if machine.property == Property::Race {
            let seen = self.shop.sight.seen(before);
            if let Some(race) = self.clocks.step(machine, (tid, edge), &seen) {
                if let Some(steps) = side_by_side(machine, &self.taken, &race) {
                    self.taken = steps;
                }
                return Tried::Failed(Violation::DataRace);
            }
        }
        for started in before..self.state.threads.len() {
            self.scheduler
                .add(Tid(started as u32), &mut self.shop.random);
        }
        self.wake(labels);
        if self.state.thread(tid).status != Status::Running {
            self.wake_at(Place::End(tid));
        } else if self.state.holder != Some(tid) {
            self.scheduler.add(tid, &mut self.shop.random);
        }
        Tried::Moved
    }

    fn wake(&mut self, labels: &[Label]) {
        let locks = labels.iter().any(|it| matches!(it, Label::Lock { .. }));
        for at in 0..self.shop.sight.accesses.len() {
            let access = self.shop.sight.accesses[at];
            for place in places(access.cell).filter(|_| access.write) {
                self.wake_at(place);
                let Place::Word(word) = place else {
                    continue;
                };
                if !locks
                    && let Some(tid) =
                        (self.parked).wake_one(Place::Lock(word), &mut self.shop.random)
                {
                    self.scheduler.add(tid, &mut self.shop.random);
                }
            }
        }
    }

    fn wake_at(&mut self, place: Place) {
        let (state, scheduler) = (&self.state, &mut self.scheduler);
        let random = &mut self.shop.random;
        // Who waits for a signal goes on when it has come.
        let wanted = |tid| state.thread(tid).waiting == 0;
        self.parked
            .wake(place, wanted, |tid| scheduler.add(tid, random));
    }
}
