//! What is asked about one program: a task for each property.

use crate::failure::Failure;
use driver::{CheckResult, Plan, first_turns};
use std::sync::Arc;
use std::time::Duration;
use verdict::{Program, Property, Refused, Task};

/// A property of a program, and what is known about it so far.
pub struct Question {
    /// The property.
    pub property: Property,
    /// The program, prepared for it, unless that was put off.
    task: Option<Result<Arc<Task>, Refused>>,
    /// The answer, if the first turn of the first engine found it.
    pub found: Option<CheckResult>,
}

/// Programs that take more processor time to prepare are not small: no process for each property is worth saving.
const SMALL: Duration = Duration::from_millis(100);

impl Question {
    /// The questions about a program, without answers.
    pub fn about(properties: &[Property]) -> Vec<Question> {
        let question = |&property: &Property| Question {
            property,
            task: None,
            found: None,
        };
        properties.iter().map(question).collect()
    }

    /// The program, prepared for the property.
    pub fn task(&mut self, program: &Program) -> Result<Arc<Task>, Refused> {
        let prepare = || Task::prepare(program, self.property).map(Arc::new);
        self.task.get_or_insert_with(prepare).clone()
    }
}

/// Answers what takes no time, if there are several questions about a small program: all in one process.
pub fn answer_quickly(
    questions: &mut [Question],
    program: &Program,
    plan: &Plan,
) -> Result<(), Failure> {
    if questions.len() < 2 {
        return Ok(());
    }
    let processor_time = || Duration::from_secs_f64(process::own_usage().cpu_s);
    let before = processor_time();
    let (mut asked, mut tasks) = (Vec::new(), Vec::new());
    for question in questions {
        let task = question.task(program);
        if processor_time().saturating_sub(before) > SMALL {
            return Ok(());
        }
        if let Ok(task) = task {
            asked.push(question);
            tasks.push(task);
        }
    }
    let found = first_turns(&tasks, plan).map_err(|bad| Failure::usage(bad.to_string()))?;
    for (question, found) in asked.into_iter().zip(found) {
        question.found = found;
    }
    Ok(())
}
