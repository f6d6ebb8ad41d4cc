//! Random runs: quick to find what is common, never a proof.

use semantics::{
    Access, Choice, Clocks, Host, Machine, Open, Outcome, Property, State, Step, Tid, Trace,
    Violation,
};
use statespace::{Inputs, Random};
use verdict::{Answer, Budget, Reason, Stats, Task, Verdict};
use xcfa::EdgeId;

/// A run that is longer than this is given up.
const LONGEST_RUN: usize = 100_000;

/// Answers questions at random, mostly with values that the program compares with.
struct Dice<'r> {
    random: &'r mut Random,
    inputs: &'r mut Inputs,
    answers: Vec<u64>,
    accesses: Vec<Access>,
}

impl Host for Dice<'_> {
    const OBSERVES: bool = true;

    /// Random runs prove nothing anyway.
    fn open(&mut self, _: Open) {}

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let values = self.inputs.values(choice);
        let pick = self.random.below(values.len());
        let mut answer = values[pick];
        if let Choice::Value(sort, _) = choice
            && self.random.below(4) == 0
        {
            answer = self.random.bits() & sort.mask();
        }
        self.answers.push(answer);
        answer
    }
}

/// Runs the program `runs` times at random. Finding nothing proves nothing.
pub fn simulate(task: &Task, seed: u64, runs: u64, budget: &Budget) -> Answer {
    let machine = Machine::new(&task.xcfa, task.property).noting(budget.reached());
    let mut inputs = Inputs::new(&task.xcfa);
    let mut verdict = Verdict::Unknown(Reason::SomeExecutionsOnly);
    let (mut steps, mut done) = (0, 0);
    for run in 0..runs {
        let mut random = Random::new(seed.wrapping_add(run));
        let found = one_run(&machine, &mut inputs, &mut random, budget, &mut steps);
        done += 1;
        match found {
            Some(Verdict::Unknown(reason)) => {
                verdict = Verdict::Unknown(reason);
                break;
            }
            Some(found) => {
                verdict = found;
                break;
            }
            None => {}
        }
    }
    let mut stats = Stats::default();
    stats.set("runs", done);
    stats.set("steps", steps);
    Answer::new(verdict, stats)
}

fn one_run(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    random: &mut Random,
    budget: &Budget,
    steps: &mut u64,
) -> Option<Verdict> {
    let mut state = machine.initial();
    let mut scratch = state.clone();
    let mut taken: Vec<Step> = Vec::new();
    let mut clocks = Clocks::default();
    let trace = |violation, taken: Vec<Step>| Some(Verdict::Unsafe(Trace::new(violation, taken)));
    for length in 0..LONGEST_RUN {
        if length % 256 == 0
            && let Some(reason) = budget.exceeded(0)
        {
            return Some(Verdict::Unknown(reason));
        }
        match random_step(machine, inputs, random, &mut state, &mut scratch) {
            Next::Moved(step, accesses) => {
                *steps += 1;
                let action = (Tid(step.thread), EdgeId(step.edge));
                taken.push(step);
                // After a step, `scratch` is the state before it.
                if machine.property == Property::Race
                    && clocks.step(machine, &scratch, action, &accesses).is_some()
                {
                    return trace(Violation::DataRace, taken);
                }
            }
            Next::Violation(violation, step) => {
                taken.push(step);
                return trace(violation, taken);
            }
            Next::Stuck => {
                let violation = match machine.property {
                    Property::Deadlock => Violation::Deadlock,
                    Property::Termination => Violation::NonTermination,
                    _ => return None,
                };
                return machine
                    .is_deadlock(&state)
                    .then(|| trace(violation, taken))
                    .flatten();
            }
        }
    }
    None
}

enum Next {
    Moved(Step, Vec<Access>),
    Violation(Violation, Step),
    Stuck,
}

/// Takes one of the steps that are possible, trying threads and edges in random order.
fn random_step(
    machine: &Machine<'_>,
    inputs: &mut Inputs,
    random: &mut Random,
    state: &mut State,
    scratch: &mut State,
) -> Next {
    let mut actions: Vec<(Tid, EdgeId)> = Vec::new();
    for tid in state.runnable() {
        actions.extend(machine.edges(state, tid).iter().map(|&edge| (tid, edge)));
    }
    while !actions.is_empty() {
        let (tid, edge) = actions.swap_remove(random.below(actions.len()));
        scratch.clone_from(state);
        let mut dice = Dice {
            random,
            inputs,
            answers: Vec::new(),
            accesses: Vec::new(),
        };
        let outcome = machine.step(scratch, tid, edge, &mut dice);
        let Dice {
            answers: choices,
            accesses,
            ..
        } = dice;
        let step = Step::new(tid.0, edge.0, choices);
        match outcome {
            // Waking up for no reason all the time would hide that no thread can move.
            Outcome::Moved { spurious: true }
                if matches!(machine.property, Property::Deadlock | Property::Termination) => {}
            Outcome::Moved { .. } => {
                std::mem::swap(state, scratch);
                return Next::Moved(step, accesses);
            }
            Outcome::Violation(violation) => return Next::Violation(violation, step),
            Outcome::Blocked | Outcome::Cut(_) | Outcome::Beyond(_) => {}
        }
    }
    Next::Stuck
}
