//! The example of Figures 1 to 5 of the paper: its trace program, its phantom edges, the trace
//! that is skipped, and the error in the second one.

use crate::concolic::InputSpace;
use crate::search::Search;
use crate::statics::Statics;
use crate::{Config, check};
use expect_test::expect;
use semantics::{Machine, Property};
use verdict::{Budget, Program, Task};
use xcfa::SourceFile;

const PROGRAM: &str = "
    typedef unsigned long pthread_t;
    extern int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **);
    extern void __VERIFIER_error(void);
    int x, y;
    void *foo(void *arg) {
        int a = y;
        if (a == 0) {
            x = 1;
            a = x + 1;
            x = a;
        } else
            x = 0;
        return 0;
    }
    void *bar(void *arg) {
        int b = x;
        if (b == 0) {
            y = 1;
            b = y + 1;
            y = b;
        } else
            y = -1;
        return 0;
    }
    int main() {
        pthread_t t1, t2;
        pthread_create(&t1, 0, foo, 0);
        pthread_create(&t2, 0, bar, 0);
        pthread_join(t1, 0);
        pthread_join(t2, 0);
        if (x == y)
            __VERIFIER_error();
        return 0;
    }";

fn task() -> Task {
    let file = SourceFile::new("figure_1.i", PROGRAM);
    Task::prepare(&Program::new(vec![file]), Property::Reach).expect("the example is supported")
}

#[test]
fn cssa_of_the_first_trace() {
    let task = task();
    let machine = Machine::new(&task.xcfa, task.property);
    let statics = Statics::of(&task.xcfa, task.property);
    let budget = Budget::unlimited();
    let space = InputSpace::of(&task.xcfa);
    let mut search = Search::new(&machine, &statics, &Config::default(), 100, &budget, space);
    search.first_execution();
    let program = search.trace_program().expect("it has a trace program");
    assert!(program.complete);
    expect![[r#"
        t0 (thread 0) if true
        t1 (thread 0) if true
          [0x10000000000,8] := 2 if true
        t2 (thread 0) if true
          w1 <- pi([0x10000000000,8]: t1)
          [0x10000000020,8] := 3 if true
        t3 (thread 1) if true
          w3 <- pi(y: initial, t10, ph1)
        t4 (thread 1) if (w3 == 0)
          x := 1 if (w3 == 0)
        t5 (thread 1) if (w3 == 0)
          w4 <- pi(x: t4, ph0)
        t6 (thread 1) if (w3 == 0)
          x := (w4 + 1) if (w3 == 0)
        t7 (thread 1) if ((w3 == 0) || (w3 != 0))
        t8 (thread 0) if true
          w6 <- pi([0x10000000020,8]: t2)
        t9 (thread 2) if true
          w8 <- pi(x: initial, t4, t6, ph0)
        t10 (thread 2) if (w8 != 0)
          y := -1 if (w8 != 0)
        t11 (thread 2) if ((w8 == 0) || (w8 != 0))
        t12 (thread 0) if (w1 == 2)
        t13 (thread 0) if ((w1 == 2) && (w6 == 3))
          w12 <- pi(x: initial, t4, t6, ph0)
        t14 (thread 0) if ((w1 == 2) && (w6 == 3))
          w13 <- pi(y: initial, t10, ph1)
        ph0 (thread 1) if (w3 != 0): after t3, before t7, may write {x}
        ph1 (thread 2) if (w8 == 0): after t9, before t11, may write {y}
        unclear in t8 if (w1 != 2)
        unclear in t12 if ((w1 == 2) && (w6 != 3))
        error in t14 if (((w1 == 2) && (w6 == 3)) && (w12 == w13))
    "#]]
    .assert_eq(&program.cssa(&task.xcfa));
}

#[test]
fn the_second_trace_that_is_run_has_the_error() {
    let config = Config {
        prune: true,
        ..Config::default()
    };
    let answer = check(&task(), &config, &Budget::unlimited());
    assert_eq!(answer.verdict.name(), "unsafe");
    let figure = |name| answer.stats.get(name).unwrap_or_default();
    assert_eq!(
        figure("pruned backtrack points"),
        1,
        "the trace that swaps t15 and t21"
    );
    assert!(figure("executions") <= 2);
}
