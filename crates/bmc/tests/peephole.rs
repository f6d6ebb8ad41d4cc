//! The theorems and figures of "Peephole Partial Order Reduction" (TACAS 2008) as tests.

use abstraction::Program;
use bmc::Reduction;
use bmc::scheduler::{Formula, formula};
use dataflow::{Analysed, Liveness};
use passes::Unrolled;
use semantics::{Machine, Outcome, Property, Script, State, Tid};
use std::collections::{BTreeMap, BTreeSet};
use testkit::translate;
use verdict::Budget;
use xcfa::{EdgeId, SourceFile};

/// A step: which thread, along which edge.
type Step = (u32, EdgeId);

/// A program of `main` and other threads, each a list of statements that are one step each.
fn program(globals: &str, threads: &[&[&str]]) -> Analysed {
    let mut text = String::from(
        "typedef unsigned long pthread_t;
         int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
         void pthread_exit(void *);
         void __VERIFIER_atomic_begin(void);
         void __VERIFIER_atomic_end(void);
         pthread_t t;\n",
    );
    text += globals;
    let body = |statements: &[&str]| -> String {
        let step = |s: &&str| format!("__VERIFIER_atomic_begin(); {s} __VERIFIER_atomic_end();\n");
        statements.iter().map(step).collect()
    };
    for (number, statements) in threads.iter().enumerate().skip(1) {
        let body = body(statements);
        text += &format!("void *f{number}(void *p) {{\n{body}return 0; }}\n");
    }
    text += "int main(void) {\n";
    for number in 1..threads.len() {
        text += &format!("pthread_create(&t, 0, f{number}, 0);\n");
    }
    text += &body(threads[0]);
    text += "pthread_exit(0); return 0; }\n";
    let xcfa = translate(SourceFile::new("figure.i", text), Property::Reach).expect("a program");
    let xcfa = passes::prepare(xcfa, &passes::Options::default()).expect("a program");
    xcfa.into()
}

/// All executions that the reduction leaves.
fn left(xcfa: &Analysed, reduction: Reduction) -> Vec<Vec<Step>> {
    let program = Program::of(xcfa, 1).expect("a small program");
    let made = formula(program, reduction, false);
    let mut formula: Formula = made.expect("a program without memory");
    for _ in 0..24 {
        formula.step().expect("no floating point");
    }
    let paths = formula.executions(&Budget::unlimited()).expect("no limit");
    let step = |&at: &usize| {
        let action = &formula.system.actions()[at];
        (action.thread as u32, action.edge)
    };
    let mut paths: Vec<Vec<Step>> = paths
        .iter()
        .map(|path| path.iter().map(step).collect())
        .collect();
    paths.sort();
    paths
}

/// All executions, by the interpreter. Threads are numbered in the order of their start, which is
/// the order of the procedures here.
struct Explorer<'a> {
    machine: Machine<'a>,
    liveness: Liveness,
    paths: Vec<Vec<Step>>,
}

impl Explorer<'_> {
    fn next(&self, state: &State) -> Vec<(Step, State)> {
        let mut found = Vec::new();
        for tid in state.runnable() {
            for &edge in self.machine.edges(state, tid) {
                if let Some(after) = self.step(state, (tid.0, edge)) {
                    found.push(((tid.0, edge), after));
                }
            }
        }
        found
    }

    fn step(&self, state: &State, (tid, edge): Step) -> Option<State> {
        let mut after = state.clone();
        if !state.runnable().any(|other| other.0 == tid)
            || !self.machine.edges(state, Tid(tid)).contains(&edge)
        {
            return None;
        }
        let outcome = self
            .machine
            .step(&mut after, Tid(tid), edge, &mut Script::default());
        matches!(outcome, Outcome::Moved { .. }).then_some(after)
    }

    fn explore(&mut self, state: &State, path: &mut Vec<Step>) {
        let next = self.next(state);
        if next.is_empty() {
            self.paths.push(path.clone());
        }
        for (step, after) in next {
            path.push(step);
            self.explore(&after, path);
            path.pop();
        }
    }

    /// Locals that are not needed any more are as good as zero.
    fn forget(&self, mut state: State) -> State {
        for tid in state.tids().collect::<Vec<_>>() {
            let loc = state.thread(tid).loc;
            for var in self.machine.xcfa.var_ids() {
                let scope = self.machine.xcfa[var].scope;
                let own = xcfa::Scope::Local(self.machine.xcfa[loc].proc) == scope;
                let running = state.thread(tid).status == semantics::Status::Running;
                if own && running && !self.liveness.is_live(loc, var) {
                    self.machine.set_value(&mut state, tid, var, 0);
                }
            }
        }
        state
    }

    /// Do two steps of different threads, both possible, commute in a state?
    fn commute(&self, state: &State, a: Step, b: Step) -> bool {
        let both = |first, second| {
            let between = self.step(state, first)?;
            self.step(&between, second)
        };
        match (both(a, b), both(b, a)) {
            (Some(x), Some(y)) => self.forget(x) == self.forget(y),
            _ => false,
        }
    }

    /// Executions that differ by the order of adjacent steps that commute are in one class.
    fn classes(&self) -> usize {
        let number: BTreeMap<&[Step], usize> = self
            .paths
            .iter()
            .enumerate()
            .map(|(at, path)| (&**path, at))
            .collect();
        let mut class: Vec<usize> = (0..self.paths.len()).collect();
        fn find(class: &mut [usize], mut at: usize) -> usize {
            while class[at] != at {
                at = class[at];
            }
            at
        }
        for (at, path) in self.paths.iter().enumerate() {
            let mut state = self.machine.initial();
            for k in 0..path.len() - 1 {
                let (a, b) = (path[k], path[k + 1]);
                if a.0 != b.0 && self.step(&state, b).is_some() && self.commute(&state, a, b) {
                    let mut swapped = path.clone();
                    swapped.swap(k, k + 1);
                    let other = number[&*swapped];
                    let (x, y) = (find(&mut class, at), find(&mut class, other));
                    class[x] = y;
                }
                state = self.step(&state, a).expect("a step of an execution");
            }
        }
        let mut roots: Vec<usize> = (0..class.len()).map(|at| find(&mut class, at)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots.len()
    }
}

fn explore(program: &Unrolled) -> Explorer<'_> {
    let machine = Machine::new(&program.xcfa, Property::Reach);
    let state = machine.initial();
    let mut explorer = Explorer {
        machine,
        liveness: Liveness::of(&program.xcfa),
        paths: Vec::new(),
    };
    explorer.explore(&state, &mut Vec::new());
    explorer
}

/// Theorem 1 and 2: what is left has one execution of each class, for two threads exactly one.
fn check_two_threads(globals: &str, main: &[&str], other: &[&str]) {
    let program = program(globals, &[main, other]);
    let unrolled = Program::of(&program, 1)
        .expect("a small program")
        .0
        .unrolled;
    let explorer = explore(&unrolled);
    let classes = explorer.classes();
    let count = |reduction| left(&program, reduction).len();
    let all = count(Reduction::None);
    assert_eq!(all, explorer.paths.len(), "{main:?} {other:?}");
    assert_eq!(count(Reduction::Full), classes, "{main:?} {other:?}");
    let (fixed, simple) = (count(Reduction::Static), count(Reduction::Simple));
    assert!(
        classes <= simple && simple <= fixed && fixed <= all,
        "{main:?} {other:?}"
    );
}

#[test]
fn for_two_threads_one_execution_of_each_class_is_left() {
    let globals = "unsigned char x, y, z, i = 1, j = 1, a[3]; unsigned char *p = &x, *q = &x;";
    let cases: [(&[&str], &[&str]); 9] = [
        (&["x = 1;", "y = 2;"], &["z = 1;", "z = 2;"]),
        (&["x = 1;", "y = x;"], &["x = 2;", "z = y;"]),
        // The write changes nothing (4a), or both write the same (4b).
        (&["x = 0;", "x = 1;"], &["y = x;", "z = x;"]),
        (&["x = 1;", "y = 1;"], &["x = 1;", "x = 2;"]),
        // The branch does not change (4c).
        (&["x = 3;", "x = 12;"], &["if (x < 10) y = 1;", "z = 1;"]),
        // Places in an array and behind pointers (2 and 3), with values on top.
        (
            &["a[i] = 1;", "i = 2;", "a[i] = 1;"],
            &["a[j] = 1;", "j = 0;"],
        ),
        (&["*p = 1;", "p = &y;", "*p = 2;"], &["*q = 1;", "q = &z;"]),
        (
            &["if (a[i] > 5) y = 1;", "i = 2;"],
            &["a[j] = x;", "x = 7;", "a[j] = x;"],
        ),
        (&["x = x + 1;", "x = x + 2;"], &["x = x + 3;", "y = x;"]),
    ];
    for (main, other) in cases {
        check_two_threads(globals, main, other);
    }
}

/// The orders of the first step of each of these threads.
fn orders(paths: &[Vec<Step>]) -> BTreeSet<Vec<u32>> {
    let order = |path: &Vec<Step>| {
        let mut seen = Vec::new();
        for &(thread, _) in path.iter().filter(|step| step.0 > 0) {
            if !seen.contains(&thread) {
                seen.push(thread);
            }
        }
        seen
    };
    paths.iter().map(order).collect()
}

#[test]
fn for_three_threads_one_redundant_order_is_left() {
    // The first and the third are dependent, the second one is independent of both.
    let program = program(
        "unsigned char x, y;",
        &[&[], &["x = 1;"], &["y = 1;"], &["x = 2;"]],
    );
    let kept = orders(&left(&program, Reduction::Full));
    let expected = [vec![1, 2, 3], vec![2, 3, 1], vec![3, 1, 2]];
    assert_eq!(kept, BTreeSet::from(expected));
    // With the threads in another order nothing redundant is left.
    let program = self::program(
        "unsigned char x, y;",
        &[&[], &["x = 1;"], &["x = 2;"], &["y = 1;"]],
    );
    let kept = orders(&left(&program, Reduction::Full));
    assert_eq!(kept, BTreeSet::from([vec![1, 2, 3], vec![2, 1, 3]]));
}

#[test]
fn figures_5_and_6_remove_exactly_these_fragments() {
    let globals = "unsigned char a[3], x, y, i = 1, j = 2; unsigned char *p = &x, *q = &y;";
    let first: &[&str] = &["a[i] = 10;", "a[i] = a[i] + 20;", "*p = a[j];"];
    let second: &[&str] = &["a[j] = 50;", "a[j] = a[j] + 100;", "*q = a[i];"];
    let program = program(globals, &[first, second]);
    // Statements are named by their order in their thread, without the start and the end of it.
    let named = |path: &Vec<Step>| -> Vec<String> {
        let (mut main, mut other) = (0, 0);
        let names = path.iter().filter_map(|&(thread, _)| {
            let (count, names) = match thread {
                0 => (&mut main, ["", "A", "B", "C", ""]),
                _ => (&mut other, ["alpha", "beta", "gamma", "", ""]),
            };
            *count += 1;
            Some(names[*count - 1].to_owned()).filter(|name| !name.is_empty())
        });
        names.collect()
    };
    let forbidden = ["alpha;A", "beta;A", "alpha;B", "beta;B", "gamma;C"];
    let allowed = |path: &Vec<String>| {
        let mut fragments = path.windows(2).map(|pair| pair.join(";"));
        !fragments.any(|fragment| forbidden.contains(&&*fragment))
    };
    let sequences = |reduction| -> BTreeSet<Vec<String>> {
        left(&program, reduction).iter().map(named).collect()
    };
    let all = sequences(Reduction::None);
    assert_eq!(all.len(), 20);
    let expected: BTreeSet<Vec<String>> = all.into_iter().filter(allowed).collect();
    assert_eq!(sequences(Reduction::Full), expected);
}

/// Threads that put four values each into one table by compare-and-swap; `main` waits for all of them.
fn indexer(threads: usize, size: usize) -> String {
    let mut text = String::from(
        "typedef unsigned long pthread_t;
         int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
         void __VERIFIER_atomic_begin(void);
         void __VERIFIER_atomic_end(void);
         void __VERIFIER_assume(int);
         void reach_error(void);
         pthread_t t;\n",
    );
    text += &format!(
        "unsigned char table[{size}], done[{threads}];
         void *indexer(void *arg) {{
             unsigned char me = (unsigned char)(unsigned long)arg;
             unsigned char value = me * 4 + 1, last = value + 4, key = value * 7 % {size};
             for (;;) {{
                 __VERIFIER_atomic_begin();
                 if (table[key] == 0) {{
                     table[key] = value;
                     value++;
                     key = value * 7 % {size};
                     if (value == last) {{
                         done[me] = 1;
                         __VERIFIER_atomic_end();
                         return 0;
                     }}
                 }} else
                     key = (key + 1) % {size};
                 __VERIFIER_atomic_end();
             }}
         }}
         int main(void) {{\n"
    );
    for number in 0..threads {
        text += &format!("pthread_create(&t, 0, indexer, (void *){number});\n");
    }
    let all: Vec<String> = (0..threads).map(|at| format!("done[{at}]")).collect();
    text += "__VERIFIER_atomic_begin();\n";
    text += &format!("__VERIFIER_assume({});\n", all.join(" & "));
    text + "__VERIFIER_atomic_end();\nreach_error();\nreturn 0; }\n"
}

/// What is found within some steps, and how many conflicts that takes.
fn solve(text: &str, reduction: Reduction, steps: u32) -> (&'static str, u64) {
    let task = testkit::task(SourceFile::new("indexer.i", text), Property::Reach);
    let config = bmc::Config {
        encoding: bmc::Encoding::Scheduler,
        reduction,
        steps: Some(steps),
        ..bmc::Config::default()
    };
    let answer = bmc::check(&task.expect("a program"), &config, &Budget::unlimited());
    let conflicts = answer.stats.get("conflicts").unwrap_or_default();
    (answer.verdict.name(), conflicts)
}

#[test]
fn the_indexer_with_five_threads_takes_no_more_conflicts_than_in_the_paper() {
    let text = indexer(5, 32);
    for reduction in [Reduction::Simple, Reduction::Full] {
        let (verdict, conflicts) = solve(&text, reduction, 30);
        assert_eq!(verdict, "unknown");
        assert!(conflicts <= 3_000, "{reduction:?}: {conflicts} conflicts");
        let (verdict, conflicts) = solve(&text, reduction, 31);
        assert_eq!(verdict, "unsafe");
        assert!(conflicts <= 4_000, "{reduction:?}: {conflicts} conflicts");
    }
}

/// Values that threads meet by are found in all orders, also if they come from another thread: in a
/// table that is too small, through an argument, before and after a start.
#[test]
fn locations_are_split_by_what_a_thread_alone_knows() {
    // Each value of one thread finds its place taken: four steps more than without.
    let text = indexer(2, 8).replace("key = value * 7 % 8", "key = value * 2 % 8");
    for reduction in [Reduction::None, Reduction::Simple, Reduction::Full] {
        let within = |steps| solve(&text, reduction, steps).0;
        assert_eq!(
            (within(16), within(17)),
            ("unknown", "unsafe"),
            "{reduction:?}"
        );
    }
    let program = |condition: &str| {
        format!(
            "typedef unsigned long pthread_t;
             int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
             void reach_error(void);
             pthread_t t; int seen, go;
             void *f(void *arg) {{
                 int mine = (int)(unsigned long)arg, i;
                 for (i = 0; i < 2; i++) mine += go;
                 seen = mine;
                 return 0;
             }}
             int main(void) {{
                 int n = 3;
                 if (go == 0) n = 5;
                 pthread_create(&t, 0, f, (void *)(unsigned long)n);
                 go = 1;
                 if ({condition}) reach_error();
                 return 0;
             }}"
        )
    };
    for (condition, expected) in [
        ("seen == 5", "unsafe"),
        ("seen == 6", "unsafe"),
        ("seen == 7", "unsafe"),
        ("seen == 3", "unknown"),
        ("seen == 8", "unknown"),
    ] {
        for reduction in [Reduction::None, Reduction::Simple, Reduction::Full] {
            let found = solve(&program(condition), reduction, 16).0;
            assert_eq!(found, expected, "{condition} {reduction:?}");
        }
    }
}
