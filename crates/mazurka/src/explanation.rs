//! `--explain`: what was tried, for how long, and why it gave up.

use crate::output::{FAINT, HEADING, paint};
use dataflow::Facts;
use driver::Attempt;
use serde::Serialize;

/// How `--engine auto` came to its answer.
#[derive(Serialize)]
pub struct Explanation {
    program: String,
    tried: Vec<Attempt>,
}

impl From<(Facts, Vec<Attempt>)> for Explanation {
    fn from((facts, tried): (Facts, Vec<Attempt>)) -> Explanation {
        let program = facts.to_string();
        Explanation { program, tried }
    }
}

impl Explanation {
    /// As text.
    pub fn text(&self) -> String {
        let mut out = format!("\n{}\n", paint(HEADING, "how the answer was found"));
        out += &format!("  {}\n\n", self.program);
        let heading = "engine    from s   for s   cpu s     MiB  result";
        out += &format!("  {}\n", paint(FAINT, heading));
        for attempt in &self.tried {
            out += &format!(
                "  {:<8} {:>7.2} {:>7.2} {:>7.2} {:>7}  {}\n",
                attempt.engine,
                attempt.started_s,
                attempt.wall_s,
                attempt.cpu_s,
                attempt.rss_kb >> 10,
                attempt.result,
            );
        }
        out
    }
}
