//! The last gate: no *unsafe* without a replay, no *safe* about what was not followed.

use verdict::{
    Answer, Budget, Confirmed, Program, Proof, Property, Reason, Stats, Task, Trace, Verdict,
    Violation,
};
use xcfa::SourceFile;

const FAILS: &str = "
    void reach_error(void);
    extern int __VERIFIER_nondet_int(void);
    int x;
    int main(void) { x = __VERIFIER_nondet_int(); if (x == 1) reach_error(); return 0; }";

fn task(text: &str, property: Property) -> Task {
    let program = Program::new(vec![SourceFile::new("program.c", text)]);
    Task::prepare(&program, property).expect("a program that is supported")
}

fn trace(task: &Task) -> Trace {
    let answer = explore::check(task, &explore::Config::default(), &Budget::unlimited());
    match answer.verdict {
        Verdict::Unsafe(trace) => trace,
        other => panic!("no violation: {other:?}"),
    }
}

fn gate(task: &Task, verdict: Verdict) -> Confirmed {
    Answer::new(verdict, Stats::default()).confirm(task)
}

fn closed() -> Proof {
    Proof::ClosedExploration {
        states: 1,
        transitions: 0,
    }
}

fn unrolled() -> Proof {
    Proof::CompleteUnrolling {
        rounds: 1,
        events: 0,
    }
}

#[test]
fn a_trace_passes_with_its_replay() {
    let task = task(FAILS, Property::Reach);
    let confirmed = gate(&task, Verdict::Unsafe(trace(&task)));
    assert_eq!(confirmed.verdict().name(), "unsafe");
    assert!(confirmed.replay().is_some());
}

/// Whatever is changed, the trace no longer leads to the violation that it claims.
#[test]
fn a_changed_trace_becomes_unknown() {
    let task = task(FAILS, Property::Reach);
    type Change = fn(&mut Trace);
    let changes: [(&str, Change); 5] = [
        ("the last step is missing", |trace| drop(trace.steps.pop())),
        ("another thread moves", |trace| trace.steps[0].thread = 1),
        ("there is no such edge", |trace| trace.steps[0].edge = 9_999),
        ("another input", |trace| {
            for choice in trace.steps.iter_mut().flat_map(|step| &mut step.choices) {
                *choice = 7;
            }
        }),
        ("another violation", |trace| {
            trace.violation = Violation::Deadlock;
        }),
    ];
    for (what, change) in changes {
        let mut changed = trace(&task);
        change(&mut changed);
        let confirmed = gate(&task, Verdict::Unsafe(changed));
        assert!(confirmed.replay().is_none(), "{what}");
        match confirmed.into_verdict() {
            Verdict::Unknown(reason @ Reason::NotReplayed(_)) => assert!(reason.is_fault()),
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn a_trace_of_another_program_becomes_unknown() {
    let fixed = task(&FAILS.replace("x == 1", "x != x"), Property::Reach);
    let verdict = Verdict::Unsafe(trace(&task(FAILS, Property::Reach)));
    assert_eq!(gate(&fixed, verdict).verdict().name(), "unknown");
}

/// A program, a proof, and whether the gate lets *safe* through.
#[test]
fn safe_speaks_about_everything_that_c_leaves_open() {
    let plain = "int main(void) { return 0; }";
    let reuses = "
        extern void *malloc(unsigned long); extern void free(void *); void reach_error(void);
        int main(void) {
            char *a = malloc(1); free(a);
            char *b = malloc(1); if (a == b) reach_error(); free(b); return 0;
        }";
    let orders = "
        void reach_error(void); int x, y;
        int main(void) { if (&x < &y) reach_error(); return 0; }";
    let cases = [
        (plain, closed(), "safe"),
        (plain, unrolled(), "safe"),
        (reuses, closed(), "safe"),
        (reuses, unrolled(), "unknown"),
        (orders, unrolled(), "unknown"),
    ];
    for (text, proof, expected) in cases {
        let task = task(text, Property::Reach);
        let confirmed = gate(&task, Verdict::Safe(proof.clone()));
        assert_eq!(confirmed.verdict().name(), expected, "{proof:?}:{text}");
    }
}

#[test]
fn a_pointer_from_outside_proves_nothing() {
    let mut xcfa = automata::parse("proc main()\n in -> out: x := 1");
    xcfa.foreign = Some("a pointer from outside".to_owned());
    let program = Program::from_automaton(xcfa);
    let task = Task::prepare(&program, Property::MEMSAFETY).expect("an automaton");
    let confirmed = gate(&task, Verdict::Safe(closed()));
    let expected = Reason::unsupported("a pointer from outside");
    assert_eq!(confirmed.verdict(), &Verdict::Unknown(expected));
}

#[test]
fn no_verdict_needs_no_gate() {
    let confirmed = Confirmed::unknown(Reason::OutOfTime);
    assert_eq!(confirmed.verdict(), &Verdict::Unknown(Reason::OutOfTime));
    assert!(confirmed.replay().is_none());
}
