//! An execution of the optimised program as one of the program as it was written.
//!
//! Engines work on programs whose steps have been merged and whose variables have been dropped. The
//! witness that guides the search for the full execution is the short one itself: each of its
//! steps that others can see has a step in the full program with the same text and the same kind
//! of effect.

use crate::annotated_program::AnnotatedProgram;
use crate::automaton::{Accept, Automaton, Guard, Move, When};
use crate::search::{Found, Hints, call_of, search};
use dataflow::BitSet;
use semantics::{Machine, Step, Trace, Violation};
use std::collections::BTreeMap;
use std::rc::Rc;
use verdict::Budget;
use xcfa::{EdgeId, Label, Span, Xcfa};

/// What others can see of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Local,
    Reads,
    Writes,
    Synchronises,
}

/// Looks for an execution of the annotated program that does what `trace` does in `task`'s.
pub fn lift(
    coarse: &Machine<'_>,
    trace: &Trace,
    program: &AnnotatedProgram<'_>,
    budget: &Budget,
) -> Option<Trace> {
    let mut chain = Chain {
        coarse: coarse.xcfa,
        program,
        automaton: Automaton {
            nodes: 1,
            numbered: true,
            ..Automaton::default()
        },
        sets: BTreeMap::new(),
    };
    let last = match trace.violation {
        Violation::DataRace => 2,
        Violation::NonTermination if trace.loop_start.is_some() => return None,
        Violation::Deadlock | Violation::NonTermination => 0,
        _ => 1,
    };
    let before = trace.steps.len().checked_sub(last)?;
    for step in &trace.steps[..before] {
        chain.follow(step);
    }
    let targets = trace.steps[before..].iter().map(|step| match last {
        2 => chain.guard(step),
        // The step of an error may have been merged with steps of other text before it.
        _ => Guard {
            edges: Rc::new(program.edges(|_| true)),
            ..chain.guard(step)
        },
    });
    let targets = targets.collect();
    let mut automaton = chain.automaton;
    let node = automaton.nodes - 1;
    automaton.accepts.push(Accept { node, targets });
    let hints = hints(coarse.xcfa, trace);
    match search(program, &automaton, &hints, budget) {
        Found::Violation(found) => Some(found),
        _ => None,
    }
}

/// The inputs of an execution, by thread and call.
fn hints(xcfa: &Xcfa, trace: &Trace) -> Hints {
    let mut hints = Hints::default();
    for step in &trace.steps {
        let labels = xcfa[EdgeId(step.edge)].labels.iter();
        let arbitrary = labels.filter(|label| matches!(label, Label::Havoc { .. }));
        let calls: Vec<Option<Span>> = arbitrary.map(call_of).collect();
        hints.anywhere.extend(&step.choices);
        // Undefined memory and wake-ups are questions, too; then it is not clear which is which.
        if calls.len() == step.choices.len() {
            for (call, value) in calls.into_iter().zip(&step.choices) {
                if let Some(call) = call {
                    let key = (step.thread, call);
                    hints.in_order.entry(key).or_default().push(*value);
                }
            }
        }
    }
    hints
}

struct Chain<'c, 's, 'a> {
    coarse: &'c Xcfa,
    program: &'s AnnotatedProgram<'a>,
    automaton: Automaton,
    sets: BTreeMap<(Span, Kind), Rc<BitSet>>,
}

impl Chain<'_, '_, '_> {
    /// Adds a step that has to be taken, if others can see it and the full program has it.
    fn follow(&mut self, step: &Step) {
        let guard = self.guard(step);
        if kind(self.coarse, EdgeId(step.edge)) == Kind::Local || guard.edges.is_empty() {
            return;
        }
        let from = self.automaton.nodes - 1;
        self.automaton.nodes += 1;
        self.automaton.moves.push(Move {
            from,
            to: from + 1,
            guard: Some(guard),
        });
    }

    fn guard(&mut self, step: &Step) -> Guard {
        let edge = EdgeId(step.edge);
        let key = (self.coarse[edge].span, kind(self.coarse, edge));
        let program = self.program;
        let alike = || {
            let full = program.machine.xcfa;
            let same_text = |edge: EdgeId| full[edge].span == key.0;
            let exact = program.edges(|edge| same_text(edge) && kind(full, edge) == key.1);
            Rc::new(match exact.is_empty() {
                true => program.edges(same_text),
                false => exact,
            })
        };
        let edges = self.sets.entry(key).or_insert_with(alike).clone();
        Guard {
            thread: Some(self.automaton.name(&step.thread.to_string())),
            creates: None,
            starts: false,
            edges,
            when: When::Step,
            condition: None,
            scope: None,
        }
    }
}

/// The first effect of an edge that other threads can observe.
fn kind(xcfa: &Xcfa, edge: EdgeId) -> Kind {
    let of = |label: &Label| match label {
        Label::Assign { var, .. } | Label::Havoc { var, .. } if xcfa.is_global(*var) => {
            Kind::Writes
        }
        Label::Store { .. } => Kind::Writes,
        Label::Load { .. } => Kind::Reads,
        Label::Free(_)
        | Label::ThreadExit(_)
        | Label::Exit(_)
        | Label::AtomicBegin
        | Label::AtomicEnd => Kind::Synchronises,
        label if label.orders_threads() => Kind::Synchronises,
        label => {
            let mut vars = label.terms().flat_map(|term| xcfa.terms.vars(term));
            match vars.any(|var| xcfa.is_global(var)) {
                true => Kind::Reads,
                false => Kind::Local,
            }
        }
    };
    let mut kinds = xcfa[edge].labels.iter().map(of);
    kinds
        .find(|kind| *kind != Kind::Local)
        .unwrap_or(Kind::Local)
}
