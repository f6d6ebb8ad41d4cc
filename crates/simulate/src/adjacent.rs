//! A race far apart as a schedule that ends with both accesses.

use semantics::{Clocks, Machine, Outcome, Race, Script, State, Step, Tid};
use xcfa::EdgeId;

/// Leaves out the steps that the first access happens before, and puts it next to the second, the last step. What
/// is left depends on none of the steps that are left out, for no earlier accesses race. Nothing if the machine
/// disagrees.
pub fn side_by_side(machine: &Machine<'_>, steps: &[Step], race: &Race) -> Option<Vec<Step>> {
    let first = race.accesses[0].tid;
    let own = steps.iter().enumerate();
    let mut own = own.filter(|(_, step)| step.thread == first.0);
    let (early, _) = own.nth(race.earlier_steps as usize)?;
    let (last, before) = steps.split_last()?;
    let mut follower = Follower::new(machine);
    let mut kept = Vec::new();
    // By thread: its number when only the steps that are kept are taken.
    let mut numbers: Vec<Option<u32>> = vec![Some(0)];
    let mut count = 1;
    for (at, step) in before.iter().enumerate() {
        let tid = Tid(step.thread);
        follower.take(step)?;
        let after = tid == first || follower.clocks.knows(tid, first, race.earlier_steps);
        let is_left_out = at >= early && after;
        for _ in numbers.len()..follower.state.threads.len() {
            numbers.push((!is_left_out).then_some(count));
            count += u32::from(!is_left_out);
        }
        if !is_left_out {
            kept.push(step);
        }
    }
    let all = kept.into_iter().chain([&steps[early], last]);
    let renumbered = all.map(|step| {
        let thread = numbers[step.thread as usize]?;
        Some(Step {
            thread,
            ..step.clone()
        })
    });
    let steps: Vec<Step> = renumbered.collect::<Option<_>>()?;
    is_race(machine, &steps).then_some(steps)
}

/// Do the last two steps conflict, and can both be taken after the others?
fn is_race(machine: &Machine<'_>, steps: &[Step]) -> bool {
    let [before @ .., first, second] = steps else {
        return false;
    };
    let mut follower = Follower::new(machine);
    // Nobody else moves while the thread of the first access is inside an atomic section.
    if !before
        .iter()
        .all(|step| follower.may_take(step) && follower.take(step).is_some())
    {
        return false;
    }
    let state = follower.state.clone();
    let Some(first) = follower.take(first) else {
        return false;
    };
    follower.state = state;
    let second = follower.take(second);
    second.is_some_and(|second| {
        let conflicts = |a| second.accesses.iter().any(|b| b.conflicts(a));
        first.accesses.iter().any(conflicts)
    })
}

/// Takes the steps of a schedule.
struct Follower<'m, 'x> {
    machine: &'m Machine<'x>,
    state: State,
    clocks: Clocks,
}

impl<'m, 'x> Follower<'m, 'x> {
    fn new(machine: &'m Machine<'x>) -> Follower<'m, 'x> {
        Follower {
            machine,
            state: machine.initial(),
            clocks: Clocks::default(),
        }
    }

    /// May the thread move at all?
    fn may_take(&self, step: &Step) -> bool {
        let (state, tid) = (&self.state, Tid(step.thread));
        !state.ended && state.holder.is_none_or(|holder| holder == tid)
    }

    /// Takes a step, if it can be taken as it was.
    fn take(&mut self, step: &Step) -> Option<Script> {
        let (tid, edge) = (Tid(step.thread), EdgeId(step.edge));
        let started = self.state.threads.len() as u32;
        if step.thread >= started || !self.machine.edges(&self.state, tid).contains(&edge) {
            return None;
        }
        let mut host = Script::new(&step.choices);
        let outcome = (self.machine).step(&mut self.state, tid, edge, &mut host);
        let moved = matches!(outcome, Outcome::Moved { .. });
        (moved && !host.exhausted && !host.has_rest()).then(|| {
            self.clocks
                .step(self.machine, (tid, edge), &host.seen(started));
            host
        })
    }
}
