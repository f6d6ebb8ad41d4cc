//! Small programs for tests.

use graphs::{Limits, Outcome, Stop};
use models::Model;
use semantics::Property;
use std::sync::Arc;
use verdict::{Budget, Preparation, Program, Task, Trace};
use xcfa::SourceFile;

#[allow(dead_code)]
/// A program whose threads run these bodies; then `after` runs in the first thread.
pub fn program(threads: &[String], after: &str) -> Task {
    let parts = testkit::Parts {
        threads: threads.to_vec(),
        main: String::new(),
    };
    task(&parts.text(after))
}

/// A program as a task.
#[allow(dead_code)]
pub fn task(text: &str) -> Task {
    task_for(text, Property::Reach)
}

/// A program as a task for a property.
pub fn task_for(text: &str, property: Property) -> Task {
    let program = Program::new(vec![SourceFile::new("test.c", text)]);
    let program = program.with_preparation(Preparation::Ordered);
    Task::prepare(&program, property).expect("a program")
}

/// A search for executions.
pub type Method = fn(&Task, &Model, &Limits) -> Result<Outcome, Stop>;

/// What a method finds.
pub fn run(method: Method, task: &Task, model: &str) -> Outcome {
    let model = Model::shipped(model).expect("a model");
    let limits = Limits {
        events: 200,
        graphs: 1_000_000,
        waits: true,
        budget: Budget::unlimited(),
    };
    method(task, &model, &limits).expect("an answer")
}

/// The race that a method finds; the gate accepts it.
#[allow(dead_code)]
#[track_caller]
pub fn races(method: Method, task: &Task, model: &str) -> Option<Trace> {
    let mut racing = task.clone();
    racing.property = Property::Race;
    let (trace, _) = run(method, &racing, model).flagged?;
    confirm(&racing, model, &trace);
    Some(trace)
}

/// The gate accepts a counterexample under this model.
#[allow(dead_code)]
#[track_caller]
pub fn confirm(task: &Task, model: &str, trace: &Trace) {
    let mut task = task.clone();
    task.memory_model = Arc::new(Model::shipped(model).expect("a model"));
    if let Err(error) = verdict::replayed(&task, trace) {
        panic!(
            "{model}: {error}\n{}",
            trace.graph.as_ref().expect("a graph")
        );
    }
}
