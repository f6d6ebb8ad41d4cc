//! Random programs: each graph is made exactly once.
//!
//! `MAZURKA_GRAPHS_PROGRAMS` sets how many programs each test tries.

mod common;

use common::{confirm, program, races, run};
use graphs::{Limits, explore, explore_on, reference};
use models::Model;
use semantics::Property;
use testkit::Atomics;

/// How many programs a test tries.
fn programs(few: u64) -> u64 {
    let wanted = std::env::var("MAZURKA_GRAPHS_PROGRAMS");
    wanted.ok().and_then(|it| it.parse().ok()).unwrap_or(few)
}

/// The threads of a program.
fn threads(seed: u64) -> Vec<String> {
    Atomics::new(seed).parts().threads
}

#[test]
fn the_reference_and_the_search_agree() {
    for seed in 0..programs(30) {
        let threads = threads(seed);
        let task = program(&threads, "");
        for model in Model::names() {
            let (all, once) = (run(reference, &task, model), run(explore, &task, model));
            let both = run(
                |task, model, limits| explore_on(2, task, model, limits),
                &task,
                model,
            );
            let counts = |it: &graphs::Outcome| (it.executions, it.blocked);
            let text = format!("{model}, seed {seed}: {threads:#?}");
            assert_eq!(
                (counts(&both), both.graphs, both.events),
                (counts(&once), once.graphs, once.events),
                "{model}, seed {seed}, two workers: {threads:#?}"
            );
            assert_eq!(once.executions, all.executions, "{text}");
            // For errors, some executions in which a thread waits are not needed.
            assert!(once.blocked <= all.blocked, "{text}");
            let (race, all_race) = (races(explore, &task, model), races(reference, &task, model));
            assert_eq!(race.is_some(), all_race.is_some(), "{text}");
            if let (None, None) = (race, all_race) {
                let mut racing = task.clone();
                racing.property = Property::Race;
                let once = run(explore, &racing, model);
                assert_eq!(counts(&once), counts(&all), "{text}");
            }
        }
    }
}

/// A thread that comes back to where it was and has only read waits. The reference knows nothing of this here: it
/// follows such loops for a few rounds. What goes wrong behind them is found all the same.
#[test]
fn waiting_hides_no_error() {
    let (mut found, mut ended) = (0, 0);
    for seed in 300_000..300_000 + programs(30) {
        let mut random = Atomics::new(seed);
        let mut threads = random.parts().threads;
        threads.truncate(2);
        let at = random.below(2);
        let (place, order) = (random.pick(&["x", "y"]), random.pick(&["rlx", "acq", "sc"]));
        let waiting = [
            format!("while (__atomic_load_n(&{place}, {order}) == 0);"),
            format!("do s{at} = __atomic_load_n(&{place}, {order}); while (s{at} == 0);"),
            format!("while (!__sync_bool_compare_and_swap(&{place}, 2, 5));"),
            format!(
                "for (int i = 0; i < 2; i++) if (__atomic_load_n(&{place}, {order})) s{at} = 1;"
            ),
            format!(
                "while (__atomic_load_n(&{place}, {order}) == 0 && __atomic_load_n(&z, rlx) == 0);"
            ),
            format!("while (__atomic_fetch_or(&{place}, 0, {order}) == 0);"),
            format!(
                "int l; do {{ l = __atomic_load_n(&{place}, {order}); __atomic_thread_fence(sc); }} while (l == 0);"
            ),
        ];
        let loops = &waiting[random.below(waiting.len())];
        threads[at] = format!("{loops} {}", threads[at]);
        let after = format!("if (r{at} == {} || s{at}) reach_error();", random.below(3));
        let task = program(&threads, &after);
        for model in Model::names() {
            let model = Model::shipped(model).expect("a model");
            let limits = |waits, events| Limits {
                events,
                graphs: 20_000,
                waits,
                budget: verdict::Budget::unlimited(),
            };
            let once = explore(&task, &model, &limits(true, 200)).expect("an answer");
            if let Some(trace) = &once.error {
                confirm(&task, model.name(), trace);
            }
            let Ok(all) = reference(&task, &model, &limits(false, 30)) else {
                continue;
            };
            ended += 1;
            found += u64::from(all.error.is_some());
            if all.error.is_some() {
                assert!(
                    once.error.is_some(),
                    "{}, seed {seed}: {threads:#?} {after}",
                    model.name()
                );
            }
        }
    }
    assert!(found > 10 && ended > 20, "{found} of {ended}: too few");
}

#[test]
fn errors_are_found_by_both_and_confirmed() {
    let mut found = 0;
    for seed in 100_000..100_000 + programs(30) {
        let mut random = Atomics::new(seed);
        let threads = random.parts().threads;
        let after = format!("if ({}) reach_error();", random.condition());
        let task = program(&threads, &after);
        for model in Model::names() {
            let (all, once) = (run(reference, &task, model), run(explore, &task, model));
            assert_eq!(
                once.error.is_some(),
                all.error.is_some(),
                "{model}, seed {seed}: {threads:#?}"
            );
            for trace in [&once.error, &all.error].into_iter().flatten() {
                confirm(&task, model, trace);
                found += 1;
            }
        }
    }
    assert!(found > 20, "{found} errors are too few to say anything");
}

/// A program is robust if, and only if, the model has as many executions as sequential consistency: it has all
/// of those.
#[test]
fn robust_programs_have_no_more_executions() {
    let mut found = 0;
    for seed in 200_000..200_000 + programs(30) {
        let mut threads = threads(seed);
        // Most programs with strong orders have interleavings only.
        for thread in &mut threads {
            *thread = thread.replace("sc)", "rlx)").replace("ar)", "rlx)");
        }
        let task = |property| {
            let mut task = program(&threads, "");
            task.property = property;
            task
        };
        let (plain, asked) = (task(Property::Reach), task(Property::Robust));
        let interleavings = run(reference, &plain, "sc").executions;
        for model in Model::names() {
            let all = run(reference, &plain, model).executions;
            for method in [explore, reference] {
                let error = run(method, &asked, model).error;
                let text = format!("{model}, seed {seed}: {threads:#?}");
                assert_eq!(error.is_none(), all == interleavings, "{text}");
                if let Some(trace) = &error {
                    confirm(&asked, model, trace);
                    found += 1;
                }
            }
        }
    }
    assert!(
        found >= 10,
        "{found} executions are too few to say anything"
    );
}
