//! Runs a table of steps, as many at a time as there are cores.

use crate::child::{Child, News};
use crate::second_opinion::Opinions;
use crate::{Attempt, Step, steps_for};
use process::{Ended, Usage};
use std::time::{Duration, Instant};
use verdict::{Answer, Budget, Confirmed, Reason, Stats, Task, Verdict};

/// What is to be done.
pub struct Portfolio<'a> {
    /// The program and its property.
    pub task: &'a Task,
    /// For everything together.
    pub budget: &'a Budget,
    /// How many engines at a time.
    pub cores: usize,
    /// Bytes of memory for all of them.
    pub memory: u64,
    /// Does an answer count only if two engines give it?
    pub paranoid: bool,
    /// How to run an engine.
    pub run_engine: &'a dyn Fn(&str, &Budget) -> Answer,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct PortfolioResult {
    /// The engine that gave the answer.
    pub engine: &'static str,
    /// The answer.
    pub confirmed: Confirmed,
    /// Everything that was tried, in the order of the ends.
    pub tried: Vec<Attempt>,
}

/// A running engine.
#[derive(Clone, Debug)]
pub struct Running<'a> {
    /// The engine.
    pub engine: &'static str,
    /// Since when.
    pub elapsed: Duration,
    /// What it said last about how far it is.
    pub progress: &'a str,
}

/// The first engine runs alone for this long: most programs need no more, and no second process.
const HEAD_START: Duration = Duration::from_millis(60);

impl Portfolio<'_> {
    /// Runs until there is a confirmed answer, nothing is left to try, or the budget is used up.
    pub fn run(&self, watch: &mut dyn FnMut(&[Running<'_>])) -> PortfolioResult {
        let mut conductor = Conductor {
            portfolio: self,
            whole: self.budget.remaining().map(|left| left * self.cores as u32),
            began: Instant::now(),
            waiting: self.plan(),
            running: Vec::new(),
            tried: Vec::new(),
            reasons: Vec::new(),
            opinions: Opinions::default(),
        };
        let (engine, confirmed) = conductor.conduct(watch);
        conductor.stop(match confirmed.verdict() {
            Verdict::Unknown(_) => "cut off by the limits of the whole check",
            _ => "stopped, not needed any more",
        });
        PortfolioResult {
            engine,
            confirmed,
            tried: conductor.tried,
        }
    }

    /// The steps that are worth it for this program, the last one first.
    fn plan(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = steps_for(self.task).copied().collect();
        steps.reverse();
        steps
    }
}

struct Conductor<'a> {
    portfolio: &'a Portfolio<'a>,
    /// The time of all cores together.
    whole: Option<Duration>,
    began: Instant,
    /// The next one is last.
    waiting: Vec<Step>,
    running: Vec<Child>,
    tried: Vec<Attempt>,
    reasons: Vec<(&'static str, Reason)>,
    opinions: Opinions,
}

impl Conductor<'_> {
    fn conduct(&mut self, watch: &mut dyn FnMut(&[Running<'_>])) -> (&'static str, Confirmed) {
        loop {
            if let Some(reason) = self.portfolio.budget.exceeded(0) {
                return self.without_answer(Some(reason));
            }
            self.start_some();
            if self.running.is_empty() && self.waiting.is_empty() {
                return self.without_answer(None);
            }
            if let Some((engine, answer)) = self.poll() {
                return (engine, answer);
            }
            self.show(watch);
            self.pause();
        }
    }

    fn start_some(&mut self) {
        let alone = self.began.elapsed() < HEAD_START && self.tried.is_empty();
        let most = if alone { 1 } else { self.portfolio.cores };
        while self.running.len() < most
            && let Some(step) = self.waiting.pop()
        {
            if self.running.iter().any(|child| child.engine == step.engine) {
                // Its second turn comes after the first one.
                self.waiting.push(step);
                return;
            }
            if !self.is_pointless(step.engine) {
                self.start(step);
            }
        }
    }

    /// An engine that cannot follow the program will not do so later. One that crashed may.
    fn is_pointless(&self, engine: &str) -> bool {
        let said = self.reasons.iter().filter(|(who, _)| *who == engine);
        said.map(|(_, reason)| reason).any(Reason::is_final)
    }

    fn start(&mut self, step: Step) {
        let portfolio = self.portfolio;
        let memory = portfolio.memory / portfolio.cores.max(1) as u64;
        // The engine gives up by itself a little before it would be killed.
        let budget = portfolio.budget.at_most(step.time(self.whole));
        let budget = budget.with_memory(memory / 10 * 9);
        match Child::start(step.engine, &budget, memory, portfolio.run_engine) {
            Ok(child) => self.running.push(child),
            Err(error) => {
                let reason = Reason::EngineFault(format!("could not be started: {error}"));
                self.reasons.push((step.engine, reason));
            }
        }
    }

    /// Takes what the children have sent; the answer, if one counts.
    fn poll(&mut self) -> Option<(&'static str, Confirmed)> {
        let mut at = 0;
        while at < self.running.len() {
            match self.running[at].poll() {
                News::None => at += 1,
                News::Answer(answer) => {
                    let child = self.running.remove(at);
                    if let Some(decided) = self.answered(child, *answer) {
                        return Some(decided);
                    }
                }
                News::Lost(what, killed) => {
                    let child = self.running.remove(at);
                    self.lost(child, &what, killed);
                }
            }
        }
        None
    }

    fn answered(&mut self, child: Child, answer: Answer) -> Option<(&'static str, Confirmed)> {
        let engine = child.engine;
        let confirmed = answer.confirm(self.portfolio.task);
        let result = match confirmed.verdict() {
            Verdict::Unknown(reason) => reason.to_string(),
            definite => definite.name().to_owned(),
        };
        let at = self.tried.len();
        self.note(child, Ended::Stopped, result);
        self.tried[at].stats = confirmed.stats().clone();
        if let Verdict::Unknown(reason) = confirmed.verdict() {
            self.reasons.push((engine, reason.clone()));
            return None;
        }
        match self.portfolio.paranoid {
            true => self.opinions.add(engine, confirmed),
            false => Some((engine, confirmed)),
        }
    }

    /// A child that did not come back: killed for its limits, or dead.
    fn lost(&mut self, child: Child, what: &str, killed: Option<Ended>) {
        let engine = child.engine;
        let at = self.tried.len();
        let ended = self.note(child, killed.unwrap_or(Ended::Stopped), String::new());
        let reason = match ended {
            Ended::OutOfTime => Reason::OutOfTime,
            Ended::OutOfMemory => Reason::OutOfMemory,
            _ if !what.is_empty() => {
                Reason::EngineFault(format!("stopped by an error of its own: {what}"))
            }
            Ended::Signal(number) => Reason::EngineFault(format!("killed by signal {number}")),
            Ended::Exit(status) => {
                Reason::EngineFault(format!("ended without an answer, status {status}"))
            }
            Ended::Stopped => Reason::EngineFault("ended without an answer".into()),
        };
        self.tried[at].result = reason.to_string();
        self.reasons.push((engine, reason));
    }

    /// Ends a child and writes down what it did.
    fn note(&mut self, child: Child, why: Ended, result: String) -> Ended {
        let engine = child.engine;
        let started_s = (child.started - self.began).as_secs_f64();
        let (ended, usage, progress) = child.end(why);
        let Usage {
            wall_s,
            cpu_s,
            rss_kb,
        } = usage;
        self.tried.push(Attempt {
            engine,
            started_s,
            wall_s,
            cpu_s,
            rss_kb,
            result,
            progress,
            stats: Stats::default(),
        });
        ended
    }

    /// Ends all children, for this reason.
    fn stop(&mut self, why: &str) {
        while let Some(child) = self.running.pop() {
            self.note(child, Ended::Stopped, why.to_owned());
        }
    }

    fn show(&self, watch: &mut dyn FnMut(&[Running<'_>])) {
        let running = self.running.iter().map(|child| Running {
            engine: child.engine,
            elapsed: child.started.elapsed(),
            progress: &child.progress,
        });
        watch(&running.collect::<Vec<_>>());
    }

    /// Short runs are answered at once; long ones are not disturbed.
    fn pause(&self) {
        let pause = self.began.elapsed() / 50;
        std::thread::sleep(pause.clamp(Duration::from_micros(300), Duration::from_millis(10)));
    }

    fn without_answer(&mut self, stopped: Option<Reason>) -> (&'static str, Confirmed) {
        for child in &self.running {
            let reason = stopped.clone().unwrap_or(Reason::OutOfTime);
            self.reasons.push((child.engine, reason));
        }
        let reason = match (stopped, self.opinions.alone()) {
            (Some(Reason::Interrupted), _) => Reason::Interrupted,
            (_, Some(alone)) => alone,
            _ => {
                let reasons = self.reasons.drain(..);
                let named = reasons.map(|(engine, reason)| (engine.to_owned(), reason));
                Reason::of_several(named.collect())
            }
        };
        ("auto", Confirmed::unknown(reason))
    }
}
