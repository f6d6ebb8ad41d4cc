//! A random program from a seed.
//!
//! Statements of a thread follow one of a few disciplines (everything under one lock, everything in
//! atomic sections, anything goes), with rare lapses: otherwise nearly every program would race and
//! nearly every assertion could fail, and comparisons would learn nothing from the rest.

mod data;
mod expr;
mod extra;
mod stmt;

use crate::program::{Crew, Function, Program, Start, StartArg, Stmt};
use crate::{Extra, Profile, Rng};

/// The random program of this seed.
pub fn generate(seed: u64, profile: &Profile) -> Program {
    let mut rng = Rng::new(seed);
    let discipline = Discipline::choose(&mut rng, profile);
    let program = Program::default();
    let mut generator = Generator {
        rng,
        profile,
        program,
        discipline,
    };
    generator.data();
    generator.code();
    generator.program
}

/// How threads protect what they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    /// Not at all, or now and then.
    Free,
    /// By mutex 0 (almost) always, or by any mutex where deadlocks are wanted.
    Locked,
    /// By atomic sections (almost) always.
    Sections,
    /// By atomic operations (almost) only.
    Atomics,
}

impl Discipline {
    fn choose(rng: &mut Rng, profile: &Profile) -> Discipline {
        let mut choices = vec![Discipline::Free, Discipline::Free];
        if profile.max_threads == 0 {
            return Discipline::Free;
        }
        if profile.locks {
            choices.extend([Discipline::Locked, Discipline::Locked]);
        }
        if profile.sections {
            choices.push(Discipline::Sections);
        }
        if profile.atomics {
            choices.push(Discipline::Atomics);
        }
        rng.pick(&choices)
    }
}

/// What is known while a program is made.
struct Generator<'a> {
    rng: Rng,
    profile: &'a Profile,
    program: Program,
    discipline: Discipline,
}

/// Where a statement will be.
#[derive(Clone, Copy, Debug)]
struct Scope {
    /// Blocks that may still be opened inside each other.
    depth: usize,
    /// Loops round it, which is also the next free counter.
    loops: usize,
    /// The mutex held with the greatest number.
    held: Option<usize>,
    /// All mutexes held, as bits.
    held_set: u8,
    /// May it block, call or be an atomic section? Not inside such a section or a helper.
    quiet: bool,
}

impl Scope {
    fn top(depth: usize) -> Scope {
        Scope {
            depth,
            loops: 0,
            held: None,
            held_set: 0,
            quiet: false,
        }
    }

    fn quiet(self) -> Scope {
        Scope {
            quiet: true,
            ..self
        }
    }

    fn deeper(self) -> Scope {
        Scope {
            depth: self.depth.saturating_sub(1),
            ..self
        }
    }
}

impl Generator<'_> {
    fn code(&mut self) {
        self.objects();
        let pointer = usize::from(self.profile.has(Extra::FunctionPointer));
        if self.profile.functions || pointer > 0 {
            for _ in 0..self.rng.below(3).max(2 * pointer) {
                let count = self.rng.between(1, 2);
                let body = self.block(Scope::top(1).quiet(), count);
                self.program.helpers.push(Function { body });
            }
        }
        let mut threads = self
            .rng
            .between(self.profile.min_threads, self.profile.max_threads);
        if self.profile.has(Extra::Crew) && threads > 0 {
            threads = 3;
            self.crew();
        } else {
            (0..threads).for_each(|_| self.thread(threads));
        }
        self.program.start_table = self.profile.has(Extra::StartTable);
        self.program.framed = self.profile.has(Extra::Frame);
        self.program.watched = self.profile.has(Extra::Watcher);
        self.program.nested = self.profile.has(Extra::Nested);
        let main = if threads == 0 {
            self.profile.statements
        } else {
            self.rng.below(2)
        };
        self.program.main = self.thread_body(main);
        let mut after = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            let assertion = self.assertion();
            after.push(Stmt::Assert(assertion));
        }
        self.program.after = after;
    }

    /// What some extras need before there is code.
    fn objects(&mut self) {
        if self.profile.has(Extra::Semaphores) {
            self.program.semaphores = vec![self.rng.below(3) as u8, self.rng.below(2) as u8];
        }
        if self.profile.has(Extra::Barrier) {
            self.program.barrier = self.rng.between(2, 3) as u8;
        }
        if self.profile.has(Extra::Once) {
            let count = self.rng.between(1, 2);
            self.program.once = self.block(Scope::top(1).quiet(), count);
        }
    }

    /// Two or three threads from a loop, and now and then another one.
    fn crew(&mut self) {
        if self.rng.chance(30) {
            self.thread(3);
        }
        let body = self.thread_body(1);
        self.program.routines.push(Function { body });
        self.program.crew = Some(Crew {
            routine: self.program.routines.len() - 1,
            count: self.rng.pick(&[2, 2, 3]),
            joined: self.rng.chance(85),
            variable: self.rng.chance(30),
        });
    }

    /// A thread with a routine of its own, or one more instance of a routine.
    fn thread(&mut self, threads: usize) {
        let again = !self.program.routines.is_empty() && self.rng.chance(30);
        let routine = if again {
            self.rng.below(self.program.routines.len())
        } else {
            // The more threads there are, the shorter they have to be.
            let most = match threads {
                1 => self.profile.statements + 1,
                2 => self.profile.statements,
                _ => self.profile.statements / 3,
            };
            let count = self.rng.between(1, most.max(1));
            let body = self.thread_body(count);
            self.program.routines.push(Function { body });
            self.program.routines.len() - 1
        };
        let earlier = self
            .program
            .starts
            .iter()
            .find(|start| start.routine == routine);
        let by_pointer = match earlier {
            Some(start) => matches!(start.arg, StartArg::Pointer(_)),
            None => self.profile.pointers && self.rng.chance(40),
        };
        let arg = if by_pointer {
            StartArg::Pointer(self.target())
        } else {
            StartArg::Number(self.rng.below(4) as u8)
        };
        let joined = self.rng.chance(90);
        self.program.starts.push(Start {
            routine,
            arg,
            joined,
        });
    }

    /// Statements, each protected as the discipline demands, save for lapses.
    fn thread_body(&mut self, count: usize) -> Vec<Stmt> {
        let scope = Scope::top(2);
        let mut body = Vec::new();
        for _ in 0..count {
            let lapse = self.rng.chance(4);
            let statements = match self.discipline {
                _ if lapse => vec![self.statement(scope)],
                Discipline::Free => vec![self.statement(scope)],
                Discipline::Locked => {
                    let any = self.profile.deadlock_prone;
                    let mutex = if any {
                        self.rng.below(stmt::MUTEXES)
                    } else {
                        0
                    };
                    let held = Scope {
                        held: Some(mutex),
                        held_set: 1 << mutex,
                        ..scope.deeper()
                    };
                    let count = self.rng.between(1, 2);
                    vec![Stmt::Lock(mutex, self.block(held, count))]
                }
                Discipline::Sections => {
                    let count = self.rng.between(1, 2);
                    vec![Stmt::Section(self.block(scope.deeper().quiet(), count))]
                }
                Discipline::Atomics => vec![self.atomic_statement()],
            };
            body.extend(statements);
        }
        body
    }
}
