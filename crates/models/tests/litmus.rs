//! The classic litmus tests, built as graphs, and the models that allow them.
//!
//! A test is one interesting execution. `W x 1 rlx` writes, `R x 1 acq` reads, `U x 1 2 ar` reads 1 and
//! writes 2 at once, `F sc` is a fence. Values of one location are distinct, so that the value of a read
//! tells its write. Writes to a location are in coherence order as `co` lists them, or as they appear.

use expect_test::expect;
use models::{Access, Action, EventId, Graph, MemoryOrder, Model};

fn order(word: &str) -> Option<MemoryOrder> {
    match word {
        "na" => None,
        "rlx" => Some(MemoryOrder::Relaxed),
        "acq" => Some(MemoryOrder::Acquire),
        "rel" => Some(MemoryOrder::Release),
        "ar" => Some(MemoryOrder::AcqRel),
        "sc" => Some(MemoryOrder::SeqCst),
        other => panic!("no order: {other}"),
    }
}

/// Builds a graph from the text of its threads and the coherence orders that matter.
fn graph(threads: &[&str], coherence: &[(&str, &[u64])]) -> Graph {
    let mut graph = Graph::default();
    for name in ["x", "y", "z"] {
        graph.add_location(name, 0);
    }
    for (thread, text) in threads.iter().enumerate() {
        for words in text
            .split(';')
            .map(|it| it.split_whitespace().collect::<Vec<_>>())
        {
            let access = |value: &str, order: Option<MemoryOrder>| Access {
                location: models::Location("xyz".find(words[1]).expect("a location") as u32),
                value: value.parse().expect("a value"),
                order,
            };
            let thread = Some(thread as u32);
            match words[0] {
                "R" => {
                    graph.add(thread, Action::Read(access(words[2], order(words[3]))));
                }
                "W" => {
                    graph.add(thread, Action::Write(access(words[2], order(words[3]))));
                }
                "U" => {
                    let order = order(words[4]).expect("a read-modify-write is atomic");
                    let read = access(words[2], Some(order.of_read()));
                    let write = access(words[3], Some(order.of_write()));
                    let read = graph.add(thread, Action::Read(read));
                    graph.add(thread, Action::Write(write));
                    graph.exchanges.push(read);
                }
                "F" => {
                    graph.add(thread, Action::Fence(order(words[1]).expect("an order")));
                }
                other => panic!("no event: {other}"),
            }
        }
    }
    link(&mut graph, coherence);
    graph
}

fn link(graph: &mut Graph, coherence: &[(&str, &[u64])]) {
    let write = |graph: &Graph, of: Access| {
        let mut writes = graph.ids().filter(|&id| match graph.event(id).action {
            Action::Write(it) => it.location == of.location && it.value == of.value,
            _ => false,
        });
        writes.next().expect("some write has this value")
    };
    for id in graph.ids() {
        match graph.event(id).action {
            Action::Read(access) => graph.reads_from[id.0 as usize] = Some(write(graph, access)),
            Action::Write(access) if graph.event(id).thread.is_some() => {
                graph.coherence[access.location.0 as usize].push(id);
            }
            _ => {}
        }
    }
    for (name, values) in coherence {
        let at = "xyz".find(name).expect("a location");
        let value = |id: &EventId| graph.event(*id).action.access().expect("a write").value;
        let place = |id: &EventId| values.iter().position(|it| *it == value(id));
        let mut order = graph.coherence[at].clone();
        order.sort_by_key(|id| place(id).map_or(0, |at| at + 1));
        graph.coherence[at] = order;
    }
}

/// The shipped models that allow an execution, in their order.
fn allowing(graph: &Graph) -> String {
    let allows = |name: &&str| {
        let model = Model::shipped(name).expect("a model");
        model.allows(graph).expect("a graph")
    };
    Model::names().filter(allows).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(threads: &[&str], coherence: &[(&str, &[u64])], expected: &str) {
    assert_eq!(
        allowing(&graph(threads, coherence)),
        expected,
        "{threads:?}"
    );
}

#[test]
fn store_buffering() {
    let sb = |write: &str, fence: &str, read: &str| {
        let thread = |a: &str, b: &str| format!("W {a} 1 {write}; {fence} R {b} 0 {read}");
        let (first, second) = (thread("x", "y"), thread("y", "x"));
        allowing(&graph(&[&first, &second], &[]))
    };
    assert_eq!(sb("rlx", "", "rlx"), "tso pso ra rc11");
    assert_eq!(sb("rel", "", "acq"), "tso pso ra rc11");
    assert_eq!(sb("sc", "", "sc"), "ra");
    assert_eq!(sb("sc", "", "rlx"), "ra rc11");
    assert_eq!(sb("rlx", "F ar;", "rlx"), "tso pso ra rc11");
    assert_eq!(sb("rlx", "F sc;", "rlx"), "");
    // A read-modify-write of another location empties the buffers; C11 knows nothing of that.
    check(
        &[
            "W x 1 rlx; U z 0 1 ar; R y 0 rlx",
            "W y 1 rlx; U z 1 2 ar; R x 0 rlx",
        ],
        &[],
        "",
    );
    check(
        &[
            "W x 1 rlx; U z 0 1 rlx; R y 0 rlx",
            "W y 1 rlx; U z 1 2 rlx; R x 0 rlx",
        ],
        &[],
        "rc11",
    );
}

#[test]
fn message_passing() {
    let mp = |before: &str, flag: [&str; 2], after: &str| {
        let [write, read] = flag;
        let writer = format!("W x 1 rlx; {before} W y 1 {write}");
        let reader = format!("R y 1 {read}; {after} R x 0 rlx");
        allowing(&graph(&[&writer, &reader], &[]))
    };
    assert_eq!(mp("", ["rlx", "rlx"], ""), "pso rc11");
    assert_eq!(mp("", ["rel", "acq"], ""), "");
    assert_eq!(mp("", ["rel", "rlx"], ""), "rc11");
    assert_eq!(mp("", ["rlx", "acq"], ""), "pso rc11");
    assert_eq!(mp("F rel;", ["rlx", "rlx"], "F acq;"), "");
    assert_eq!(mp("F rel;", ["rlx", "acq"], ""), "");
    assert_eq!(mp("", ["rel", "rlx"], "F acq;"), "");
    assert_eq!(mp("F acq;", ["rlx", "rlx"], "F rel;"), "pso rc11");
    assert_eq!(mp("F sc;", ["rlx", "rlx"], "F sc;"), "");
    assert_eq!(mp("", ["sc", "sc"], ""), "");
}

#[test]
fn load_buffering() {
    for order in ["rlx", "rel", "sc"] {
        let read = if order == "rel" { "acq" } else { order };
        let thread = |a: &str, b: &str| format!("R {a} 1 {read}; W {b} 1 {order}");
        check(&[&thread("x", "y"), &thread("y", "x")], &[], "");
    }
}

#[test]
fn independent_reads_of_independent_writes() {
    let iriw = |write: &str, read: &str, fence: &str| {
        let reader = |a: &str, b: &str| format!("R {a} 1 {read}; {fence} R {b} 0 {read}");
        let writes = [format!("W x 1 {write}"), format!("W y 1 {write}")];
        let readers = [reader("x", "y"), reader("y", "x")];
        allowing(&graph(
            &[&writes[0], &writes[1], &readers[0], &readers[1]],
            &[],
        ))
    };
    assert_eq!(iriw("rlx", "rlx", ""), "ra rc11");
    assert_eq!(iriw("rel", "acq", ""), "ra rc11");
    assert_eq!(iriw("sc", "sc", ""), "ra");
    assert_eq!(iriw("rlx", "rlx", "F sc;"), "");
    assert_eq!(iriw("rel", "acq", "F ar;"), "ra rc11");
}

#[test]
fn two_plus_two_writes() {
    let crossed: &[(&str, &[u64])] = &[("x", &[2, 1]), ("y", &[2, 1])];
    let writes = |order: &str, fence: &str| {
        let thread = |a: &str, b: &str| format!("W {a} 1 {order}; {fence} W {b} 2 {order}");
        let threads = [thread("x", "y"), thread("y", "x")];
        allowing(&graph(&[&threads[0], &threads[1]], crossed))
    };
    assert_eq!(writes("rlx", ""), "pso ra rc11");
    assert_eq!(writes("rel", ""), "ra rc11");
    assert_eq!(writes("sc", ""), "ra");
    assert_eq!(writes("rlx", "F ar;"), "ra rc11");
    assert_eq!(writes("rlx", "F sc;"), "");
}

#[test]
fn r_and_s() {
    // R: the second thread's write of y comes last, and it misses the first thread's write of x.
    let r = |order: [&str; 2], fence: &str| {
        let [write, read] = order;
        let first = format!("W x 1 {write}; {fence} W y 1 {write}");
        let second = format!("W y 2 {write}; {fence} R x 0 {read}");
        allowing(&graph(&[&first, &second], &[("y", &[1, 2])]))
    };
    assert_eq!(r(["rlx", "rlx"], ""), "tso pso ra rc11");
    assert_eq!(r(["rel", "acq"], ""), "tso pso ra rc11");
    assert_eq!(r(["sc", "sc"], ""), "ra");
    assert_eq!(r(["rlx", "rlx"], "F sc;"), "");
    // S: the first thread's write of x comes last, although the second saw the one after it.
    let s = |write: &str, read: &str| {
        let first = format!("W x 2 rlx; W y 1 {write}");
        let second = format!("R y 1 {read}; W x 1 rlx");
        allowing(&graph(&[&first, &second], &[("x", &[1, 2])]))
    };
    assert_eq!(s("rlx", "rlx"), "pso rc11");
    assert_eq!(s("rel", "acq"), "");
    assert_eq!(s("rel", "rlx"), "rc11");
}

#[test]
fn causality() {
    // WRC: a write is seen, passed on, and then missed.
    let wrc = |write: &str, read: &str| {
        let middle = format!("R x 1 rlx; W y 1 {write}");
        let last = format!("R y 1 {read}; R x 0 rlx");
        allowing(&graph(&["W x 1 rlx", &middle, &last], &[]))
    };
    assert_eq!(wrc("rlx", "rlx"), "rc11");
    assert_eq!(wrc("rel", "acq"), "");
    // ISA2: message passing over a third thread.
    let isa2 = |write: &str, read: &str| {
        let first = format!("W x 1 rlx; W y 1 {write}");
        let middle = format!("R y 1 {read}; W z 1 {write}");
        let last = format!("R z 1 {read}; R x 0 rlx");
        allowing(&graph(&[&first, &middle, &last], &[]))
    };
    assert_eq!(isa2("rlx", "rlx"), "pso rc11");
    assert_eq!(isa2("rel", "acq"), "");
}

#[test]
fn coherence() {
    // CoRR, CoWW, CoRW and CoWR: no model reorders accesses to one location.
    check(&["W x 1 rlx", "R x 1 rlx; R x 0 rlx"], &[], "");
    check(&["W x 1 rlx; W x 2 rlx"], &[("x", &[2, 1])], "");
    check(&["R x 1 rlx; W x 1 rlx"], &[], "");
    check(&["W x 1 rlx; R x 0 rlx"], &[], "");
    check(
        &["W x 1 rlx", "R x 1 rlx; R x 1 rlx"],
        &[],
        "sc tso pso ra rc11",
    );
    // Plain accesses too.
    check(&["W x 1 na", "R x 1 na; R x 0 na"], &[], "");
}

#[test]
fn read_modify_writes() {
    // Two of them cannot both see the same write.
    check(&["U x 0 1 rlx", "U x 0 2 rlx"], &[], "");
    check(&["U x 0 1 rlx", "U x 1 2 rlx"], &[], "sc tso pso ra rc11");
    // They continue a release sequence; a plain store of another thread does not.
    check(
        &["W x 1 na; W y 1 rel", "U y 1 2 rlx", "R y 2 acq; R x 0 na"],
        &[],
        "",
    );
    check(
        &[
            "W x 1 na; W y 1 rel",
            "R y 1 rlx; W y 2 rlx",
            "R y 2 acq; R x 0 na",
        ],
        &[],
        "rc11",
    );
}

#[test]
fn the_axiom_and_the_cycle_are_named() {
    let graph = graph(&["W x 1 rel; W y 1 rel", "R y 1 acq; R x 0 acq"], &[]);
    let model = Model::shipped("rc11").expect("a model");
    let judgement = model.judge(&graph).expect("a graph");
    let finding = judgement.forbidden.expect("forbidden");
    expect![[r#"
        coherence: e3 po e4 rf e5 po e6 fr e3
          thread 0: write x = 1 (release) --po--> thread 0: write y = 1 (release)
          thread 0: write y = 1 (release) --rf--> thread 1: read y = 1 (acquire)
          thread 1: read y = 1 (acquire) --po--> thread 1: read x = 0 (acquire)
          thread 1: read x = 0 (acquire) --fr--> thread 0: write x = 1 (release)
    "#]]
    .assert_eq(&format!("{finding}\n{}", finding.explain(&graph)));
}

#[test]
fn races_follow_happens_before() {
    let race = |write: &str, read: &str| {
        let (first, second) = (
            format!("W x 1 na; W y 1 {write}"),
            format!("R y 1 {read}; R x 1 na"),
        );
        let graph = graph(&[&first, &second], &[]);
        let flags = |name: &&str| {
            let model = Model::shipped(name).expect("a model");
            let judgement = model.judge(&graph).expect("a graph");
            judgement.allowed() && judgement.flags.iter().any(|flag| flag.name == "race")
        };
        Model::names().filter(flags).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(race("rlx", "rlx"), "rc11");
    assert_eq!(race("rel", "rlx"), "rc11");
    assert_eq!(race("rel", "acq"), "");
    assert_eq!(race("na", "na"), "sc tso pso ra rc11");
}

#[test]
fn threads_are_ordered_by_start_and_join() {
    let mut graph = Graph::default();
    let x = graph.add_location("x", 0);
    let access = |value| Access {
        location: x,
        value,
        order: None,
    };
    let write = graph.add(Some(0), Action::Write(access(1)));
    graph.add(Some(0), Action::Start(1));
    graph.add(Some(1), Action::Begin);
    let read = graph.add(Some(1), Action::Read(access(0)));
    graph.add(Some(1), Action::End);
    graph.add(Some(0), Action::Join(1));
    graph.coherence[0].push(write);
    graph.reads_from[read.0 as usize] = Some(EventId(0));
    assert_eq!(allowing(&graph), "");
    graph.reads_from[read.0 as usize] = Some(write);
    assert!(Model::names().all(|name| {
        // The value is not what that write has written.
        Model::shipped(name)
            .expect("a model")
            .judge(&graph)
            .is_err()
    }));
    graph.events[read.0 as usize].action = Action::Read(access(1));
    assert_eq!(allowing(&graph), "sc tso pso ra rc11");
    let judgement = Model::shipped("rc11")
        .expect("a model")
        .judge(&graph)
        .expect("a graph");
    assert_eq!(judgement.flags, []);
}
