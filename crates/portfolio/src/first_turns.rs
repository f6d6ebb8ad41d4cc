//! The first turns of several properties of one program, one after the other in one child process: the first engines of each
//! property's table, and before them a glance of the explorer, which answers most small programs sooner than a solver starts.
//!
//! Law: what is asked here for nothing is asked again in full. An answer is used only if it is definite and confirmed; an
//! engine that fails, that takes too long, or that does not know costs the time of its turn and nothing else.

use crate::child::{inject_fault, send};
use crate::{Attempt, steps_for};
use process::{Ended, Fork, own_usage};
use semantics::{Mark, Reached};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use verdict::{Answer, Budget, Confirmed, Listener, Task, Verdict};

/// Several questions about one program.
pub struct FirstTurns<'a> {
    /// The program, prepared for each of the properties.
    pub tasks: &'a [Arc<Task>],
    /// For everything together.
    pub budget: &'a Budget,
    /// Bytes of memory for the process.
    pub memory: u64,
    /// How to run an engine on the task of that number.
    pub run_engine: &'a dyn Fn(usize, &str, &Budget) -> Answer,
}

/// What came of a turn.
#[derive(Clone, Debug)]
pub struct FirstAnswer {
    /// The answer: *safe* or *unsafe*.
    pub confirmed: Confirmed,
    /// The engine, and what it used.
    pub attempt: Attempt,
    /// What it has executed.
    pub reached: Vec<Mark>,
}

/// What the child writes after the turns of each task, in the order of the tasks.
#[derive(Serialize, Deserialize)]
struct Turn {
    /// By its place among those that have a turn: the engine that knows, or that was the last one.
    engine: usize,
    /// Nothing if no engine knows.
    answer: Option<Box<Answer>>,
    started_s: f64,
    wall_s: f64,
    cpu_s: f64,
    rss_kb: u64,
    progress: String,
    reached: Vec<Mark>,
}

/// So many engines of the table have a turn about each task, of so much processor time: what small programs are found to do
/// must not depend on what else the machine does.
const ENGINES: usize = 2;
const TURN: Duration = Duration::from_millis(150);
/// On the clock, a turn is so many times as long.
const BUSY: u32 = 8;
/// What explores all states, and how long it may before the engine that the table begins with.
const EXPLORER: &str = "explore";
const GLANCE: Duration = Duration::from_millis(20);
/// How often to look whether a turn has had its processor time.
const TICK: Duration = Duration::from_millis(5);
/// An engine notices the end of its turn by itself; the process is killed only when it does not.
const GRACE: Duration = Duration::from_millis(100);
/// How often to look at the memory and at the limits, when there is no news.
const PERIOD: Duration = Duration::from_millis(20);

impl FirstTurns<'_> {
    /// What was found for each of the tasks.
    pub fn run(&self) -> Vec<Option<FirstAnswer>> {
        // Before the fork, so that what this needs to know of the programs is worked out once.
        let engines: Vec<Vec<Chance>> = self.tasks.iter().map(|task| chances(task)).collect();
        let mut found: Vec<Option<FirstAnswer>> = Vec::new();
        if let Ok(mut fork) = Fork::start(|pipe| self.take(&engines, pipe)) {
            self.gather(&engines, &mut fork, &mut found);
            fork.kill(Ended::Stopped);
        }
        found.resize_with(self.tasks.len(), || None);
        found
    }

    /// The work of the child.
    fn take(&self, engines: &[Vec<Chance>], pipe: &mut File) -> i32 {
        // What it dies of is said when the engine has its full turn.
        std::panic::set_hook(Box::new(|_| ()));
        let began = Instant::now();
        let alarm = Alarm::start(self.budget.interrupt_flag());
        for (at, engines) in engines.iter().enumerate() {
            let mut last = None;
            for (number, &chance) in engines.iter().enumerate() {
                alarm.set(Some(chance.time));
                let turn = self.turn(at, number, chance, began);
                alarm.set(None);
                let knows = turn.answer.is_some();
                last = Some(turn);
                if knows {
                    break;
                }
            }
            send(pipe, &last);
        }
        0
    }

    /// The turn of one engine, in the child.
    fn turn(&self, at: usize, number: usize, chance: Chance, began: Instant) -> Turn {
        let (task, started, before) = (&*self.tasks[at], Instant::now(), own_usage());
        let reached = Arc::new(Reached::new(&task.xcfa));
        let said = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&said);
        let listener = Listener::new(move |text| {
            text.clone_into(&mut last.lock().unwrap_or_else(PoisonError::into_inner));
        });
        let Chance { engine, time } = chance;
        let budget = self.budget.at_most(time * BUSY).with_memory(self.memory);
        let budget = budget.noting(Arc::clone(&reached)).with_listener(listener);
        let answer = inject_fault(engine);
        let answer = answer.unwrap_or_else(|| (self.run_engine)(at, engine, &budget));
        let is_definite = !matches!(answer.verdict, Verdict::Unknown(_));
        let after = own_usage();
        Turn {
            engine: number,
            answer: is_definite.then(|| Box::new(answer)),
            started_s: (started - began).as_secs_f64(),
            wall_s: started.elapsed().as_secs_f64(),
            cpu_s: after.cpu_s - before.cpu_s,
            rss_kb: after.rss_kb,
            progress: said.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            reached: reached.news(&mut Vec::new()),
        }
    }

    /// Takes what the child writes, until it has ended, or has to be ended.
    fn gather(
        &self,
        engines: &[Vec<Chance>],
        fork: &mut Fork,
        found: &mut Vec<Option<FirstAnswer>>,
    ) {
        let (mut heard, mut memory_due) = (Instant::now(), Instant::now() + PERIOD);
        while found.len() < self.tasks.len() {
            // In this order: a child that has ended writes no more.
            let ended = fork.has_ended();
            for line in fork.lines() {
                let Ok(turn) = serde_json::from_str::<Option<Turn>>(&line) else {
                    return;
                };
                let Some(task) = self.tasks.get(found.len()) else {
                    return;
                };
                let engines = &engines[found.len()];
                found.push(turn.and_then(|turn| turn.confirmed(engines, task)));
                heard = Instant::now();
            }
            let now = Instant::now();
            if now >= memory_due {
                memory_due = now + PERIOD;
                if fork.resident() > self.memory {
                    return;
                }
            }
            let is_late = now - heard > (GLANCE + TURN * ENGINES as u32) * BUSY + GRACE;
            if ended || is_late || self.budget.exceeded(0).is_some() {
                return;
            }
            fork.wait(PERIOD);
        }
    }
}

/// Interrupts a turn that has used up its processor time.
struct Alarm {
    interrupt: Arc<AtomicBool>,
    /// The processor time of this process at which it goes off.
    at: Arc<Mutex<Option<Duration>>>,
}

impl Alarm {
    /// Where no thread can be started, turns are as long as they are on the clock.
    fn start(interrupt: Arc<AtomicBool>) -> Alarm {
        let at = Arc::new(Mutex::new(None));
        let (flag, due) = (Arc::clone(&interrupt), Arc::clone(&at));
        let thread = std::thread::Builder::new();
        let _ = thread.spawn(move || {
            loop {
                std::thread::sleep(TICK);
                let mut due = due.lock().unwrap_or_else(PoisonError::into_inner);
                if due.is_some_and(|due| processor_time() >= due) {
                    flag.store(true, Ordering::Relaxed);
                    *due = None;
                }
            }
        });
        Alarm { interrupt, at }
    }

    /// It goes off after so much processor time from now on, or not at all.
    fn set(&self, after: Option<Duration>) {
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        self.interrupt.store(false, Ordering::Relaxed);
        *at = after.map(|time| processor_time() + time);
    }
}

fn processor_time() -> Duration {
    Duration::from_secs_f64(own_usage().cpu_s)
}

/// An engine, and how much processor time it may take.
#[derive(Clone, Copy)]
struct Chance {
    engine: &'static str,
    time: Duration,
}

/// The engines that have a turn about a task.
fn chances(task: &Task) -> Vec<Chance> {
    let mut chances: Vec<Chance> = Vec::new();
    for step in steps_for(task) {
        let is_new = chances.iter().all(|known| known.engine != step.engine);
        if chances.len() < ENGINES && is_new {
            let (engine, time) = (step.engine, TURN);
            chances.push(Chance { engine, time });
        }
    }
    let explorer = chances.iter().position(|it| it.engine == EXPLORER);
    if explorer.is_some_and(|at| at > 0) {
        let (engine, time) = (EXPLORER, GLANCE);
        chances.insert(0, Chance { engine, time });
    }
    chances
}

impl Turn {
    /// The answer, if the machine follows it.
    fn confirmed(self, engines: &[Chance], task: &Task) -> Option<FirstAnswer> {
        let engine = engines.get(self.engine)?.engine;
        let confirmed = self.answer?.confirm(task);
        if matches!(confirmed.verdict(), Verdict::Unknown(_)) {
            return None;
        }
        let attempt = Attempt {
            engine,
            started_s: self.started_s,
            wall_s: self.wall_s,
            cpu_s: self.cpu_s,
            rss_kb: self.rss_kb,
            result: confirmed.verdict().name().to_owned(),
            progress: self.progress,
            stats: confirmed.stats().clone(),
        };
        Some(FirstAnswer {
            confirmed,
            attempt,
            reached: self.reached,
        })
    }
}
