//! The last gate before a verdict is shown.

use crate::shorten::shorten;
use crate::{Answer, Proof, Reason, Stats, Task, Verdict, not_exact};
use semantics::{Machine, Mismatch, Replay, Trace, Violation, replay, replay_graph};
use xcfa::EdgeId;

/// An answer that has passed the last gate.
///
/// Law: there are two ways to make one, [`Answer::confirm`] and [`Confirmed::unknown`]; so if you have
/// one, an *unsafe* was replayed, and you have the replay.
#[derive(Clone, Debug)]
pub struct Confirmed {
    answer: Answer,
    replay: Option<Replay>,
}

impl Confirmed {
    /// *Unknown* needs no check.
    pub fn unknown(reason: Reason) -> Confirmed {
        Confirmed {
            answer: Answer::unknown(reason),
            replay: None,
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> &Verdict {
        &self.answer.verdict
    }

    /// The replayed violation, if there is one.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// The statistics.
    pub fn stats(&self) -> &Stats {
        &self.answer.stats
    }

    /// Additional output that the user asked the engine for.
    pub fn notes(&self) -> &str {
        &self.answer.notes
    }

    /// The same violation with as few context switches as can be found quickly; it passes the gate again.
    pub fn shortened(self, task: &Task) -> Confirmed {
        let Verdict::Unsafe(trace) = self.verdict() else {
            return self;
        };
        let shorter = shorten(&Machine::new(&task.xcfa, task.property), trace);
        if shorter == *trace {
            return self;
        }
        let verdict = Verdict::Unsafe(shorter);
        let again = Answer {
            verdict,
            ..self.answer.clone()
        };
        let again = again.confirm(task);
        match again.replay {
            Some(_) => again,
            None => self,
        }
    }

    /// The answer without the replay.
    pub fn into_answer(self) -> Answer {
        self.answer
    }

    /// The verdict alone.
    pub fn into_verdict(self) -> Verdict {
        self.answer.verdict
    }
}

impl Answer {
    /// Replays an *unsafe*, as a schedule or as an execution graph ([`replayed`]); a trace that does not replay
    /// becomes *unknown*, and so does one that needs
    /// what the library might not do ([`not_exact`]). So does a *safe* about a program that accesses
    /// memory through a pointer from outside: its runs seem to end there; and a *safe* that does not
    /// speak about all values that C leaves open ([`not_followed`]).
    pub fn confirm(mut self, task: &Task) -> Confirmed {
        let mut shown = None;
        let mut refused = match &self.verdict {
            Verdict::Safe(proof) => {
                let what = task.xcfa.foreign.clone();
                let what = what.or_else(|| not_followed(task, proof));
                what.map(Reason::unsupported)
                    .or_else(|| other_model(task, proof))
            }
            Verdict::Unsafe(_) if task.property.is_memsafety() => {
                task.xcfa.foreign.clone().map(Reason::unsupported)
            }
            _ => None,
        };
        if let (Verdict::Unsafe(trace), None) = (&self.verdict, &refused) {
            let reason = match (replayed(task, trace), not_exact(task, trace)) {
                (Ok(replay), None) => {
                    shown = Some(replay);
                    None
                }
                (Ok(_), Some(what)) => Some(Reason::unsupported(what)),
                (Err(mismatch), _) => Some(not_replayed(task, trace, &mismatch)),
            };
            refused = reason;
        }
        if let Some(reason) = refused {
            self.verdict = Verdict::Unknown(reason);
        }
        Confirmed {
            answer: self,
            replay: shown,
        }
    }
}

/// A verdict that has passed the last gate.
pub fn confirm(task: &Task, verdict: Verdict) -> Verdict {
    let answer = Answer::new(verdict, Stats::default());
    answer.confirm(task).into_verdict()
}

/// Runs an execution again. A schedule counts under sequential consistency alone; under every other memory model
/// it takes a graph that the model allows.
pub fn replayed(task: &Task, trace: &Trace) -> Result<Replay, Mismatch> {
    let machine = Machine::new(&task.xcfa, task.property);
    match trace.graph.is_some() || !task.memory_model.is_sc() {
        true => replay_graph(&machine, &task.memory_model, trace),
        false => replay(&machine, trace),
    }
}

/// A proof is about the memory model of the task, or about none: all others are about sequential consistency.
fn other_model(task: &Task, proof: &Proof) -> Option<Reason> {
    let wanted = &task.memory_model;
    let right = match proof {
        Proof::AllGraphs { model, .. }
        | Proof::WeakUnrolling { model, .. }
        | Proof::Interleavings { model, .. } => model == wanted.name(),
        _ => wanted.is_sc(),
    };
    (!right).then(|| Reason::MemoryModel(wanted.name().to_owned()))
}

/// What C leaves open and a proof says nothing about. Whether an object gets the address of one that
/// is gone is tried by the machine alone; other engines give every object an address of its own.
pub fn not_followed(task: &Task, proof: &Proof) -> Option<String> {
    if let Some(what) = &task.xcfa.unspecified {
        return Some(what.clone());
    }
    if let Proof::ClosedExploration { .. } = proof {
        return None;
    }
    if !task.xcfa.ordered.is_empty() {
        let what =
            "addresses that may be of different objects, or null, are compared or subtracted";
        return Some(format!("{what}, which this engine does not follow"));
    }
    let mut objects = task.xcfa.objects.iter();
    let object = objects.find(|object| object.reuses)?;
    let what = "an allocation that may reuse a freed address, which this engine does not try";
    Some(task.xcfa.remark(object.span, what))
}

fn not_replayed(task: &Task, trace: &Trace, mismatch: &Mismatch) -> Reason {
    match (trace.violation, mismatch) {
        // Engines forget values that are not read again. They may belong to variables in scope, which
        // keep memory, and a replay forgets nothing.
        (Violation::InvalidMemtrack, Mismatch::NoViolation) => {
            Reason::unsupported("cannot tell whether memory is lost at the end")
        }
        (_, Mismatch::Beyond { index, what }) => {
            let edge = EdgeId(trace.steps[*index].edge);
            Reason::unsupported_on(&task.xcfa, edge, *what)
        }
        _ => Reason::NotReplayed(mismatch.to_string()),
    }
}
