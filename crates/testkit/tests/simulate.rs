//! Random programs: what simulation finds, exploration does not deny, and the other way round.
//!
//! `MAZURKA_RANDOM_PROGRAMS` sets how many programs are tried, `MAZURKA_RANDOM_SEED` where the seeds start.

use generator::{Profile, Program};
use semantics::{Machine, Outcome, Saved, Script, State, Step, Tid};
use simulate::Config;
use statespace::Random;
use std::time::Duration;
use testkit::{agrees, budget, explored, judge_random, seeds};
use verdict::{Bound, Property, Reason, Task, Trace, Verdict};
use xcfa::{EdgeId, SourceFile};

const PROPERTIES: [Property; 4] = [
    Property::Reach,
    Property::Race,
    Property::Deadlock,
    Property::Overflow,
];

fn task(program: &Program, property: Property) -> Task {
    let file = SourceFile::new("random.i", program.to_string());
    testkit::task(file, property).expect("random programs are supported")
}

/// Can a thread take a step that nobody else has to make possible?
fn can_move(machine: &Machine<'_>, state: &State, tid: Tid) -> bool {
    machine.edges(state, tid).iter().any(|&edge| {
        let outcome = machine.step(&mut state.clone(), tid, edge, &mut Script::default());
        !matches!(outcome, Outcome::Blocked | Outcome::Cut(_))
    })
}

/// How often a schedule takes a thread off that could go on. The violation itself is no step.
fn preemptions(machine: &Machine<'_>, steps: &[Step]) -> u64 {
    let mut state = machine.initial();
    let mut count = 0;
    for (at, step) in steps.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| Tid(steps[at].thread));
        let switches = before.filter(|before| before.0 != step.thread);
        count += u64::from(switches.is_some_and(|before| can_move(machine, &state, before)));
        let mut host = Script::new(&step.choices);
        machine.step(&mut state, Tid(step.thread), EdgeId(step.edge), &mut host);
    }
    count
}

/// An error that exploration shows is not said to need more preemptions than it has.
fn is_not_denied(task: &Task, trace: &Trace, found: &Verdict) -> Result<(), String> {
    let Verdict::Unknown(Reason::Bound(Bound::Preemptions(most))) = found else {
        return Ok(());
    };
    let machine = Machine::new(&task.xcfa, task.property);
    let needed = preemptions(&machine, &trace.steps);
    match needed <= *most {
        true => Err(format!(
            "{needed} preemptions are enough, and {most} are excluded"
        )),
        false => Ok(()),
    }
}

fn judge(seed: u64, program: &Program) -> Result<[u64; 2], String> {
    let property = PROPERTIES[seed as usize % PROPERTIES.len()];
    let task = task(program, property);
    let expected = explored(&task, Duration::from_secs(5)).verdict;
    let mut found = 0;
    for (runs, preemptions) in [
        (Some(60), None),
        (Some(0), Some(seed / 4 % 3)),
        (None, None),
    ] {
        let config = Config {
            seed,
            runs,
            preemptions,
        };
        let answer = simulate::check(&task, &config, &budget(300));
        let verdict = answer.confirm(&task).into_verdict();
        let why = |why| format!("{property} by {config:?}: {why}");
        found += u64::from(agrees(&expected, &verdict).map_err(why)?);
        if let Verdict::Unsafe(trace) = &expected {
            is_not_denied(&task, trace, &verdict).map_err(why)?;
        }
    }
    Ok([found, u64::from(expected.name() == "unsafe")])
}

#[test]
fn errors_are_real_and_none_with_few_preemptions_is_denied() {
    for profile in [Profile::standard(), Profile::blocking()] {
        let judged = judge_random(seeds(100), &profile, judge);
        let [found, unsafe_programs] = judged
            .iter()
            .fold([0, 0], |[a, b], it| [a + it[0], b + it[1]]);
        println!("{found} found in 3 searches of {unsafe_programs} unsafe programs");
        assert!(
            found > unsafe_programs,
            "most errors are found by most searches"
        );
    }
}

/// Takes a random walk in which each step is tried in place and on a copy.
fn walk(seed: u64, program: &Program) -> Result<u64, String> {
    let property = PROPERTIES[seed as usize % PROPERTIES.len()];
    let task = task(program, property);
    let machine = Machine::new(&task.xcfa, property);
    let (mut state, mut saved) = (machine.initial(), Saved::default());
    let mut random = Random::new(seed);
    let mut put_back = 0;
    for _ in 0..400 {
        let tids: Vec<Tid> = state.runnable().collect();
        if tids.is_empty() {
            break;
        }
        let tid = tids[random.below(tids.len())];
        let edges = machine.edges(&state, tid);
        if edges.is_empty() {
            break;
        }
        let edge = edges[random.below(edges.len())];
        let answers: Vec<u64> = (0..4).map(|_| random.bits() >> random.below(64)).collect();
        let (before, mut copy) = (state.clone(), state.clone());
        let expected = machine.step(&mut copy, tid, edge, &mut Script::new(&answers));
        let outcome = machine.attempt(
            &mut state,
            tid,
            edge,
            &mut Script::new(&answers),
            &mut saved,
        );
        let wanted = match outcome {
            Outcome::Moved { .. } => copy,
            Outcome::Violation(_) => return Ok(put_back),
            _ => {
                put_back += 1;
                before
            }
        };
        if outcome != expected || state != wanted {
            return Err(format!(
                "{property}: edge {} as {outcome:?}, not {expected:?}",
                edge.0
            ));
        }
    }
    Ok(put_back)
}

#[test]
fn a_step_that_is_not_taken_leaves_no_trace() {
    for profile in [Profile::standard(), Profile::blocking()] {
        let put_back: u64 = judge_random(seeds(100), &profile, walk).into_iter().sum();
        assert!(put_back > 0, "some steps are not taken");
    }
}
