//! From a model to an execution of the program.
//!
//! The model says which steps happen and in which order. The steps are taken one after the other
//! by the machine itself, in the unrolled program, which asks for the values that the environment
//! chooses; what came of it is a trace of the original program.
//!
//! Parts of the program that the question does not depend on are not in the formula, so the model
//! says nothing true about them. A thread that has to pass through such a part takes whatever step
//! it can there.

use crate::encode::{Events, Goal, Model, Taken};
use expr::VarId;
use passes::Unrolled;
use semantics::{
    Choice, Host, Machine, Outcome, Property, State, Status, Step, Tid, Trace, Violation,
};
use std::collections::VecDeque;
use verdict::{Budget, Reason, Verdict};
use xcfa::{EdgeId, ErrorKind, Label, ProcId, Xcfa};

/// A step of the model: who, along which edge, and what the environment chooses.
pub struct Planned {
    proc: ProcId,
    edge: EdgeId,
    choices: VecDeque<u64>,
    /// Handles of the threads that its signals wake.
    wakes: VecDeque<u64>,
}

/// The machine has found no execution for a model; without the solver's answers there is none to be
/// found.
pub fn lost(budget: &Budget) -> Verdict {
    let reason = budget.exceeded(0);
    let lost = || Reason::NotReplayed("the model has no execution".into());
    Verdict::Unknown(reason.unwrap_or_else(lost))
}

/// Runs what the model says up to the goal; nothing if the machine cannot follow.
pub fn trace(
    unrolled: &Unrolled,
    property: Property,
    events: &Events,
    model: &mut Model<'_>,
    goal: &Goal,
) -> Option<Trace> {
    let plan = plan(unrolled, events, model, goal);
    let racing = match property {
        Property::Race => Some(racing(unrolled, events, model)?),
        _ => None,
    };
    run(unrolled, property, plan, racing)
}

/// Two steps that race in the end.
fn racing(unrolled: &Unrolled, events: &Events, model: &mut Model<'_>) -> Option<[Planned; 2]> {
    let mut possible = Vec::new();
    for touch in &events.touches {
        if model.value(touch.guard) != 0 {
            possible.push(touch);
        }
    }
    let mut pairs = possible.iter().enumerate().flat_map(|(at, a)| {
        let others = possible[at + 1..].iter();
        others.map(move |b| [*a, *b])
    });
    let pair = pairs.find(|[a, b]| a.conflicts(b))?;
    Some(pair.map(|touch| {
        let chosen = touch.chosen.iter();
        let chosen: Vec<(VarId, u64)> = chosen
            .map(|&(var, term)| (var, model.value(term)))
            .collect();
        Planned::new(&unrolled.xcfa, touch.edge, &chosen)
    }))
}

/// Takes steps of the unrolled program one after the other until one violates the property.
pub fn execute(unrolled: &Unrolled, property: Property, plan: Vec<Planned>) -> Option<Trace> {
    run(unrolled, property, plan, None)
}

fn run(
    unrolled: &Unrolled,
    property: Property,
    plan: Vec<Planned>,
    racing: Option<[Planned; 2]>,
) -> Option<Trace> {
    let xcfa = without_ends(&unrolled.xcfa);
    let machine = Machine::new(&xcfa, property);
    let mut run = Run {
        machine: &machine,
        unrolled,
        state: machine.initial(),
        steps: Vec::new(),
    };
    for planned in plan {
        if let Some(violation) = run.follow(planned) {
            return Some(Trace {
                violation,
                steps: run.steps,
                loop_start: None,
            });
        }
    }
    if let Some(racing) = racing {
        let before = run.state.clone();
        for planned in racing {
            // Both are taken in the same state.
            run.state.clone_from(&before);
            run.follow(planned);
        }
        return Some(Trace {
            violation: Violation::DataRace,
            steps: run.steps,
            loop_start: None,
        });
    }
    let stuck = property == Property::Deadlock && machine.is_deadlock(&run.state);
    stuck.then_some(Trace {
        violation: Violation::Deadlock,
        steps: run.steps,
        loop_start: None,
    })
}

/// The program with nothing special about the places where the unrolling ends: the step that leads
/// there is one of the original, and other threads may go on after it.
fn without_ends(xcfa: &Xcfa) -> Xcfa {
    let mut xcfa = xcfa.clone();
    for loc in &mut xcfa.locs {
        loc.error = loc.error.filter(|&kind| kind != ErrorKind::Unwound);
    }
    xcfa
}

/// The steps of the model in order.
fn plan(unrolled: &Unrolled, events: &Events, model: &mut Model<'_>, goal: &Goal) -> Vec<Planned> {
    let end = model.ranks[goal.node as usize];
    let mut last_rank: Vec<Option<u32>> = vec![None; events.threads.len()];
    let mut keyed: Vec<((u32, usize, usize), usize)> = Vec::new();
    for (at, step) in events.steps.iter().enumerate() {
        if model.value(step.guard) == 0 {
            continue;
        }
        let start = events.threads[step.thread].start;
        let rank = match step.node {
            Some(node) => model.ranks[node as usize],
            None => last_rank[step.thread]
                .or(start.map(|node| model.ranks[node as usize]))
                .unwrap_or(0),
        };
        last_rank[step.thread] = Some(rank);
        // Nothing of another thread has the goal's rank, so the goal comes last.
        let last = goal.step.filter(|_| rank == end);
        let up_to = |last: usize| step.thread == events.steps[last].thread && at <= last;
        if goal.step.is_none() || rank < end || last.is_some_and(up_to) {
            keyed.push(((rank, step.thread, at), at));
        }
    }
    keyed.sort_unstable();
    keyed
        .into_iter()
        .map(|(_, at)| planned(unrolled, model, &events.steps[at]))
        .collect()
}

fn planned(unrolled: &Unrolled, model: &mut Model<'_>, step: &Taken) -> Planned {
    let chosen = step.chosen.iter();
    let chosen: Vec<(VarId, u64)> = chosen
        .map(|&(var, term)| (var, model.value(term)))
        .collect();
    let wakes = step.wakes.iter().map(|&term| model.value(term)).collect();
    Planned {
        wakes,
        ..Planned::new(&unrolled.xcfa, step.edge, &chosen)
    }
}

impl Planned {
    /// An edge, with what its labels leave in variables that the environment may have chosen.
    pub fn new(xcfa: &Xcfa, edge: EdgeId, chosen: &[(VarId, u64)]) -> Planned {
        let mut values = chosen.iter();
        let mut choices = VecDeque::new();
        for label in &xcfa[edge].labels {
            // A load is asked about only if nobody has set what it reads; see `Answers`.
            if let Label::Havoc { var, .. } | Label::Load { var, .. } = label {
                let value = values.find(|(known, _)| known == var);
                choices.push_back(value.map_or(0, |&(_, value)| value));
            }
        }
        Planned {
            proc: xcfa[xcfa[edge].source].proc,
            edge,
            choices,
            wakes: VecDeque::new(),
        }
    }
}

struct Run<'a> {
    machine: &'a Machine<'a>,
    unrolled: &'a Unrolled,
    state: State,
    steps: Vec<Step>,
}

impl Run<'_> {
    /// Takes a planned step; gives the violation if that is one.
    fn follow(&mut self, planned: Planned) -> Option<Violation> {
        let xcfa = &self.unrolled.xcfa;
        let is_it = |tid: &Tid| xcfa[self.state.thread(*tid).loc].proc == planned.proc;
        let tid = self.state.tids().find(is_it)?;
        let source = xcfa[planned.edge].source;
        let (before, count) = (self.state.clone(), self.steps.len());
        while self.state.thread(tid).loc != source {
            match self.take_any(tid) {
                Outcome::Moved { .. } => {}
                Outcome::Violation(violation) => return Some(violation),
                // Whichever way it went, the thread has ended as the model says.
                _ if self.has_ended(tid) && ends_thread(xcfa, planned.edge) => return None,
                _ => {
                    // The step belongs to a part that the machine has passed by another way.
                    self.state = before;
                    self.steps.truncate(count);
                    return None;
                }
            }
        }
        let outcome = match self.take(tid, planned) {
            outcome @ (Outcome::Moved { .. } | Outcome::Violation(_)) => outcome,
            // Which way the thread goes depends on something that is not in the formula.
            _ => self.take_any(tid),
        };
        match outcome {
            Outcome::Violation(violation) => Some(violation),
            _ => None,
        }
    }

    fn has_ended(&self, tid: Tid) -> bool {
        self.state.thread(tid).status != Status::Running
    }

    /// Takes the first step of a thread that is possible.
    fn take_any(&mut self, tid: Tid) -> Outcome {
        let mut outcome = Outcome::Blocked;
        for &edge in self.machine.edges(&self.state, tid) {
            outcome = self.take(tid, Planned::new(&self.unrolled.xcfa, edge, &[]));
            if matches!(outcome, Outcome::Moved { .. } | Outcome::Violation(_)) {
                break;
            }
        }
        outcome
    }

    fn take(&mut self, tid: Tid, planned: Planned) -> Outcome {
        let edge = planned.edge;
        let waits_on = |tid: Tid| self.state.thread(tid).waiting;
        // Which of those who wait on the same thing it is that wakes up.
        let place = |handle: u64| {
            let woken = self.state.tids().find(|tid| tid.handle() == handle)?;
            let mut waiters = self
                .state
                .tids()
                .filter(|&tid| waits_on(tid) == waits_on(woken));
            waiters.position(|tid| tid == woken)
        };
        let wakes = planned
            .wakes
            .iter()
            .map(|&handle| place(handle).unwrap_or(0) as u64);
        let wakes = wakes.collect();
        let labels = &self.unrolled.xcfa[edge].labels;
        let mut answers = Answers {
            labels,
            next: 0,
            planned: planned.choices,
            wakes,
            given: Vec::new(),
        };
        let mut state = self.state.clone();
        let outcome = self.machine.step(&mut state, tid, edge, &mut answers);
        if matches!(outcome, Outcome::Moved { .. } | Outcome::Violation(_)) {
            self.state = state;
            self.steps.push(Step {
                thread: tid.0,
                edge: self.unrolled.origin[edge.0 as usize].0,
                choices: answers.given,
            });
        }
        outcome
    }
}

fn ends_thread(xcfa: &Xcfa, edge: EdgeId) -> bool {
    let mut labels = xcfa[edge].labels.iter();
    labels.any(|label| matches!(label, Label::ThreadExit(_)))
}

/// Answers the machine with the values of the model.
struct Answers<'a> {
    labels: &'a [Label],
    /// The next label that may have been asked about.
    next: usize,
    /// One for each `Havoc` or `Load` that is left.
    planned: VecDeque<u64>,
    /// One for each signal that wakes one of several threads.
    wakes: VecDeque<u64>,
    given: Vec<u64>,
}

impl Host for Answers<'_> {
    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = match choice {
            Choice::Waiter(_) => self.wakes.pop_front().unwrap_or(0),
            Choice::Value(sort, asked) => {
                let mut answer = 0;
                while let Some(label) = self.labels.get(self.next) {
                    self.next += 1;
                    let (fits, counts) = match label {
                        Label::Havoc { origin, .. } => (origin == asked, true),
                        // Which of several loads asks cannot be told; the first one is likely.
                        Label::Load { .. } => (*asked == xcfa::HavocOrigin::Uninitialised, true),
                        _ => (false, false),
                    };
                    if counts {
                        answer = self.planned.pop_front().unwrap_or(0);
                    }
                    if fits {
                        break;
                    }
                }
                answer & sort.mask()
            }
        };
        self.given.push(answer);
        answer
    }
}
