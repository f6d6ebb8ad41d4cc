//! Exploration of automata built by hand: exact counts, and every kind of violation.

use explore::{Config, check};
use expr::{Op, Sort, Term, VarId};
use semantics::{Property, Violation};
use verdict::{Answer, Budget, Program, Task, Verdict};
use xcfa::{
    DataModel, ErrorKind, Label, Leaving, LockMode, Object, ObjectKind, ProcId, Scope, Shape,
    SourceFile, Sources, Span, Var, Xcfa,
};

/// An automaton without source text.
fn empty() -> Xcfa {
    let mut sources = Sources::default();
    sources.add(SourceFile::new("test.c", "test\n"));
    Xcfa::new(DataModel::Lp64, sources)
}

fn global(xcfa: &mut Xcfa, name: &str) -> VarId {
    let zero = xcfa.terms.bv(32, 0);
    xcfa.add_var(Var {
        name: name.into(),
        sort: Sort::Bv(32),
        signed: true,
        pointer: false,
        scope: Scope::Global,
        init: Some(zero),
        temp: false,
        alias: None,
    })
}

fn mutex(xcfa: &mut Xcfa, name: &str) -> Term {
    let object = xcfa.add_object(Object {
        name: name.into(),
        kind: ObjectKind::Static { init: Vec::new() },
        size: Some(40),
        align: 8,
        shape: Shape::Bytes,
        ty: None,
        span: Span::default(),
        constant: false,
        reuses: false,
        resized: false,
        hidden: false,
        external: false,
        literal: false,
    });
    xcfa.terms.base(object, 64)
}

/// Adds a procedure that does one list of labels after the other.
fn straight(xcfa: &mut Xcfa, name: &str, steps: Vec<Vec<Label>>) -> ProcId {
    let proc = xcfa.add_proc(name, Span::default());
    append(xcfa, proc, steps);
    proc
}

fn append(xcfa: &mut Xcfa, proc: ProcId, steps: Vec<Vec<Label>>) {
    let mut at = xcfa[proc].init;
    for labels in steps {
        let next = xcfa.add_loc(proc);
        xcfa.connect(at, next, labels, Span::default());
        at = next;
    }
}

fn start(xcfa: &mut Xcfa, handle: VarId, proc: ProcId) -> Label {
    let arg = xcfa.terms.bv(64, 0);
    Label::Start { handle, proc, arg }
}

fn join(xcfa: &mut Xcfa, handle: VarId) -> Label {
    let thread = xcfa.read(handle);
    Label::Join {
        thread,
        result: None,
    }
}

fn thread_exit(xcfa: &mut Xcfa) -> Label {
    let zero = xcfa.terms.bv(64, 0);
    Label::ThreadExit(zero)
}

/// Two threads that each add one to `x` in a read and a write, under a lock or not; then `main`
/// asserts that `x` is 2.
fn lost_update(locked: bool) -> Xcfa {
    let mut xcfa = empty();
    let x = global(&mut xcfa, "x");
    let lock = mutex(&mut xcfa, "m");
    let worker = ProcId(0);
    let t = xcfa.add_temp(worker, Sort::Bv(32));
    let (read_x, read_t, one) = (xcfa.read(x), xcfa.read(t), xcfa.terms.bv(32, 1));
    let sum = xcfa.terms.add(read_t, one);
    let mut steps = vec![
        vec![Label::Assign {
            var: t,
            value: read_x,
        }],
        vec![Label::Assign { var: x, value: sum }],
    ];
    if locked {
        steps.insert(
            0,
            vec![Label::Lock {
                addr: lock,
                mode: LockMode::Exclusive,
            }],
        );
        steps.push(vec![Label::Unlock {
            addr: lock,
            mode: LockMode::Exclusive,
        }]);
    }
    let end = thread_exit(&mut xcfa);
    steps.push(vec![end]);
    assert_eq!(straight(&mut xcfa, "worker", steps), worker);

    let main = xcfa.add_proc("main", Span::default());
    let handles = [
        xcfa.add_temp(main, Sort::Bv(64)),
        xcfa.add_temp(main, Sort::Bv(64)),
    ];
    let seen = xcfa.add_temp(main, Sort::Bv(32));
    let mut steps: Vec<_> = handles.map(|h| vec![start(&mut xcfa, h, worker)]).into();
    steps.extend(handles.map(|h| vec![join(&mut xcfa, h)]));
    steps.push(vec![Label::Assign {
        var: seen,
        value: read_x,
    }]);
    append(&mut xcfa, main, steps);
    let last = xcfa.loc_ids().last().expect("main has locations");
    let (read_seen, two) = (xcfa.read(seen), xcfa.terms.bv(32, 2));
    let good = xcfa.terms.eq(read_seen, two);
    let bad = xcfa.terms.not(good);
    let error = xcfa.add_loc(main);
    xcfa[error].error = Some(ErrorKind::Reached);
    let exit = xcfa[main].exit;
    xcfa.connect(last, error, vec![Label::Assume(bad)], Span::default());
    xcfa.connect(
        last,
        exit,
        vec![Label::Assume(good), Label::Exit(Leaving::Return)],
        Span::default(),
    );
    xcfa.main = main;
    xcfa
}

fn task(xcfa: Xcfa, property: Property) -> Task {
    Task::prepare(&Program::from_automaton(xcfa), property).expect("an automaton")
}

fn explore(xcfa: Xcfa, property: Property) -> Answer {
    let task = task(xcfa, property);
    let answer = check(&task, &Config::default(), &Budget::unlimited());
    answer.confirm(&task).into_answer()
}

fn violation(answer: &Answer) -> Option<Violation> {
    match &answer.verdict {
        Verdict::Unsafe(trace) => Some(trace.violation),
        _ => None,
    }
}

#[test]
fn an_update_is_lost_without_a_lock() {
    let answer = explore(lost_update(false), Property::Reach);
    assert_eq!(violation(&answer), Some(Violation::ErrorReached));
}

#[test]
fn a_lock_keeps_every_update() {
    let answer = explore(lost_update(true), Property::Reach);
    assert!(
        matches!(answer.verdict, Verdict::Safe(_)),
        "{:?}",
        answer.verdict
    );
    assert_eq!(
        (answer.stats.get("states"), answer.stats.get("transitions")),
        (Some(43), Some(62))
    );
}

#[test]
fn a_lock_prevents_the_race() {
    assert_eq!(
        violation(&explore(lost_update(false), Property::Race)),
        Some(Violation::DataRace)
    );
    let answer = explore(lost_update(true), Property::Race);
    assert!(
        matches!(answer.verdict, Verdict::Safe(_)),
        "{:?}",
        answer.verdict
    );
}

/// Philosophers who take their left fork first; the last one too, unless `fixed`.
fn philosophers(count: usize, fixed: bool) -> Xcfa {
    let mut xcfa = empty();
    let forks: Vec<Term> = (0..count)
        .map(|i| mutex(&mut xcfa, &format!("fork{i}")))
        .collect();
    let mut procs = Vec::new();
    for seat in 0..count {
        let (mut first, mut second) = (forks[seat], forks[(seat + 1) % count]);
        if fixed && seat + 1 == count {
            std::mem::swap(&mut first, &mut second);
        }
        let lock = |addr| Label::Lock {
            addr,
            mode: LockMode::Exclusive,
        };
        let unlock = |addr| Label::Unlock {
            addr,
            mode: LockMode::Exclusive,
        };
        let end = thread_exit(&mut xcfa);
        let steps = [
            lock(first),
            lock(second),
            unlock(second),
            unlock(first),
            end,
        ];
        let steps = steps.into_iter().map(|label| vec![label]).collect();
        procs.push(straight(&mut xcfa, &format!("philosopher{seat}"), steps));
    }
    let main = xcfa.add_proc("main", Span::default());
    let mut steps = Vec::new();
    let mut joins = Vec::new();
    for proc in procs {
        let handle = xcfa.add_temp(main, Sort::Bv(64));
        steps.push(vec![start(&mut xcfa, handle, proc)]);
        joins.push(vec![join(&mut xcfa, handle)]);
    }
    steps.extend(joins);
    steps.push(vec![Label::Exit(Leaving::Return)]);
    append(&mut xcfa, main, steps);
    xcfa.main = main;
    xcfa
}

#[test]
fn philosophers_starve_unless_one_is_left_handed() {
    let answer = explore(philosophers(4, false), Property::Deadlock);
    assert_eq!(violation(&answer), Some(Violation::Deadlock));
    let answer = explore(philosophers(4, true), Property::Deadlock);
    assert!(
        matches!(answer.verdict, Verdict::Safe(_)),
        "{:?}",
        answer.verdict
    );
}

#[test]
fn waiting_for_ever_does_not_terminate() {
    let answer = explore(philosophers(3, false), Property::Termination);
    assert_eq!(violation(&answer), Some(Violation::NonTermination));
    let answer = explore(philosophers(3, true), Property::Termination);
    assert!(
        matches!(answer.verdict, Verdict::Safe(_)),
        "{:?}",
        answer.verdict
    );
}

/// Counts `i` up from 0 for as long as it is below `limit`, by `step`.
fn counting_loop(limit: u64, step: u64) -> Xcfa {
    let mut xcfa = empty();
    let main = xcfa.add_proc("main", Span::default());
    let i = xcfa.add_temp(main, Sort::Bv(32));
    let (head, exit) = (xcfa[main].init, xcfa[main].exit);
    let (read_i, limit, step) = (
        xcfa.read(i),
        xcfa.terms.bv(32, limit),
        xcfa.terms.bv(32, step),
    );
    let below = xcfa.terms.binary(Op::Ult, read_i, limit);
    let not_below = xcfa.terms.not(below);
    let value = xcfa.terms.add(read_i, step);
    let body = vec![Label::Assume(below), Label::Assign { var: i, value }];
    xcfa.connect(head, head, body, Span::default());
    xcfa.connect(
        head,
        exit,
        vec![Label::Assume(not_below), Label::Exit(Leaving::Return)],
        Span::default(),
    );
    xcfa.main = main;
    xcfa
}

#[test]
fn a_loop_that_makes_no_progress_is_endless() {
    let answer = explore(counting_loop(5, 0), Property::Termination);
    let Verdict::Unsafe(trace) = answer.verdict else {
        panic!("{:?}", answer.verdict)
    };
    assert_eq!((trace.loop_start, trace.steps.len()), (Some(0), 1));
    let answer = explore(counting_loop(5, 1), Property::Termination);
    assert!(
        matches!(answer.verdict, Verdict::Safe(_)),
        "{:?}",
        answer.verdict
    );
}
