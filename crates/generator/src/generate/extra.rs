//! What most programs do without: statements and expressions for each [`Extra`].

use super::data::TYPES;
use super::{Generator, Scope};
use crate::Extra;
use crate::program::{
    AtomicForm, BinaryOp, COUNTERS, Ending, Expr, FetchOp, Guard, LOCALS, Lvalue, PartialOp, Rmw,
    Stmt,
};

/// How often, in percent, an extra is chosen where one is allowed.
const STATEMENTS: usize = 35;

/// The same for expressions.
const EXPRESSIONS: usize = 40;

const FETCH_OPS: [FetchOp; 6] = [
    FetchOp::Add,
    FetchOp::Sub,
    FetchOp::And,
    FetchOp::Or,
    FetchOp::Xor,
    FetchOp::Nand,
];

impl Generator<'_> {
    /// A statement for one of the extras, now and then.
    pub(super) fn extra_statement(&mut self, scope: Scope) -> Option<Stmt> {
        if self.profile.extras.is_empty() || !self.rng.chance(STATEMENTS) {
            return None;
        }
        let extra = self.rng.pick(&self.profile.extras);
        let (loud, open) = (!scope.quiet, scope.depth > 0);
        let local = self.rng.below(LOCALS);
        match extra {
            Extra::SignedArithmetic => Some(Stmt::Step(local, self.shared(), self.rng.chance(50))),
            Extra::Semaphores if loud => Some(self.semaphore(scope)),
            Extra::Barrier if loud && scope.held.is_none() => Some(Stmt::Barrier(local)),
            Extra::RwLock if loud && open => {
                let guard = self.rng.pick(&[Guard::Read, Guard::Read, Guard::Write]);
                Some(self.guarded(guard, scope))
            }
            Extra::SpinLock if loud && open => Some(self.guarded(Guard::Spin, scope)),
            Extra::RecursiveMutex if loud && open => Some(self.guarded(Guard::Recursive, scope)),
            Extra::Once if loud => Some(Stmt::Once),
            Extra::Keys => Some(match self.rng.chance(50) {
                true => Stmt::SetKey(self.expr(0)),
                false => Stmt::GetKey(local),
            }),
            Extra::FunctionPointer if loud && !self.program.helpers.is_empty() => {
                let helper = self.rng.below(self.program.helpers.len());
                Some(match self.rng.chance(40) {
                    true => Stmt::SetFunction(helper),
                    false => Stmt::CallFunction(local, self.expr(0)),
                })
            }
            Extra::Endings => Some(self.ending()),
            Extra::Jumps if open => Some(self.jump(scope)),
            Extra::Atomics => Some(self.any_atomic(local)),
            Extra::Inputs => Some(self.any_input(local)),
            Extra::List => Some(self.memory(local)),
            Extra::Standstill => Some(self.standstill(loud)),
            Extra::Sizes => Some(Stmt::Sized(self.shared(), self.expr(1), self.expr(0))),
            _ => None,
        }
    }

    /// An expression for one of the extras, now and then.
    pub(super) fn extra_expr(&mut self) -> Option<Expr> {
        let arithmetic = [
            Extra::SignedArithmetic,
            Extra::Division,
            Extra::UndefinedDivision,
        ];
        let wanted: Vec<Extra> = arithmetic
            .into_iter()
            .filter(|extra| self.profile.has(*extra))
            .collect();
        if wanted.is_empty() || !self.rng.chance(EXPRESSIONS) {
            return None;
        }
        let (left, right) = (self.expr(0), self.expr(0));
        let op = self.rng.below(4);
        Some(match self.rng.pick(&wanted) {
            Extra::SignedArithmetic => {
                let op = [BinaryOp::Add, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul][op];
                let far = self.rng.pick(&[i64::from(i32::MAX), 1 << 30, -(1 << 30)]);
                let right = match self.rng.chance(30) {
                    true => Expr::Const(far),
                    false => right,
                };
                Expr::Signed(op, left.into(), right.into())
            }
            extra => {
                let op = [
                    PartialOp::Div,
                    PartialOp::Rem,
                    PartialOp::Shl,
                    PartialOp::Shr,
                ][op];
                let guarded = extra == Extra::Division;
                Expr::Partial(op, guarded, left.into(), right.into())
            }
        })
    }

    fn guarded(&mut self, guard: Guard, scope: Scope) -> Stmt {
        // Inside there are no other locks: what gets stuck is known well enough.
        let body = self.short_block(scope.deeper().quiet());
        if self.rng.chance(25) {
            let busy = match self.rng.chance(50) {
                true => self.short_block(scope.deeper().quiet()),
                false => vec![],
            };
            return Stmt::TryGuarded(guard, body, busy);
        }
        if guard == Guard::Recursive && self.rng.chance(50) {
            let inner = Stmt::Guarded(guard, body);
            return Stmt::Guarded(guard, vec![inner]);
        }
        Stmt::Guarded(guard, body)
    }

    fn semaphore(&mut self, scope: Scope) -> Stmt {
        let at = self.rng.below(self.program.semaphores.len());
        match self.rng.below(5) {
            0 => Stmt::SemWait(at),
            1 | 2 => Stmt::SemPost(at),
            _ => self.guarded(Guard::Semaphore(at), scope),
        }
    }

    fn ending(&mut self) -> Stmt {
        let how = match self.rng.below(8) {
            0 => Ending::Process,
            1 => Ending::Abort,
            _ => Ending::Thread,
        };
        let cond = match self.rng.chance(25) {
            true => Expr::Const(1),
            false => self.condition(0),
        };
        Stmt::End(cond, how)
    }

    fn standstill(&mut self, loud: bool) -> Stmt {
        let cond = match self.rng.chance(25) {
            true => Expr::Const(i64::from(self.rng.chance(50))),
            false => self.condition(0),
        };
        match self.rng.below(3) {
            0 => Stmt::Stop(cond),
            1 if loud => Stmt::Spin(cond),
            _ => Stmt::Assume(cond),
        }
    }

    fn jump(&mut self, scope: Scope) -> Stmt {
        let free = scope.loops < COUNTERS;
        match self.rng.below(3) {
            0 if free => {
                let inside = Scope {
                    loops: scope.loops + 1,
                    ..scope.deeper()
                };
                Stmt::Again(scope.loops, 2, self.short_block(inside))
            }
            1 if free => {
                let inside = Scope {
                    loops: scope.loops + 1,
                    ..scope.deeper()
                };
                let mut body = self.short_block(inside);
                let leave = Stmt::Break(self.condition(0), self.rng.chance(40));
                body.insert(self.rng.below(body.len() + 1), leave);
                Stmt::Loop(scope.loops, self.rng.between(2, 3), body)
            }
            _ => Stmt::Skip(self.condition(0), self.short_block(scope.deeper())),
        }
    }

    fn memory(&mut self, local: usize) -> Stmt {
        let pointers = self.program.pointers.len();
        match self.rng.below(9) {
            0 | 8 if pointers > 0 => Stmt::Free(self.rng.below(pointers)),
            1 | 2 if pointers > 0 => Stmt::Allocate(self.rng.below(pointers), self.expr(0)),
            0..=3 => Stmt::Push(self.expr(0)),
            4 | 5 => Stmt::Pop(local),
            _ => Stmt::Scratch(self.shared(), self.expr(1)),
        }
    }

    fn any_input(&mut self, local: usize) -> Stmt {
        let ty = self.rng.pick(&TYPES);
        let place = match self.rng.chance(60) {
            true => Lvalue::Local(local),
            false => self.shared(),
        };
        match self.rng.below(5) {
            0 => Stmt::Assume(self.condition(0)),
            _ => Stmt::InputOf(place, ty),
        }
    }

    fn any_atomic(&mut self, local: usize) -> Stmt {
        let place = self.atomic_place();
        let bytes: Vec<usize> = (0..self.program.globals.len())
            .filter(|&at| self.program.globals[at].ty.size() == 1)
            .collect();
        let fetch = self.rng.pick(&FETCH_OPS);
        let order = self.rng.below(6) as u8;
        let form = match self.rng.below(15) {
            0 => AtomicForm::Load,
            1 => AtomicForm::Store(self.expr(0)),
            2 => AtomicForm::Exchange(self.expr(0)),
            3 => AtomicForm::CompareExchange(self.rng.chance(50), self.expr(0), self.expr(0)),
            4 => AtomicForm::BoolSwap(self.expr(0), self.expr(0)),
            5 => AtomicForm::ValSwap(self.expr(0), self.expr(0)),
            6 => AtomicForm::Release,
            7 => return Stmt::Fence(self.rng.chance(50)),
            8 => return Stmt::Step(local, self.shared(), self.rng.chance(50)),
            9 | 10 if !bytes.is_empty() => {
                let form = match self.rng.chance(50) {
                    true => AtomicForm::TestAndSet,
                    false => AtomicForm::Clear,
                };
                return Stmt::Atomic(local, form, Lvalue::Global(self.rng.pick(&bytes)));
            }
            choice => {
                let op = match choice % 4 {
                    0 => Rmw::Fetch(fetch, order),
                    1 => Rmw::Then(fetch, order),
                    2 => Rmw::SyncFetch(fetch),
                    _ => Rmw::SyncThen(fetch),
                };
                return Stmt::AtomicUpdate(local, op, place, self.expr(0));
            }
        };
        Stmt::Atomic(local, form, place)
    }
}
