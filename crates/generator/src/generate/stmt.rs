//! Random statements.

use super::{Generator, Scope};
use crate::Inputs;
use crate::program::{BinaryOp, COUNTERS, Expr, FetchOp, LOCALS, Lvalue, Rmw, Stmt};

/// The memory order of operations that ask for none.
const SEQ_CST: u8 = 5;

const UPDATES: [BinaryOp; 6] = [
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Xor,
    BinaryOp::Or,
];

/// How many mutexes programs use.
pub(super) const MUTEXES: usize = 2;

/// Kinds of statements, to choose among those that are allowed at a place.
#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Update,
    ReadShared,
    Pointer,
    CopyRecord,
    Allocate,
    Atomic,
    Call,
    Lock,
    TryLock,
    Section,
    If,
    Switch,
    Loop,
    Spin,
    Wait,
    Signal,
    Input,
    Assume,
    Assert,
}

impl Generator<'_> {
    pub(super) fn block(&mut self, scope: Scope, count: usize) -> Vec<Stmt> {
        (0..count).map(|_| self.statement(scope)).collect()
    }

    pub(super) fn statement(&mut self, scope: Scope) -> Stmt {
        if let Some(statement) = self.extra_statement(scope) {
            return statement;
        }
        let kinds = self.kinds(scope);
        let total: usize = kinds.iter().map(|(weight, _)| weight).sum();
        let mut at = self.rng.below(total);
        for (weight, kind) in kinds {
            if at < weight {
                return self.of_kind(kind, scope);
            }
            at -= weight;
        }
        unreachable!("the weights add up to their total")
    }

    /// What is allowed at a place, with weights.
    fn kinds(&self, scope: Scope) -> Vec<(usize, Kind)> {
        let (profile, program) = (self.profile, &self.program);
        let open = scope.depth > 0;
        let loud = !scope.quiet;
        let mutex_left = scope.held_set.count_ones() < MUTEXES as u32;
        let inputs = profile.inputs != Inputs::None;
        // Deadlocks need locks inside locks.
        let nested = profile.deadlock_prone && scope.held.is_some();
        let lock_weight = if nested { 30 } else { 5 };
        let may_wait = loud && profile.condition_variables && scope.held.is_none();
        let allowed = [
            (6, Kind::Assign, true),
            (6, Kind::Update, true),
            (4, Kind::ReadShared, true),
            (3, Kind::Pointer, !program.pointers.is_empty()),
            (2, Kind::CopyRecord, program.records.len() > 1),
            (
                1,
                Kind::Allocate,
                profile.heap && !program.pointers.is_empty(),
            ),
            (4, Kind::Atomic, profile.atomics),
            (4, Kind::Call, loud && !program.helpers.is_empty()),
            (lock_weight, Kind::Lock, profile.locks && loud && mutex_left),
            (
                2,
                Kind::TryLock,
                profile.locks && loud && open && mutex_left,
            ),
            (
                3,
                Kind::Section,
                profile.sections && loud && scope.held.is_none(),
            ),
            (5, Kind::If, open),
            (2, Kind::Switch, open),
            (
                3,
                Kind::Loop,
                profile.loops && open && scope.loops < COUNTERS,
            ),
            (2, Kind::Spin, profile.spins && loud && scope.held.is_none()),
            (4, Kind::Wait, may_wait),
            (4, Kind::Signal, loud && profile.condition_variables),
            (4, Kind::Input, inputs),
            (2, Kind::Assume, inputs),
            (2, Kind::Assert, true),
        ];
        let allowed = allowed.into_iter().filter(|(_, _, allowed)| *allowed);
        allowed.map(|(weight, kind, _)| (weight, kind)).collect()
    }

    fn of_kind(&mut self, kind: Kind, scope: Scope) -> Stmt {
        match kind {
            Kind::Assign => Stmt::Assign(self.shared(), self.expr(1)),
            Kind::Update => {
                let op = self.rng.pick(&UPDATES);
                Stmt::Update(self.shared(), op, self.expr(0))
            }
            Kind::ReadShared => {
                // The first local is what the thread returns, so that `main` can read it.
                let local = if self.rng.chance(60) {
                    0
                } else {
                    self.rng.below(LOCALS)
                };
                let read = self.rng.chance(70).then(|| Expr::Read(self.shared()));
                let value = read.unwrap_or_else(|| self.expr(1));
                Stmt::Assign(Lvalue::Local(local), value)
            }
            Kind::Pointer => self.pointer_statement(),
            Kind::CopyRecord => {
                let to = self.rng.below(self.program.records.len());
                Stmt::CopyRecord(to, (to + 1) % self.program.records.len())
            }
            Kind::Allocate => {
                Stmt::Allocate(self.rng.below(self.program.pointers.len()), self.expr(0))
            }
            Kind::Atomic => self.atomic_statement(),
            Kind::Call => self.call(),
            Kind::Lock | Kind::TryLock => self.lock(matches!(kind, Kind::TryLock), scope),
            Kind::Section => {
                let count = self.rng.between(1, 3);
                Stmt::Section(self.block(scope.deeper().quiet(), count))
            }
            Kind::If => {
                let cond = self.condition(1);
                let yes = self.short_block(scope.deeper());
                let no = if self.rng.chance(40) {
                    self.short_block(scope.deeper())
                } else {
                    vec![]
                };
                Stmt::If(cond, yes, no)
            }
            Kind::Switch => {
                let value = self.expr(0);
                let arms = self.rng.between(2, 3);
                let arms = (0..arms).map(|_| self.block(scope.deeper(), 1)).collect();
                Stmt::Switch(value, arms, self.rng.chance(30))
            }
            Kind::Loop => {
                let inside = Scope {
                    loops: scope.loops + 1,
                    ..scope.deeper()
                };
                Stmt::Loop(scope.loops, self.rng.between(2, 3), self.block(inside, 1))
            }
            Kind::Spin => Stmt::Spin(self.condition(0)),
            Kind::Wait => Stmt::WaitUntil {
                mutex: self.rng.below(MUTEXES),
                condition: 0,
                until: self.condition(0),
                body: self.block(scope.deeper().quiet(), 1),
            },
            Kind::Signal => Stmt::Signal(0, self.rng.chance(40)),
            Kind::Input => {
                let bool_only = self.profile.inputs == Inputs::Bool || self.rng.chance(50);
                Stmt::Input(self.rng.below(LOCALS), bool_only)
            }
            Kind::Assume => Stmt::Assume(self.condition(0)),
            Kind::Assert if self.rng.chance(10) => {
                Stmt::If(self.condition(1), vec![Stmt::Fail], vec![])
            }
            Kind::Assert => Stmt::Assert(self.assertion()),
        }
    }

    pub(super) fn short_block(&mut self, scope: Scope) -> Vec<Stmt> {
        let count = if self.rng.chance(30) { 2 } else { 1 };
        self.block(scope, count)
    }

    /// Mutexes are taken in ascending order unless deadlocks are wanted, and never twice.
    fn lock(&mut self, attempt: bool, scope: Scope) -> Stmt {
        let free = |mutex: &usize| scope.held_set & (1 << mutex) == 0;
        let ordered = |mutex: &usize| scope.held.is_none_or(|held| *mutex > held);
        let any = attempt || self.profile.deadlock_prone;
        let choices: Vec<usize> = (0..MUTEXES)
            .filter(|mutex| free(mutex) && (any || ordered(mutex)))
            .collect();
        if choices.is_empty() {
            return Stmt::Assign(self.shared(), self.expr(1));
        }
        let mutex = self.rng.pick(&choices);
        let inside = Scope {
            held: scope.held.max(Some(mutex)),
            held_set: scope.held_set | 1 << mutex,
            ..scope.deeper()
        };
        let body = self.short_block(inside);
        if attempt {
            let busy = if self.rng.chance(50) {
                self.short_block(scope.deeper())
            } else {
                vec![]
            };
            return Stmt::TryLock(mutex, body, busy);
        }
        Stmt::Lock(mutex, body)
    }

    fn pointer_statement(&mut self) -> Stmt {
        let pointers = self.program.pointers.len();
        let pointer = self.rng.below(pointers);
        match self.rng.below(3) {
            0 if pointers > 1 => Stmt::Alias(pointer, (pointer + 1) % pointers),
            1 => Stmt::Assign(Lvalue::Deref(pointer), self.expr(1)),
            _ => Stmt::Point(pointer, self.target()),
        }
    }

    pub(super) fn atomic_statement(&mut self) -> Stmt {
        let local = self.rng.below(LOCALS);
        let place = self.atomic_place();
        match self.rng.below(7) {
            0 => Stmt::AtomicLoad(local, place),
            1 => Stmt::AtomicStore(place, self.expr(0)),
            2 => Stmt::CompareExchange(local, place, self.expr(0), self.expr(0)),
            3 => {
                let atomics: Vec<usize> = (0..self.program.globals.len())
                    .filter(|&at| self.program.globals[at].atomic)
                    .collect();
                match atomics.first() {
                    Some(&at) => Stmt::Update(Lvalue::Global(at), BinaryOp::Add, self.number()),
                    None => Stmt::AtomicLoad(local, place),
                }
            }
            _ => {
                let op = self.rng.pick(&[
                    Rmw::Fetch(FetchOp::Add, SEQ_CST),
                    Rmw::Then(FetchOp::Sub, SEQ_CST),
                    Rmw::Fetch(FetchOp::Or, SEQ_CST),
                    Rmw::Exchange,
                    Rmw::SyncFetch(FetchOp::Add),
                    Rmw::SyncTestAndSet,
                ]);
                Stmt::AtomicUpdate(local, op, place, self.expr(0))
            }
        }
    }

    fn call(&mut self) -> Stmt {
        Stmt::Call {
            into: self.rng.below(LOCALS),
            function: self.rng.below(self.program.helpers.len()),
            by_table: self.rng.chance(35),
            target: self.target(),
            value: self.expr(0),
        }
    }
}
