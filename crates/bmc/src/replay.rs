//! From the steps of a model to an execution of the program.
//!
//! The machine itself takes the steps one after the other in the unrolled program and asks for the
//! values that the environment chooses; the result is a trace of the original program.
//!
//! Parts of the program that the question does not depend on are not in the formula, so the model
//! says nothing true about them. A thread that has to pass through such a part takes whatever step
//! it can there.

use abstraction::planned;
use expr::VarId;
use passes::Unrolled;
use semantics::{
    Access, Choice, Host, Lost, Machine, Open, Outcome, Property, State, Status, Step, Tid, Trace,
    Violation,
};
use std::collections::VecDeque;
use xcfa::{EdgeId, ErrorKind, HavocOrigin, Label, ProcId, Xcfa};

/// A step of the model: the thread, the edge, and what the environment chooses.
pub struct Planned {
    proc: ProcId,
    edge: EdgeId,
    choices: Vec<(usize, u64)>,
    /// Handles of the threads that its signals wake.
    pub wakes: VecDeque<u64>,
}

/// Takes steps of the unrolled program one after the other until one violates the property; in the
/// end come two that race, if there are any.
pub fn execute(
    unrolled: &Unrolled,
    property: Property,
    plan: Vec<Planned>,
    racing: Option<[Planned; 2]>,
) -> Result<Trace, Lost> {
    let xcfa = without_ends(&unrolled.xcfa);
    let machine = Machine::new(&xcfa, property);
    let mut run = Run {
        machine: &machine,
        unrolled,
        state: machine.initial(),
        steps: Vec::new(),
        lost: Lost::NoExecution,
    };
    for planned in plan {
        if let Some(violation) = run.follow(planned) {
            return Ok(Trace::new(violation, run.steps));
        }
    }
    if let Some(racing) = racing {
        if run.lost != Lost::NoExecution {
            return Err(run.lost);
        }
        let before = run.state.clone();
        for planned in racing {
            // Both are taken in the same state.
            run.state.clone_from(&before);
            run.follow(planned);
        }
        return Ok(Trace::new(Violation::DataRace, run.steps));
    }
    let stuck = property == Property::Deadlock && machine.is_deadlock(&run.state);
    match stuck {
        true => Ok(Trace::new(Violation::Deadlock, run.steps)),
        false => Err(run.lost),
    }
}

/// The program with nothing special about the places where the unrolling ends: the step that leads
/// there is one of the original, and other threads may go on after it.
pub(crate) fn without_ends(xcfa: &Xcfa) -> Xcfa {
    let mut xcfa = xcfa.clone();
    for loc in &mut xcfa.locs {
        loc.error = loc.error.filter(|&kind| kind != ErrorKind::Unwound);
    }
    xcfa
}

impl Planned {
    /// An edge, with what its labels leave in variables that the environment may have chosen.
    pub fn new(xcfa: &Xcfa, edge: EdgeId, chosen: &[(VarId, u64)]) -> Planned {
        Planned {
            proc: xcfa[xcfa[edge].source].proc,
            edge,
            choices: planned(&xcfa[edge].labels, chosen),
            wakes: VecDeque::new(),
        }
    }
}

struct Run<'a> {
    machine: &'a Machine<'a>,
    unrolled: &'a Unrolled,
    state: State,
    steps: Vec<Step>,
    /// Why there may be no execution.
    lost: Lost,
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
        // Which of the threads that wait on the same object wakes up.
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
        let mut answers = Answers {
            at: 0,
            planned: planned.choices,
            wakes,
            given: Vec::new(),
        };
        let mut state = self.state.clone();
        let outcome = self.machine.step(&mut state, tid, edge, &mut answers);
        if matches!(outcome, Outcome::Moved { .. } | Outcome::Violation(_)) {
            self.state = state;
            self.steps.push(Step::new(
                tid.0,
                self.unrolled.origin[edge.0 as usize].0,
                answers.given,
            ));
        }
        if let Outcome::Beyond(what) = outcome {
            let edge = self.unrolled.origin[edge.0 as usize];
            self.lost = Lost::Beyond { edge, what };
        }
        outcome
    }
}

fn ends_thread(xcfa: &Xcfa, edge: EdgeId) -> bool {
    let mut labels = xcfa[edge].labels.iter();
    labels.any(|label| matches!(label, Label::ThreadExit(_)))
}

/// Answers the machine with the values of the model, and remembers what it is told of one step.
pub struct Watched {
    answers: Answers,
    /// All answers.
    pub given: Vec<u64>,
    /// Those that came from outside.
    pub inputs: Vec<u64>,
    /// What was accessed.
    pub accesses: Vec<Access>,
    /// The thread whose end the step waits for.
    pub joined: Option<Tid>,
}

impl Watched {
    /// For one step.
    pub fn new(planned: &Planned) -> Watched {
        let answers = Answers {
            at: 0,
            planned: planned.choices.clone(),
            wakes: VecDeque::new(),
            given: Vec::new(),
        };
        Watched {
            answers,
            given: Vec::new(),
            inputs: Vec::new(),
            accesses: Vec::new(),
            joined: None,
        }
    }
}

impl Host for Watched {
    const OBSERVES: bool = true;

    fn open(&mut self, _: Open) {}

    fn label(&mut self, index: usize) {
        self.answers.label(index);
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = self.answers.choose(choice);
        self.given.push(answer);
        if let Choice::Value(_, origin) = choice
            && *origin != HavocOrigin::Uninitialised
        {
            self.inputs.push(answer);
        }
        answer
    }

    fn access(&mut self, access: Access) {
        self.accesses.push(access);
    }

    fn joins(&mut self, thread: Tid) {
        self.joined = Some(thread);
    }
}

/// Answers the machine with the values of the model.
struct Answers {
    /// The label that asks.
    at: usize,
    /// One for each `Havoc` or `Load`, by number of the label.
    planned: Vec<(usize, u64)>,
    /// One for each signal that wakes one of several threads.
    wakes: VecDeque<u64>,
    given: Vec<u64>,
}

impl Host for Answers {
    /// The execution is a possible one, whatever else is possible.
    fn open(&mut self, _: Open) {}

    fn label(&mut self, index: usize) {
        self.at = index;
    }

    fn choose(&mut self, choice: Choice<'_>) -> u64 {
        let answer = match choice {
            Choice::Waiter(_) => self.wakes.pop_front().unwrap_or(0),
            Choice::Address(_) => 0,
            Choice::Value(sort, _) => {
                let planned = self.planned.iter().find(|(label, _)| *label == self.at);
                planned.map_or(0, |&(_, value)| value) & sort.mask()
            }
        };
        self.given.push(answer);
        answer
    }
}
