//! Random programs: each graph is made exactly once.

mod common;

use common::{confirm, program, run};
use graphs::{explore, explore_on, reference};
use models::Model;
use semantics::Property;

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn statement(&mut self, thread: usize, value: u64) -> String {
        let place = self.pick(&["x", "y", "y", "z"]);
        let local = format!("r{thread}");
        match self.below(9) {
            0..3 => {
                let order = self.pick(&["rlx", "acq", "sc"]);
                format!("{local} = __atomic_load_n(&{place}, {order});")
            }
            3..6 => {
                let order = self.pick(&["rlx", "rel", "sc"]);
                format!("__atomic_store_n(&{place}, {value}, {order});")
            }
            6 => {
                let order = self.pick(&["rlx", "acq", "rel", "ar", "sc"]);
                format!("{local} = __atomic_fetch_add(&{place}, {value}, {order});")
            }
            7 => {
                let order = self.pick(&["rlx", "acq", "rel", "ar", "sc"]);
                format!(
                    "{local} = __sync_bool_compare_and_swap(&{place}, 0, {value}); __atomic_thread_fence({order});"
                )
            }
            _ => {
                let inner = self.statement(thread, value);
                format!("if ({local}) {{ {inner} }}")
            }
        }
    }

    fn threads(&mut self) -> Vec<String> {
        let count = 2 + self.below(2) as usize;
        let mut value = 0;
        let thread = |random: &mut Random, at: usize, value: &mut u64| {
            let statements = 1 + random.below(if count == 2 { 4 } else { 2 });
            let text = (0..statements).map(|_| {
                *value += 1;
                random.statement(at, *value)
            });
            text.collect::<String>()
        };
        (0..count).map(|at| thread(self, at, &mut value)).collect()
    }
}

#[test]
fn the_reference_and_the_search_agree() {
    for seed in 0..30 {
        let threads = Random(seed).threads();
        let task = program(&threads, "");
        for model in Model::names() {
            let (all, once) = (run(reference, &task, model), run(explore, &task, model));
            let both = run(
                |task, model, limits| explore_on(2, task, model, limits),
                &task,
                model,
            );
            let counts = |it: &graphs::Outcome| (it.executions, it.blocked, it.flagged.is_some());
            assert_eq!(
                (counts(&both), both.graphs, both.events),
                (counts(&once), once.graphs, once.events),
                "{model}, seed {seed}, two workers: {threads:#?}"
            );
            assert_eq!(
                counts(&once),
                counts(&all),
                "{model}, seed {seed}: {threads:#?}"
            );
            if let Some((trace, _)) = &once.flagged {
                let mut racing = task.clone();
                racing.property = Property::Race;
                confirm(&racing, model, trace);
            }
        }
    }
}

#[test]
fn errors_are_found_by_both_and_confirmed() {
    let mut found = 0;
    for seed in 100..130 {
        let mut random = Random(seed);
        let threads = random.threads();
        let (a, b) = (random.below(3), random.below(4));
        let after = format!("if (r0 == {a} && r1 == {b}) reach_error();");
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
    for seed in 200..230 {
        let mut threads = Random(seed).threads();
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
