//! The gate: a graph counts if the model allows it and the threads make it, and nothing else counts.

mod common;

use common::{program, run};
use graphs::{explore, reference};
use models::{Action, EventId, Graph, MemoryOrder, Model};
use std::sync::Arc;
use verdict::{Answer, Proof, Stats, Task, Trace, Verdict};

const WRITER: &str = "__atomic_store_n(&x, 7, rlx); __atomic_store_n(&y, 1, rlx);";
const READER: &str = "r1 = __atomic_load_n(&y, rlx); s1 = __atomic_load_n(&x, rlx);";

/// Message passing without orders, and the execution in which the message is lost.
fn lost_message() -> (Task, Trace) {
    let threads = [WRITER, READER].map(str::to_owned);
    let task = program(&threads, "if (r1 == 1 && s1 == 0) reach_error();");
    let trace = run(explore, &task, "rc11").error.expect("an error");
    (task, trace)
}

/// What the gate says about it under a model.
fn verdict(task: &Task, model: &str, verdict: Verdict) -> Verdict {
    let mut task = task.clone();
    task.memory_model = Arc::new(Model::shipped(model).expect("a model"));
    let answer = Answer::new(verdict, Stats::default());
    answer.confirm(&task).into_verdict()
}

fn is_accepted(task: &Task, model: &str, trace: &Trace) -> bool {
    let said = verdict(task, model, Verdict::Unsafe(trace.clone()));
    matches!(said, Verdict::Unsafe(_))
}

#[test]
fn a_graph_counts_where_the_model_allows_it() {
    let (task, trace) = lost_message();
    let accepted = |model: &&str| is_accepted(&task, model, &trace);
    let models: Vec<&str> = Model::names().filter(accepted).collect();
    assert_eq!(models, ["pso", "rc11"]);
}

#[test]
fn every_execution_that_is_found_is_accepted() {
    let (task, _) = lost_message();
    for model in ["pso", "rc11"] {
        for method in [explore, reference] {
            let trace = run(method, &task, model).error.expect("an error");
            assert!(is_accepted(&task, model, &trace), "{model}");
        }
    }
}

/// Changes one thing of the evidence at a time.
fn changes(trace: &Trace) -> Vec<(String, Trace)> {
    let graph = trace.graph.as_deref().expect("a graph");
    let mut all = Vec::new();
    let mut add = |what: String, graph: Graph| {
        all.push((what, trace.clone().with_graph(graph)));
    };
    // What is not initialised may hold anything at first, if nobody reads it.
    let is_open =
        |id: &EventId| graph.event(*id).thread.is_none() && !graph.reads_from.contains(&Some(*id));
    for id in graph.ids().filter(|id| !is_open(id)) {
        let mut other = graph.clone();
        match &mut other.events[id.index()].action {
            Action::Read(access) | Action::Write(access) => access.value += 1,
            Action::Start(thread) | Action::Join(thread) => *thread += 1,
            _ => continue,
        }
        add(format!("another value of e{}", id.0), other);
    }
    for id in graph.ids() {
        let mut other = graph.clone();
        let Action::Read(access) = &mut other.events[id.index()].action else {
            continue;
        };
        access.order = match access.order {
            None => Some(MemoryOrder::Relaxed),
            Some(_) => None,
        };
        add(format!("another order of e{}", id.0), other);
    }
    for id in graph
        .ids()
        .filter(|id| graph.reads_from[id.index()].is_some())
    {
        let mut other = graph.clone();
        other.reads_from[id.index()] = Some(EventId(0));
        if other != *graph {
            add(format!("another write for e{}", id.0), other);
        }
    }
    let mut longer = graph.clone();
    longer.add(Some(1), Action::Fence(MemoryOrder::SeqCst));
    add("a fence that nobody does".into(), longer);
    let mut exchange = graph.clone();
    exchange.exchanges = graph.ids().filter(|&id| is_pair(graph, id)).collect();
    if exchange != *graph {
        add(
            "reads and writes that are not one operation".into(),
            exchange,
        );
    }
    for id in graph.ids() {
        let mut freed = graph.clone();
        freed.frees = vec![id];
        add(format!("e{} as what frees memory", id.0), freed);
    }
    for at in 0..trace.steps.len() {
        let mut shorter = trace.clone();
        shorter.steps.remove(at);
        all.push((format!("without step {at}"), shorter));
    }
    all
}

fn is_pair(graph: &Graph, id: EventId) -> bool {
    let next = graph.next_in_thread(id).map(|it| graph.event(it).action);
    match (graph.event(id).action, next) {
        (Action::Read(read), Some(Action::Write(write))) => read.location == write.location,
        _ => false,
    }
}

#[test]
fn evidence_that_was_changed_is_refused() {
    let (task, trace) = lost_message();
    let changed = changes(&trace);
    assert!(changed.len() > 30, "{}", changed.len());
    for (what, other) in changed {
        assert!(!is_accepted(&task, "rc11", &other), "{what}");
    }
}

#[test]
fn schedules_and_other_proofs_say_nothing_about_weaker_models() {
    let (task, trace) = lost_message();
    let schedule = Trace::new(trace.violation, trace.steps.clone());
    for model in Model::names() {
        assert!(!is_accepted(&task, model, &schedule), "{model}");
    }
    let states = Proof::ClosedExploration {
        states: 1,
        transitions: 1,
    };
    let graphs = Proof::AllGraphs {
        model: "rc11".into(),
        executions: 3,
        blocked: 0,
        events: 9,
    };
    let said = |model, proof: &Proof| verdict(&task, model, Verdict::Safe(proof.clone()));
    assert_eq!(said("sc", &states).name(), "safe");
    assert_eq!(said("rc11", &states).name(), "unknown");
    assert_eq!(said("rc11", &graphs).name(), "safe");
    assert_eq!(said("tso", &graphs).name(), "unknown");
}

#[test]
fn errors_under_a_model_of_ones_own_are_accepted() {
    let (task, _) = lost_message();
    let text = include_str!("../../models/cat/rc11.cat");
    let own = Model::parse("own", &text.replace("\"rc11\"", "\"own\"")).expect("a model");
    assert!(own.grows_from_prefixes() && !own.is_shipped());
    let limits = graphs::Limits {
        events: 100,
        graphs: 1_000_000,
        waits: true,
        budget: verdict::Budget::unlimited(),
    };
    let found = reference(&task, &own, &limits).expect("an answer");
    let trace = found.error.expect("an error");
    let mut task = task.clone();
    task.memory_model = Arc::new(own);
    if let Err(error) = verdict::replayed(&task, &trace) {
        panic!("{error}");
    }
    let without = text.replace("acyclic po | rf | spawn", "acyclic po | spawn");
    assert!(
        !Model::parse("own", &without)
            .expect("a model")
            .grows_from_prefixes()
    );
}
