//! Programs that read numbers.

use crate::{TIMEOUT, explore, task};
use fusion::{Config, Dpor};
use generator::{Profile, Program};
use testkit::{agrees, judge_random, seeds};
use verdict::{Budget, Property};

/// Programs that read numbers: the verdict agrees with bounded model checking; was it a proof?
fn same_verdict_with_numbers(program: &Program) -> Result<bool, String> {
    let task = task(&program.to_string(), Property::Reach);
    let budget = || Budget::unlimited().with_timeout(TIMEOUT / 4);
    let expected = bmc::check(&task, &bmc::Config::default(), &budget())
        .confirm(&task)
        .into_answer();
    let answer = fusion::check(&task, &Config::default(), &budget())
        .confirm(&task)
        .into_answer();
    agrees(&expected.verdict, &answer.verdict)?;
    Ok(answer.verdict.name() == "safe")
}

#[test]
fn verdicts_of_programs_that_read_numbers() {
    let profile = Profile {
        statements: 2,
        inputs: generator::Inputs::Any,
        ..Profile::standard()
    };
    let judge = |_, program: &Program| same_verdict_with_numbers(program);
    let proved = judge_random(seeds(20), &profile, judge);
    let proved = proved.into_iter().filter(|&safe| safe).count();
    println!("{proved} programs were proved");
    assert!(proved > 0, "nothing was proved");
}

/// Which numbers a program reads matters only up to the branches that they decide.
#[test]
fn inputs_are_covered_by_regions() {
    let program = |wanted: i32| {
        format!(
            "typedef unsigned long pthread_t;
            extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
            extern int pthread_join(pthread_t, void **);
            extern int __VERIFIER_nondet_int(void);
            extern void __VERIFIER_error(void);
            int x, y;
            void *f(void *arg) {{
                int n = __VERIFIER_nondet_int();
                if (n > 10 && n < 100) x = n;
                return 0;
            }}
            void *g(void *arg) {{ int m = x; if (m == {wanted}) y = 1; return 0; }}
            int main() {{
                pthread_t s, t;
                pthread_create(&s, 0, f, 0);
                pthread_create(&t, 0, g, 0);
                pthread_join(s, 0);
                pthread_join(t, 0);
                if (y) __VERIFIER_error();
                return 0;
            }}"
        )
    };
    for (wanted, verdict) in [(5, "safe"), (77, "unsafe")] {
        let answer = explore(&task(&program(wanted), Property::Reach), Dpor::Optimal);
        assert_eq!(answer.verdict.name(), verdict, "{:?}", answer.verdict);
    }
}

/// What is read before anything was written there is arbitrary, but stays what it was found to be.
#[test]
fn undefined_memory_is_an_input() {
    let program = |condition: &str| {
        format!(
            "typedef unsigned long pthread_t;
            typedef unsigned long size_t;
            extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
            extern int pthread_join(pthread_t, void **);
            extern void *malloc(size_t);
            extern void __VERIFIER_error(void);
            int *cell, seen[2];
            void *f(void *arg) {{ seen[0] = *cell; return 0; }}
            int main() {{
                pthread_t t;
                cell = malloc(sizeof(int));
                pthread_create(&t, 0, f, 0);
                seen[1] = *cell;
                pthread_join(t, 0);
                if ({condition}) __VERIFIER_error();
                return 0;
            }}"
        )
    };
    let cases = [
        ("seen[0] != seen[1]", "safe"),
        ("seen[0] > 10 && seen[1] < 10", "safe"),
        ("seen[0] == 1234567", "unsafe"),
        ("seen[1] > 10 && seen[0] < 100", "unsafe"),
    ];
    for (condition, verdict) in cases {
        let answer = explore(&task(&program(condition), Property::Reach), Dpor::Optimal);
        assert_eq!(
            answer.verdict.name(),
            verdict,
            "{condition}: {:?}",
            answer.verdict
        );
    }
}

/// An error that needs another order and another input at once is found from the first execution.
#[test]
fn errors_for_other_inputs_are_predicted() {
    let program = "typedef unsigned long pthread_t;
        extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
        extern int pthread_join(pthread_t, void **);
        extern int __VERIFIER_nondet_int(void);
        extern void __VERIFIER_error(void);
        int x, y;
        void *f(void *arg) { x = 1; y = __VERIFIER_nondet_int(); return 0; }
        int main() {
            pthread_t t;
            int first, second;
            pthread_create(&t, 0, f, 0);
            second = y;
            first = x;
            if (first == 1 && second == 4711) __VERIFIER_error();
            pthread_join(t, 0);
            return 0;
        }";
    let answer = explore(&task(program, Property::Reach), Dpor::Optimal);
    assert_eq!(answer.verdict.name(), "unsafe", "{:?}", answer.verdict);
    assert_eq!(answer.stats.get("executions"), Some(1));
    assert_eq!(answer.stats.get("errors predicted"), Some(1));
}
