//! A look at the properties that nobody named.
//!
//! Who does not say what to check wants to know what goes wrong, whatever it is. Assertions are checked in full; everything
//! else has a second, and what that finds is told in a few lines. A violation counts. What a look does not answer was not
//! asked: it does not make the answer *unknown*.

use super::auto;
use super::question::Question;
use crate::failure::{Exit, Failure};
use crate::output::{BAD, DOUBT, FAINT, GOOD, paint};
use crate::report::without_property;
use driver::Plan;
use std::time::Duration;
use verdict::{Program, Property, Verdict};

/// As long as this for each property.
const LONGEST: Duration = Duration::from_secs(1);

/// What was seen.
#[derive(Default)]
pub struct Look {
    /// What goes wrong.
    violated: Vec<(Property, String)>,
    safe: Vec<Property>,
    open: Vec<Property>,
    refused: Vec<(Property, String)>,
    /// What the verdicts rest on.
    assumptions: Vec<String>,
}

impl Look {
    /// Looks at these questions, as long as there is time.
    pub fn at(questions: &mut [Question], program: &Program, plan: &Plan) -> Result<Look, Failure> {
        let mut look = Look::default();
        for question in questions {
            look.one(question, program, plan)?;
        }
        Ok(look)
    }

    fn one(
        &mut self,
        question: &mut Question,
        program: &Program,
        plan: &Plan,
    ) -> Result<(), Failure> {
        let property = question.property;
        if question.found.is_none() && plan.budget.exceeded(0).is_some() {
            self.open.push(property);
            return Ok(());
        }
        let task = match question.task(program) {
            Ok(task) => task,
            Err(refused) => {
                self.refused.push((property, refused.what));
                return Ok(());
            }
        };
        let found = match question.found.take() {
            Some(found) => found,
            None => {
                let short = plan.clone().with_budget(plan.budget.at_most(LONGEST));
                auto::solve(&task, &short)?
            }
        };
        match found.confirmed.verdict() {
            Verdict::Safe(_) => self.safe.push(property),
            Verdict::Unsafe(_) => {
                let replay = found.confirmed.replay();
                let told = replay.map(|replay| without_property(property, &replay.failure));
                self.violated.push((property, told.unwrap_or_default()));
            }
            Verdict::Unknown(_) => {
                self.open.push(property);
                return Ok(());
            }
        }
        for assumption in &task.xcfa.assumptions {
            if !self.assumptions.contains(assumption) {
                self.assumptions.push(assumption.clone());
            }
        }
        Ok(())
    }

    /// What it comes to.
    pub fn exit(&self) -> Exit {
        match self.violated.is_empty() {
            true => Exit::Safe,
            false => Exit::Unsafe,
        }
    }

    /// For people, without the assumptions that they have read; with a heading unless they want only lines.
    pub fn text(&self, told: &[String], is_brief: bool) -> String {
        let heading = "at a first look (--property all looks longer, and shows how)";
        let mut text = match is_brief {
            true => String::new(),
            false => format!("\n{}\n", paint(FAINT, heading)),
        };
        let names = |list: &[Property]| {
            let names = list.iter().map(|it| it.name());
            names.collect::<Vec<_>>().join(", ")
        };
        for (property, what) in &self.violated {
            text += &format!("  {}  {property}: {what}\n", paint(BAD, "UNSAFE"));
        }
        if !self.safe.is_empty() {
            text += &format!("  {}    {}\n", paint(GOOD, "SAFE"), names(&self.safe));
        }
        if !self.open.is_empty() {
            let word = paint(DOUBT, "UNKNOWN");
            let note = paint(FAINT, "(does not count)");
            text += &format!("  {word} {}  {note}\n", names(&self.open));
        }
        for (property, what) in &self.refused {
            text += &format!("  not checked: {property} ({what})\n");
        }
        for assumption in self.assumptions.iter().filter(|it| !told.contains(it)) {
            text += &format!("  assuming: {assumption}\n");
        }
        text
    }
}
