//! Cancellation: where a thread acts on a request, and how it ends then. What is known about each thread is kept by
//! `lib/cancel.c`. A request is only acted on at a point of cancellation; a program that allows it at any moment is told.

use super::{Answer, Request};
use crate::Unsupported;
use crate::functions::{Cancellation, cancellation};
use crate::hir::GlobalId;
use crate::lower::function::FunctionLowering;
use crate::lower::program::{Lowering, Storage};
use crate::lower::types::Lowered;
use expr::{Sort, Term};
use xcfa::{Callee, Label, LockMode, Span};

/// What `lib/cancel.c` keeps for each thread, by its handle, and the value that a thread acts on.
const STATE: &str = "__mazurka_cancel_state";
const REQUESTED: u64 = 1;

/// `PTHREAD_CANCELED`.
const CANCELLED: u64 = u64::MAX;

/// What a thread does that waits and may be cancelled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// It waits for a signal, and its mutex is none of ours.
    Signal,
    /// It waits for a signal, and locks the mutex at this address then.
    Relocking(Term),
    /// It waits for something else.
    Elsewhere,
}

impl Lowering<'_> {
    /// Does the program cancel threads?
    pub fn cancels(&self) -> bool {
        let mut used = self.reach.functions.iter();
        used.any(|&id| {
            let function = self.function(id);
            function.name == "pthread_cancel" && function.link.library
        })
    }
}

impl FunctionLowering<'_, '_> {
    /// If a function is a point of cancellation, acts on a request that is there.
    pub(in crate::lower) fn pass_cancellation(&mut self, name: &str, span: Span) -> Lowered<()> {
        if !self.ctx.cancels() || self.ctx.is_library(span) {
            return Ok(());
        }
        let model = match cancellation(name) {
            Some(Cancellation::Always) => "__mazurka_cancellation_point",
            Some(Cancellation::Sometimes) => "__mazurka_possible_cancellation_point",
            None => return Ok(()),
        };
        self.no_fusing(span)?;
        let Some(id) = self.model(model) else {
            return Err(Unsupported::call(span, name, "its model is not there"));
        };
        let callee = Callee::Direct(self.model_proc(id)?);
        self.emit(Label::call(callee, Vec::new(), None), span);
        Ok(())
    }

    /// The thread may stop waiting here because it is cancelled; then it has its mutex again. The current location
    /// stays.
    pub(super) fn may_be_cancelled(&mut self, request: &Request, wait: Wait) -> Lowered<()> {
        // System calls by number are no points of cancellation.
        if !self.ctx.cancels() || self.is_futex(request.span) {
            return Ok(());
        }
        let waiting = self.at;
        let mut labels = Vec::new();
        if wait != Wait::Elsewhere {
            labels.push(Label::AwaitSignal { timed: true });
        }
        let requested = self.request_to_cancel(&mut labels);
        labels.push(Label::Await(requested));
        if let Wait::Relocking(addr) = wait {
            let mode = LockMode::Exclusive;
            labels.push(Label::Lock { addr, mode });
        }
        let leaving = self.new_loc();
        self.add_edge_to(leaving, labels, true, request.span);
        // Which number a handle is makes no difference here.
        let edge = self.ctx.xcfa.edges.last_mut();
        edge.expect("it was just added").modelled = true;
        self.at = leaving;
        self.look_at_cancelled(request, wait)?;
        self.end_cancelled(request)?;
        self.at = waiting;
        Ok(())
    }

    fn is_futex(&self, span: Span) -> bool {
        let file = self.ctx.program.sources.files().get(span.file.0 as usize);
        file.is_some_and(|file| file.is_library && file.name == "lib/futex.c")
    }

    /// Is this thread to be cancelled? The label that finds out comes before.
    fn request_to_cancel(&mut self, labels: &mut Vec<Label>) -> Term {
        let named = |global: &crate::hir::Global| global.name == STATE && global.link.library;
        let mut globals = self.ctx.program.globals.iter();
        let at = globals.position(named).map(|at| GlobalId(at as u32));
        let Some(Storage::Static(base)) = at.and_then(|id| self.ctx.globals.get(&id).copied())
        else {
            unreachable!("`pthread_cancel` uses what is kept for each thread");
        };
        let this = self.ctx.xcfa.self_var;
        let this = self.read_var(this);
        let width = self.ctx.xcfa.pointer_bits();
        let this = self.terms().resize(this, width, false);
        let addr = self.terms().add(base, this);
        let var = self.temp(Sort::Bv(8));
        labels.push(Label::Load { var, addr });
        let state = self.read_var(var);
        let requested = self.terms().bv(8, REQUESTED);
        self.terms().eq(state, requested)
    }

    /// Whether the thread is to be cancelled, for models that wait in C.
    pub(super) fn is_cancelled(&mut self, request: &Request) -> Lowered<Answer> {
        if !self.ctx.cancels() {
            return self.answer(request, 0);
        }
        let mut labels = Vec::new();
        let requested = self.request_to_cancel(&mut labels);
        labels
            .into_iter()
            .for_each(|label| self.emit(label, request.span));
        let requested = self.terms().bool_to_bv(requested, 32);
        self.answer_term(request, requested)
    }

    /// The thread ends because it is cancelled.
    pub(super) fn end_cancelled(&mut self, request: &Request) -> Lowered<()> {
        let value = self.ctx.word(CANCELLED);
        self.end_this_thread(request, value)
    }

    /// The thread ends itself: its handlers run, and what runs at the end of each thread.
    pub(super) fn end_this_thread(&mut self, request: &Request, value: Term) -> Lowered<()> {
        if self.ctx.cancels() {
            self.run_model(request, "__mazurka_start_leaving", Vec::new())?;
        }
        if self.keeps_handlers() {
            self.run_model(request, "__mazurka_run_cleanup", Vec::new())?;
        }
        self.run_at_thread_end(request.span);
        self.finish(Label::ThreadExit(value), request.span)
    }
}
