//! The engine for termination.

use super::{Engine, beyond, is_unrolled};
use crate::steps::Steps;
use crate::termination::{Outcome, Termination};
use analysis::Program;
use expr::Terms;
use passes::Unsupported;
use serde_json::Value;
use verdict::{Proof, Verdict};

impl Engine<'_> {
    /// Threads of a template may wait for each other in ways that nobody follows, so programs are
    /// unrolled here.
    pub(super) fn termination(&mut self) -> Verdict {
        let mut open = String::new();
        for rounds in [1, 2, 4] {
            let program = Program::waiting(&self.task.xcfa, rounds);
            let (outcome, unrolls) = self.ends(program);
            match outcome {
                Outcome::Ends(clauses, proved) => {
                    self.proved = proved;
                    return Verdict::Safe(Proof::Invariants {
                        index: self.stats.get("threads").unwrap_or(0),
                        clauses: clauses as u64,
                        certificate: Value::Null,
                    });
                }
                Outcome::Endless(trace) => return Verdict::Unsafe(trace),
                Outcome::Open(why) => open = why,
            }
            if let Some(reason) = self.budget.exceeded(0) {
                return Verdict::Unknown(reason);
            }
            if !unrolls {
                break;
            }
        }
        beyond(open)
    }

    fn ends(&mut self, program: Result<(Program, Terms), Unsupported>) -> (Outcome, bool) {
        let prepared = program.and_then(|(program, mut terms)| {
            let blocks = self.blocks(&program, &mut terms, true)?;
            Ok((program, terms, blocks))
        });
        let (program, mut terms, blocks) = match prepared {
            Ok(prepared) => prepared,
            Err(refused) => return (Outcome::Open(self.refused(&refused)), false),
        };
        let steps = Steps::of(&program, &mut terms, &blocks);
        self.measure(&steps, &blocks);
        self.stats.set("threads", program.threads.len() as u64);
        let unrolls = is_unrolled(&program);
        let mut rule = Termination {
            task: self.task,
            config: self.config,
            budget: self.budget,
            program: &program,
            blocks: &blocks,
            steps: &steps,
            stats: &mut self.stats,
        };
        (rule.run(&mut terms), unrolls)
    }
}
