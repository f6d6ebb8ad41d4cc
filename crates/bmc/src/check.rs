//! The engine: unroll, encode, ask, and unroll further.

use crate::config::{Config, Encoding};
use crate::{ordering, scheduler};
use semantics::Property;
use smt::on_worker;
use verdict::{Answer, Bound, Budget, Reason, Stats, Task, Verdict};

/// Checks a program by unrolling it further and further.
pub fn check(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let over = || budget.exceeded(0).is_some();
    let answer = on_worker(over, || check_here(task, config, budget));
    answer.unwrap_or_else(Answer::crashed)
}

fn check_here(task: &Task, config: &Config, budget: &Budget) -> Answer {
    let mut stats = Stats::default();
    let mut rounds = config.first_rounds;
    let verdict = loop {
        budget.tell(|| format!("loops unrolled {rounds} times"));
        let verdict = match config.encoding {
            _ if !task.memory_model.is_sc() && config.encoding == Encoding::Scheduler => Err(
                Reason::unsupported("the scheduler encoding knows sequential consistency alone"),
            ),
            Encoding::Ordering => ordering::check(task, config, budget, rounds, &mut stats),
            Encoding::Scheduler => scheduler::check(task, config, budget, rounds, &mut stats),
        };
        match verdict {
            Err(reason) => break Verdict::Unknown(reason),
            Ok(Some(verdict)) => break verdict,
            Ok(None) if rounds >= config.most_rounds => {
                break Verdict::Unknown(Reason::Bound(Bound::Rounds(rounds.into())));
            }
            Ok(None) => rounds *= 2,
        }
    };
    Answer::new(verdict, stats)
}

/// Why there is no verdict about a property that an encoding does not know.
pub(crate) fn not_checked(property: Property) -> Reason {
    Reason::unsupported(format!(
        "bounded model checking does not check {property} yet"
    ))
}
