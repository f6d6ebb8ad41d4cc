//! One function while it is lowered: the current location, its locals, what it emits.

use super::library;
use super::nonlocal::Landings;
use super::program::{Lowering, Storage};
use super::scope::{Jumps, OpenScope};
use super::types::{Lowered, Types, is_pointer};
use crate::Unsupported;
use crate::hir::{Function, LocalId, Orders, Type};
use expr::{ObjId, Op, Sort, Term, Terms, VarId};
use xcfa::{Edge, ErrorKind, Label, LocId, MemoryOrder, ProcId, Span};

/// Where `break` and `continue` lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopExit {
    /// Target of `break`.
    pub break_to: LocId,
    /// Target of `continue`; `None` in a `switch` that is in no loop.
    pub continue_to: Option<(LocId, usize)>,
    /// How many scopes stay open after `break`.
    pub depth: usize,
}

/// A `switch` whose body is being lowered.
#[derive(Clone, Debug)]
pub(super) struct OpenSwitch {
    /// Where the value is known and the cases part.
    pub head: LocId,
    /// How many scopes are open there.
    pub depth: usize,
    /// The value.
    pub value: Term,
    /// Is it signed?
    pub signed: bool,
    /// Guards of the cases so far.
    pub cases: Vec<Term>,
    /// The location of `default`.
    pub default: Option<LocId>,
}

/// Lowers one procedure. Every `emit` adds an edge from the current location to a new one.
pub(super) struct FunctionLowering<'a, 'p> {
    /// What all functions share.
    pub ctx: &'a mut Lowering<'p>,
    /// The function, unless the procedure is one of ours.
    pub function: Option<&'p Function>,
    /// The procedure.
    pub proc: ProcId,
    /// Where the next edge starts.
    pub at: LocId,
    /// Labels that wait to become one atomic edge.
    pub fused: Option<Vec<Label>>,
    /// The memory orders of the next atomic built-in.
    pub orders: Option<Orders>,
    /// Where locals live, once they are declared.
    pub locals: Vec<Option<Storage>>,
    /// The object of each local that has one, and the variable that its allocation sets.
    pub local_objects: Vec<Option<(VarId, ObjId)>>,
    /// What jumps there are.
    pub jumps: Jumps,
    /// Blocks that are open, outermost first.
    pub scopes: Vec<OpenScope>,
    /// Loops and switches that are open.
    pub loops: Vec<LoopExit>,
    /// Switches that are open.
    pub switches: Vec<OpenSwitch>,
    /// Locations of labels.
    pub labels: Vec<LocId>,
    /// Where `setjmp` returns again.
    pub landings: Landings,
    /// Where `return` leads.
    pub return_to: LocId,
    /// Allocations on entry.
    pub prologue: Vec<(Label, Span)>,
    /// Objects that die on return.
    pub epilogue: Vec<ObjId>,
    errors: Vec<(ErrorKind, LocId)>,
}

impl<'a, 'p> FunctionLowering<'a, 'p> {
    /// Starts at the first location of `proc`.
    pub fn new(
        ctx: &'a mut Lowering<'p>,
        proc: ProcId,
        function: Option<&'p Function>,
    ) -> FunctionLowering<'a, 'p> {
        let at = ctx.xcfa.add_loc(proc);
        let return_to = ctx.xcfa.add_loc(proc);
        let locals = function.map_or(0, |f| f.locals.len());
        let labels = (0..function.map_or(0, |f| f.labels.len()))
            .map(|_| ctx.xcfa.add_loc(proc))
            .collect();
        let jumps = function
            .and_then(|f| f.body.as_ref())
            .map(Jumps::of)
            .unwrap_or_default();
        FunctionLowering {
            ctx,
            function,
            proc,
            at,
            fused: None,
            orders: None,
            locals: vec![None; locals],
            local_objects: vec![None; locals],
            jumps,
            scopes: Vec::new(),
            loops: Vec::new(),
            switches: Vec::new(),
            labels,
            landings: Landings::default(),
            return_to,
            prologue: Vec::new(),
            epilogue: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The pool of terms.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.ctx.xcfa.terms
    }

    /// Sizes and layouts.
    pub fn types(&self) -> Types<'p> {
        self.ctx.types()
    }

    /// A new location.
    pub fn new_loc(&mut self) -> LocId {
        self.ctx.xcfa.add_loc(self.proc)
    }

    /// A new temporary.
    pub fn temp(&mut self, sort: Sort) -> VarId {
        self.ctx.xcfa.add_temp(self.proc, sort)
    }

    /// A new temporary for a value of this type.
    pub fn typed_temp(&mut self, sort: Sort, ty: &Type) -> VarId {
        let temp = self.temp(sort);
        self.ctx.xcfa[temp].pointer = is_pointer(ty);
        temp
    }

    /// The term that reads a variable of this frame.
    pub fn read_var(&mut self, var: VarId) -> Term {
        self.ctx.xcfa.read(var)
    }

    /// One operation as a step of its own.
    pub fn emit(&mut self, label: Label, span: Span) {
        if let Some(fused) = &mut self.fused {
            return fused.push(label);
        }
        let target = self.new_loc();
        self.add_edge_to(target, vec![label], false, span);
        self.at = target;
    }

    /// Several operations as one atomic step.
    pub fn emit_atomic(&mut self, labels: Vec<Label>, span: Span) {
        self.emit_ordered(labels, Some(MemoryOrder::SeqCst), span);
    }

    /// The same with a memory order.
    pub fn emit_ordered(&mut self, labels: Vec<Label>, order: Option<MemoryOrder>, span: Span) {
        if let Some(fused) = &mut self.fused {
            return fused.extend(labels);
        }
        let target = self.new_loc();
        self.add_ordered_edge_to(target, labels, order, span);
        self.at = target;
    }

    /// One operation, atomic if `atomic` says so.
    pub fn emit_as(&mut self, label: Label, atomic: bool, span: Span) {
        match atomic {
            true => self.emit_atomic(vec![label], span),
            false => self.emit(label, span),
        }
    }

    /// An edge from the current location to `target`; the current location stays.
    pub fn add_edge_to(&mut self, target: LocId, labels: Vec<Label>, atomic: bool, span: Span) {
        let source = self.at;
        let modelled = self.is_own_business(span);
        self.ctx.xcfa.add_edge(Edge {
            source,
            target,
            labels,
            atomic,
            order: Some(MemoryOrder::SeqCst),
            span,
            statements: Vec::new(),
            modelled,
        });
    }

    /// The same for an atomic edge with a memory order.
    pub fn add_ordered_edge_to(
        &mut self,
        target: LocId,
        labels: Vec<Label>,
        order: Option<MemoryOrder>,
        span: Span,
    ) {
        self.add_edge_to(target, labels, true, span);
        let edge = self.ctx.xcfa.edges.last_mut();
        edge.expect("it was just added").order = order;
    }

    /// Is this code of the library about addresses and handles that it keeps itself? What looks at the
    /// contents of the program's memory, as `memcmp` does, may find the program's own there.
    fn is_own_business(&self, span: Span) -> bool {
        let moves = self.function.is_some_and(|f| f.name == "__mazurka_memmove");
        let file = self.ctx.program.sources.files().get(span.file.0 as usize);
        file.is_some_and(|file| {
            let keeps = library::units::KEEPS_HANDLES.contains(&file.name.as_str());
            file.is_library && (moves || keeps)
        })
    }

    /// Refuses control flow while labels collect on one edge.
    pub fn no_fusing(&self, span: Span) -> Lowered<()> {
        match self.fused {
            Some(_) => Err(Unsupported::at(span, "control flow inside one atomic step")),
            None => Ok(()),
        }
    }

    /// `var := value`.
    pub fn assign(&mut self, var: VarId, value: Term, span: Span) {
        self.emit(Label::Assign { var, value }, span);
    }

    /// A temporary that holds `value`.
    pub fn keep(&mut self, value: Term, span: Span) -> Term {
        if self.terms().as_const(value).is_some() {
            return value;
        }
        let sort = self.terms().sort(value);
        let temp = self.temp(sort);
        self.ctx.xcfa[temp].pointer = self.ctx.xcfa.is_pointer(value);
        self.assign(temp, value, span);
        self.read_var(temp)
    }

    /// Goes on only if the condition holds.
    pub fn assume(&mut self, cond: Term, span: Span) {
        if self.terms().as_const(cond) != Some(1) {
            self.emit(Label::Assume(cond), span);
        }
    }

    /// Goes to `target` without doing anything.
    pub fn goto(&mut self, target: LocId, span: Span) {
        self.add_edge_to(target, Vec::new(), false, span);
    }

    /// What follows is not reached from here.
    pub fn unreachable(&mut self) {
        self.at = self.new_loc();
    }

    /// Adds the edge to `target` under a condition, unless the condition is false.
    pub fn goto_if(&mut self, cond: Term, target: LocId, span: Span) {
        match self.terms().as_const(cond) {
            Some(0) => {}
            Some(_) => self.goto(target, span),
            None => self.add_edge_to(target, vec![Label::Assume(cond)], false, span),
        }
    }

    /// The error location of a kind.
    pub fn error_loc(&mut self, kind: ErrorKind) -> LocId {
        if let Some((_, loc)) = self.errors.iter().find(|(known, _)| *known == kind) {
            return *loc;
        }
        let loc = self.new_loc();
        self.ctx.xcfa[loc].error = Some(kind);
        self.errors.push((kind, loc));
        loc
    }

    /// An error here if the condition holds; otherwise goes on.
    pub fn fail_if(&mut self, cond: Term, kind: ErrorKind, span: Span) -> Lowered<()> {
        if self.terms().as_const(cond) == Some(0) {
            return Ok(());
        }
        let error = self.error_loc(kind);
        self.leave_if(cond, error, span)
    }

    /// Goes to a location that nothing follows if the condition holds; otherwise goes on.
    pub fn leave_if(&mut self, cond: Term, to: LocId, span: Span) -> Lowered<()> {
        self.no_fusing(span)?;
        self.goto_if(cond, to, span);
        let fine = self.terms().not(cond);
        let next = self.new_loc();
        self.goto_if(fine, next, span);
        self.at = next;
        Ok(())
    }

    /// The thread or process ends with this label.
    pub fn finish(&mut self, label: Label, span: Span) -> Lowered<()> {
        self.no_fusing(span)?;
        self.emit(label, span);
        self.unreachable();
        Ok(())
    }

    /// `address + offset`.
    pub fn offset(&mut self, address: Term, offset: u64) -> Term {
        let offset = self.ctx.word(offset);
        self.terms().binary(Op::Add, address, offset)
    }

    /// Does the term mention a variable that the program itself may change later?
    pub fn is_volatile(&self, term: Term) -> bool {
        let xcfa = &self.ctx.xcfa;
        xcfa.terms.vars(term).into_iter().any(|var| !xcfa[var].temp)
    }

    /// A local of the function.
    pub fn local(&self, id: LocalId) -> &'p crate::hir::Local {
        let function = self
            .function
            .expect("only functions of the program have locals");
        &function.locals[id.0 as usize]
    }

    /// Is `overflow` reported for the text at `span`?
    pub fn checks_overflow(&self, span: Span) -> bool {
        let checked = self.ctx.options.overflow_checks && !self.ctx.is_library(span);
        checked || self.is_strict(span)
    }

    /// Must the text at `span` have a value, and no effects?
    pub fn is_strict(&self, span: Span) -> bool {
        let within =
            |strict: &Span| strict.file == span.file && strict.lo <= span.lo && span.lo < strict.hi;
        self.ctx.options.strict.iter().any(within)
    }

    /// Refuses effects where there must be none.
    pub fn no_effects(&self, span: Span) -> Lowered<()> {
        match self.is_strict(span) {
            true => Err(Unsupported::at(
                span,
                "a call or an assignment where only a value may be computed",
            )),
            false => Ok(()),
        }
    }
}
