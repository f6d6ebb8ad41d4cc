//! An engine in its own process, and what it sends to its parent.

use crate::teller::Teller;
use process::{Ended, Fork, Usage};
use semantics::{Mark, Reached};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verdict::{Answer, Budget, Listener};

/// One line through the pipe.
#[derive(Serialize, Deserialize)]
pub(crate) enum Message {
    /// How far it is.
    Progress(String),
    /// What it has executed since it said so last.
    Reached(Vec<Mark>),
    /// It is done.
    Answer(Box<Answer>),
    /// It panicked, with this message.
    Crash(String),
}

/// A running engine.
pub struct Child {
    pub engine: &'static str,
    fork: Fork,
    pub started: Instant,
    /// When it should have ended by itself.
    deadline: Option<Instant>,
    memory: u64,
    memory_due: Instant,
    pub progress: String,
    /// Where it is noted what it executes.
    reached: Option<Arc<Reached>>,
    crash: Option<String>,
}

/// What became of a child.
pub enum News {
    /// Nothing new.
    None,
    /// It has an answer.
    Answer(Box<Answer>),
    /// It must be given up, or has ended without an answer.
    Lost(String, Option<Ended>),
}

/// An engine notices the end of its time by itself; it is killed only when it does not.
const GRACE: Duration = Duration::from_millis(1500);
/// How often a child says how far it is, and how often its memory is examined.
const PERIOD: Duration = Duration::from_millis(100);

impl Child {
    /// Starts an engine.
    pub fn start(
        engine: &'static str,
        budget: &Budget,
        memory: u64,
        run: &dyn Fn(&str, &Budget) -> Answer,
    ) -> io::Result<Child> {
        let fork = Fork::start(|pipe| {
            let Ok(copy) = pipe.as_fd().try_clone_to_owned() else {
                return 1;
            };
            let crashed = std::fs::File::from(copy);
            std::panic::set_hook(Box::new(move |info| {
                let message = info.to_string().replace('\n', " ");
                send(&mut &crashed, &Message::Crash(message));
            }));
            let answer = match inject_fault(engine) {
                Some(answer) => answer,
                None => told(budget, pipe, |budget| run(engine, budget)),
            };
            send(pipe, &Message::Answer(Box::new(answer)));
            0
        })?;
        let now = Instant::now();
        Ok(Child {
            engine,
            fork,
            started: now,
            deadline: budget.remaining().map(|left| now + left + GRACE),
            memory,
            memory_due: now + PERIOD,
            progress: String::new(),
            reached: budget.reached(),
            crash: None,
        })
    }

    /// Looks what has come, and whether it is still within its limits.
    pub fn poll(&mut self) -> News {
        // In this order: a child that has ended writes no more.
        let ended = self.fork.has_ended();
        if let Some(news) = self.listen() {
            return news;
        }
        let now = Instant::now();
        if ended {
            return News::Lost(self.crash.take().unwrap_or_default(), None);
        }
        if self.deadline.is_some_and(|deadline| now > deadline) {
            return News::Lost(String::new(), Some(Ended::OutOfTime));
        }
        if now >= self.memory_due {
            self.memory_due = now + PERIOD;
            if self.fork.resident() > self.memory {
                return News::Lost(String::new(), Some(Ended::OutOfMemory));
            }
        }
        News::None
    }

    /// Takes what it has said; the news, if it will say no more.
    fn listen(&mut self) -> Option<News> {
        for line in self.fork.lines() {
            match serde_json::from_str(&line) {
                Ok(Message::Progress(text)) => self.progress = text,
                Ok(Message::Reached(marks)) => {
                    for mark in marks {
                        self.reached.iter().for_each(|reached| reached.add(mark));
                    }
                }
                Ok(Message::Answer(answer)) => return Some(News::Answer(answer)),
                Ok(Message::Crash(message)) => self.crash = Some(message),
                Err(error) => return Some(News::Lost(format!("garbled answer: {error}"), None)),
            }
        }
        None
    }

    /// Ends it, whatever it does; with what it said last about how far it was.
    pub fn end(mut self, why: Ended) -> (Ended, Usage, String) {
        self.listen();
        let (ended, usage) = self.fork.kill(why);
        (ended, usage, self.progress)
    }
}

/// Runs an engine whose progress goes through the pipe: now and then, and when it has its answer.
fn told(budget: &Budget, pipe: &std::fs::File, run: impl FnOnce(&Budget) -> Answer) -> Answer {
    let Ok(pipe) = pipe.try_clone() else {
        return run(budget);
    };
    let teller = Arc::new(Teller::new(pipe, PERIOD, budget.reached()));
    let hearing = Arc::clone(&teller);
    let listener = Listener::new(move |text| hearing.hear(text));
    let answer = run(&budget.with_listener(listener));
    teller.tell();
    answer
}

/// One line, in one piece. A closed pipe is no error.
pub(crate) fn send(pipe: &mut impl Write, message: &impl Serialize) {
    if let Ok(mut line) = serde_json::to_vec(message) {
        line.push(b'\n');
        let _ = pipe.write_all(&line);
    }
}

/// For tests of our own only: `MAZURKA_FAULT=bmc=panic` makes an engine fail.
#[cfg(debug_assertions)]
pub(crate) fn inject_fault(engine: &str) -> Option<Answer> {
    let fault = std::env::var("MAZURKA_FAULT").ok()?;
    let (who, what) = fault.split_once('=')?;
    if who != engine && who != "all" {
        return None;
    }
    match what {
        "panic" => panic!("a fault was injected"),
        "abort" => std::process::abort(),
        "hang" => std::thread::sleep(Duration::from_secs(3600)),
        "memory" => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(vec![1_u8; 16 << 20]);
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        "silence" => std::process::exit(0),
        _ => {}
    }
    None
}

#[cfg(not(debug_assertions))]
pub(crate) fn inject_fault(_: &str) -> Option<Answer> {
    None
}
