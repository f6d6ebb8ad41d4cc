//! `setjmp` and `longjmp` within a thread.
//!
//! A function that calls `setjmp` has a level: how many calls of such functions are open in its thread. What `setjmp`
//! keeps is one number for the level and the place of the call. `longjmp` says where it wants to go; each call that may
//! be left by a jump is followed by a look: here, or out of this function too? A jump to where nobody is any more is
//! undefined, and the run ends. Where the program handles signals, `lib/handlers.c` keeps those that are held back in the
//! same buffer. Variables keep the values that they have when the jump begins.

use super::HELD;
use super::function::FunctionLowering;
use super::library::{Answer, Request};
use super::program::Lowering;
use super::reach::{any_expr_in, peel_casts};
use super::scope::BlockKey;
use super::types::Lowered;
use crate::hir::{Expr, ExprKind, FuncId, Function, LocalId, Program};
use expr::{Op, Sort, Term, VarId};
use rustc_hash::FxHashSet;
use xcfa::{Label, LocId, Scope, Span, Var};

const SET: [&str; 4] = ["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp"];
const JUMP: [&str; 4] = ["longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"];

/// Those that keep which signals are held back; `sigsetjmp` does if it is told to. (The macro of glibc's header that is
/// called `setjmp` stands for `_setjmp`.)
const KEEPS_HELD: &str = "setjmp";
const MAY_KEEP_HELD: [&str; 2] = ["__sigsetjmp", "sigsetjmp"];

/// Places for which there is room beside a level.
const MOST_PLACES: u64 = 4096;

/// What a program with jumps needs.
#[derive(Debug)]
pub(super) struct Jumping {
    /// Where the thread wants to go; 0 if it does not jump.
    target: VarId,
    /// What `setjmp` returns there.
    value: VarId,
    /// How many functions that call `setjmp` are open.
    depth: VarId,
    /// Functions that a jump may leave.
    left: FxHashSet<FuncId>,
    /// May a function be left that is called through a pointer?
    by_pointer: bool,
}

/// Where `setjmp` returns a second time.
#[derive(Clone, Debug)]
struct Landing {
    at: LocId,
    /// What it returns.
    result: VarId,
    /// The blocks that are open there, with the locals that are alive.
    blocks: Vec<(Option<BlockKey>, Vec<LocalId>)>,
}

/// The jumps of one function that calls `setjmp`.
#[derive(Debug, Default)]
pub(super) struct Landings {
    /// The level of this call.
    level: Option<VarId>,
    places: Vec<Landing>,
    /// Loops round calls that may be left, each by where it is left.
    earlier: Vec<Vec<LocId>>,
}

fn calls(expr: &Expr, program: &Program, names: &[&str]) -> bool {
    match &expr.kind {
        ExprKind::Call { callee, .. } => match peel_casts(callee).kind {
            ExprKind::FunctionAddr(id) => {
                let function = &program.functions[id.0 as usize];
                function.body.is_none() && names.contains(&function.name.as_str())
            }
            _ => false,
        },
        _ => false,
    }
}

impl Lowering<'_> {
    /// Finds out what jumps there are.
    pub fn declare_jumps(&mut self) {
        let mut used = self.reach.functions.iter();
        let program = self.program;
        let jumps = |id: &FuncId| {
            let function = &program.functions[id.0 as usize];
            function.body.is_none() && JUMP.contains(&function.name.as_str())
        };
        if !used.any(jumps) {
            return;
        }
        let mut var = |name: &str, sort: Sort| {
            let zero = self.xcfa.terms.constant(sort, 0);
            self.xcfa.add_var(Var {
                init: Some(zero),
                temp: false,
                ..Var::temp(name.to_owned(), sort, Scope::ThreadLocal)
            })
        };
        let word = Sort::Bv(program.data_model.pointer_bits());
        let (target, value) = (var("jump", word), var("jumped with", Sort::Bv(32)));
        let depth = var("setjmp depth", word);
        let mut jumping = Jumping {
            target,
            value,
            depth,
            left: FxHashSet::default(),
            by_pointer: false,
        };
        jumping.find_left(
            program,
            &self.reach.address_taken.iter().copied().collect::<Vec<_>>(),
        );
        self.jumping = Some(jumping);
    }
}

impl Jumping {
    /// Functions that call one that jumps, until there are no more.
    fn find_left(&mut self, program: &Program, address_taken: &[FuncId]) {
        loop {
            let before = (self.left.len(), self.by_pointer);
            self.by_pointer |= address_taken.iter().any(|id| self.left.contains(id));
            for (at, function) in program.functions.iter().enumerate() {
                let Some(body) = &function.body else { continue };
                let leaves = |expr: &Expr| match &expr.kind {
                    ExprKind::Call { callee, .. } => match peel_casts(callee).kind {
                        ExprKind::FunctionAddr(id) => {
                            self.left.contains(&id) || calls(expr, program, &JUMP)
                        }
                        _ => self.by_pointer,
                    },
                    _ => false,
                };
                if any_expr_in(body, leaves) {
                    self.left.insert(FuncId(at as u32));
                }
            }
            if before == (self.left.len(), self.by_pointer) {
                return;
            }
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// Gives this call a level, if its function calls `setjmp`.
    pub(super) fn begin_jumps(&mut self, function: &Function) {
        let program = self.ctx.program;
        let sets = |expr: &Expr| calls(expr, program, &SET);
        let body = function.body.as_ref();
        let Some(depth) = self.ctx.jumping.as_ref().map(|jumping| jumping.depth) else {
            return;
        };
        if !body.is_some_and(|body| any_expr_in(body, sets)) {
            return;
        }
        let sort = self.ctx.word_sort();
        let level = self.temp(sort);
        self.landings.level = Some(level);
        let (one, before) = (self.ctx.word(1), self.read_var(depth));
        let value = self.terms().add(before, one);
        self.prologue
            .push((Label::Assign { var: level, value }, function.span));
        let value = self.read_var(level);
        self.prologue
            .push((Label::Assign { var: depth, value }, function.span));
    }

    /// The function ends, and with it its level.
    pub(super) fn end_jumps(&mut self, span: Span) {
        let depth = self.ctx.jumping.as_ref().map(|jumping| jumping.depth);
        if let (Some(level), Some(depth)) = (self.landings.level, depth) {
            let (one, level) = (self.ctx.word(1), self.read_var(level));
            let value = self.terms().binary(Op::Sub, level, one);
            self.assign(depth, value, span);
        }
    }

    /// A function that promises not to return may be left by a jump.
    pub(super) fn returns_never(&mut self, function: FuncId, span: Span) {
        let jumps = self
            .is_jumping()
            .filter(|_| self.may_be_left(Some(function)));
        let never = self.terms().bool(false);
        self.assume(jumps.unwrap_or(never), span);
    }

    /// No jump goes further than here.
    pub(super) fn end_of_jumps(&mut self, span: Span) {
        if let Some(jumps) = self.is_jumping() {
            let stays = self.terms().not(jumps);
            self.assume(stays, span);
        }
    }

    fn is_jumping(&mut self) -> Option<Term> {
        let target = self.ctx.jumping.as_ref()?.target;
        let target = self.read_var(target);
        Some(self.terms().is_nonzero(target))
    }

    /// May a jump leave a function, or one that is called through a pointer?
    fn may_be_left(&self, function: Option<FuncId>) -> bool {
        self.ctx
            .jumping
            .as_ref()
            .is_some_and(|jumping| match function {
                Some(id) => jumping.left.contains(&id),
                None => jumping.by_pointer,
            })
    }

    /// `setjmp` and `longjmp`.
    pub(super) fn jump_call(&mut self, request: &Request) -> Lowered<Answer> {
        if SET.contains(&request.name) {
            return self.set_jump(request);
        }
        match JUMP.contains(&request.name) {
            true => self.jump_away(request),
            false => Ok(Answer::NotMine),
        }
    }

    fn set_jump(&mut self, request: &Request) -> Lowered<Answer> {
        let span = request.span;
        self.no_fusing(span)?;
        if self.ctx.jumping.is_none() {
            // Nobody ever jumps back.
            return self.answer(request, 0);
        }
        let Some(level) = self.landings.level else {
            return Err(request.refuse("through a pointer"));
        };
        let again = self.landings.earlier.iter().flatten();
        let open: Vec<LocId> = self.loops.iter().map(|exit| exit.break_to).collect();
        let in_loop = again.into_iter().any(|exit| open.contains(exit));
        let in_goto = !self.landings.earlier.is_empty() && self.jumps.has_labels();
        if in_loop || in_goto {
            let why = "behind a call in the same loop that may jump to it; put it at the start of the loop";
            return Err(request.refuse(why));
        }
        let place = self.landings.places.len() as u64 + 1;
        if place >= MOST_PLACES {
            return Err(request.refuse("more often than is followed"));
        }
        let addr = request.arg(0)?;
        let value = self.place_number(level, place);
        self.emit(Label::Store { addr, value }, span);
        let [keep_held, _] = HELD;
        if self.model(keep_held).is_some() {
            let keeps = match request.name {
                KEEPS_HELD => self.int(1),
                name if MAY_KEEP_HELD.contains(&name) => request.arg(1)?,
                _ => self.int(0),
            };
            self.run_model(request, keep_held, vec![addr, keeps])?;
        }
        let result = self.temp(Sort::Bv(32));
        let zero = self.int(0);
        self.assign(result, zero, span);
        let at = self.new_loc();
        self.goto(at, span);
        self.at = at;
        let blocks = self.scopes.iter();
        let blocks = blocks
            .map(|scope| (scope.key, scope.alive.clone()))
            .collect();
        self.landings.places.push(Landing { at, result, blocks });
        let result = self.read_var(result);
        self.answer_term(request, result)
    }

    /// What `setjmp` keeps.
    fn place_number(&mut self, level: VarId, place: u64) -> Term {
        let (level, scale) = (self.read_var(level), self.ctx.word(MOST_PLACES));
        let place = self.ctx.word(place);
        let scaled = self.terms().binary(Op::Mul, level, scale);
        self.terms().add(scaled, place)
    }

    fn jump_away(&mut self, request: &Request) -> Lowered<Answer> {
        let span = request.span;
        self.no_fusing(span)?;
        let Some(jumping) = self
            .ctx
            .jumping
            .as_ref()
            .filter(|_| self.function.is_some())
        else {
            return Err(request.refuse("through a pointer"));
        };
        let (target, value) = (jumping.target, jumping.value);
        let (addr, given) = (request.arg(0)?, request.arg(1)?);
        let given = self.terms().resize(given, 32, true);
        let (given, one) = (self.keep(given, span), self.int(1));
        let is_set = self.terms().is_nonzero(given);
        let given = self.terms().ite(is_set, given, one);
        let given = self.keep(given, span);
        let [_, hold_again] = HELD;
        if self.model(hold_again).is_some() {
            self.run_model(request, hold_again, vec![addr])?;
        }
        self.assign(value, given, span);
        let sort = self.ctx.word_sort();
        let kept = self.temp(sort);
        self.emit(Label::Load { var: kept, addr }, span);
        let kept = self.read_var(kept);
        let was_set = self.terms().is_nonzero(kept);
        self.assume(was_set, span);
        self.assign(target, kept, span);
        self.look_for_jump(span)?;
        self.unreachable();
        Ok(Answer::Done)
    }

    /// A call has returned, or was left by a jump.
    pub(super) fn follow_jump(&mut self, callee: Option<FuncId>, span: Span) -> Lowered<()> {
        match self.may_be_left(callee) {
            true => self.look_for_jump(span),
            false => Ok(()),
        }
    }

    fn look_for_jump(&mut self, span: Span) -> Lowered<()> {
        let Some(jumping) = &self.ctx.jumping else {
            return Ok(());
        };
        let (target, value) = (jumping.target, jumping.value);
        self.no_fusing(span)?;
        let head = self.at;
        let wanted = self.read_var(target);
        let mut elsewhere = self.terms().is_nonzero(wanted);
        for (at, landing) in self.landings.places.clone().into_iter().enumerate() {
            let Some(level) = self.landings.level else {
                break;
            };
            let here = self.place_number(level, at as u64 + 1);
            let is_here = self.terms().eq(wanted, here);
            let not_here = self.terms().not(is_here);
            elsewhere = self.terms().and(elsewhere, not_here);
            let way = self.new_loc();
            self.at = head;
            self.goto_if(is_here, way, span);
            self.at = way;
            let returned = self.read_var(value);
            self.assign(landing.result, returned, span);
            let nowhere = self.ctx.word(0);
            self.assign(target, nowhere, span);
            self.land_at(&landing, span)?;
        }
        let out = self.new_loc();
        self.at = head;
        self.goto_if(elsewhere, out, span);
        self.at = out;
        self.end_blocks(0, span);
        let return_to = self.return_to;
        self.goto(return_to, span);
        let next = self.new_loc();
        self.at = head;
        let stays = self.terms().is_nonzero(wanted);
        let stays = self.terms().not(stays);
        self.goto_if(stays, next, span);
        self.at = next;
        if self.landings.level.is_some() {
            let open = self.loops.iter().map(|exit| exit.break_to).collect();
            self.landings.earlier.push(open);
        }
        Ok(())
    }

    /// Goes to where `setjmp` was: what is alive here only ends, what is alive there only begins.
    fn land_at(&mut self, landing: &Landing, span: Span) -> Lowered<()> {
        let pairs = self.scopes.iter().zip(&landing.blocks);
        let common = pairs
            .take_while(|(scope, (key, _))| scope.key == *key)
            .count();
        self.end_blocks(common, span);
        let mut stays = Vec::new();
        for at in (0..common).rev() {
            let there = &landing.blocks[at].1;
            let here = self.scopes[at].alive.clone();
            for id in here.into_iter().rev() {
                match (there.contains(&id), self.local_objects[id.0 as usize]) {
                    (true, _) => stays.push(id),
                    (false, Some((_, object))) => self.emit(Label::Dealloc(object), span),
                    (false, None) => {}
                }
            }
        }
        let there = landing.blocks.iter().flat_map(|(_, alive)| alive);
        let begun: Vec<LocalId> = there.copied().filter(|id| !stays.contains(id)).collect();
        self.goto_and_begin(landing.at, &begun, span)
    }

    /// The objects of the blocks beyond the first `depth` die; nothing is cleaned up.
    fn end_blocks(&mut self, depth: usize, span: Span) {
        for at in (depth..self.scopes.len()).rev() {
            for object in self.scopes[at].objects.clone().into_iter().rev() {
                self.emit(Label::Dealloc(object), span);
            }
        }
    }
}
