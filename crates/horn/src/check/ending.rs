//! The engine for termination.

use super::{Engine, is_unrolled};
use crate::Config;
use crate::steps::Steps;
use crate::termination::{Certificate, Termination, TerminationResult};
use abstraction::Program;
use expr::Terms;
use passes::Unsupported;
use serde_json::Value;
use verdict::{Proof, Reason, Stats, Verdict};

impl Engine<'_> {
    /// Programs are unrolled here: waiting between threads of a template is not modelled.
    pub(super) fn termination(&mut self) -> Verdict {
        let mut open = Reason::OutOfTime;
        for rounds in [1, 2, 4] {
            let program = Program::waiting(&self.task.xcfa, rounds);
            let (outcome, unrolls) = self.ends(program, false);
            match outcome {
                TerminationResult::Ends(ending) => {
                    let (clauses, index) = (ending.clauses, self.stats.get("threads"));
                    let certify = self.config.certify;
                    let certificate = certify.then(|| self.certificate(rounds)).flatten();
                    let certificate = certificate.map(|it| it.and(&ending.ranks));
                    self.proved = ending.invariants;
                    return Verdict::Safe(Proof::Invariants {
                        index: index.unwrap_or(0),
                        clauses: clauses as u64,
                        certificate: certificate.map_or(Value::Null, |it| it.value(rounds)),
                    });
                }
                TerminationResult::Endless(trace) => return Verdict::Unsafe(trace),
                TerminationResult::Open(why) => open = why,
                TerminationResult::Ranked(_) => {
                    open = Reason::Inconclusive("ranks were not asked for".into())
                }
            }
            if let Some(reason) = self.budget.exceeded(0) {
                return Verdict::Unknown(reason);
            }
            if !unrolls {
                break;
            }
        }
        Verdict::Unknown(open)
    }

    /// Looks for invariants and ranks without blocks, in half of the time that is left.
    fn certificate(&mut self, rounds: u32) -> Option<Certificate> {
        let config = Config {
            reduction: false,
            ..self.config.clone()
        };
        let left = self.budget.remaining();
        let budget = left.map_or(self.budget.clone(), |left| self.budget.at_most(left / 2));
        let mut plain = Engine {
            task: self.task,
            config: &config,
            budget: &budget,
            target: self.target,
            stats: Stats::default(),
            proved: Vec::new(),
        };
        let program = Program::waiting(&self.task.xcfa, rounds);
        match plain.ends(program, true).0 {
            TerminationResult::Ranked(certificate) => Some(certificate),
            TerminationResult::Ends(_)
            | TerminationResult::Endless(_)
            | TerminationResult::Open(_) => None,
        }
    }

    fn ends(
        &mut self,
        program: Result<(Program, Terms), Unsupported>,
        ranks_only: bool,
    ) -> (TerminationResult, bool) {
        let prepared = program.and_then(|(program, mut terms)| {
            let blocks = self.blocks(&program, &mut terms, true)?;
            Ok((program, terms, blocks))
        });
        let (program, mut terms, blocks) = match prepared {
            Ok(prepared) => prepared,
            Err(refused) => return (TerminationResult::Open(self.beyond(&refused)), false),
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
            ranks_only,
        };
        (rule.run(&mut terms), unrolls)
    }
}
