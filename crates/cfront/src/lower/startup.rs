//! What runs before `main` and after it: resolvers, constructors, functions for the end, destructors.
//!
//! The functions given to `atexit`, and then destructors, run when `main` returns or a thread calls `exit`,
//! while other threads go on. They run once: a call of `exit` while they run ends the process at once.

use super::function::FunctionLowering;
use super::program::{Lowering, Storage};
use super::reach::{Reach, reach};
use super::types::Lowered;
use crate::Unsupported;
use crate::hir::{FuncId, Program};
use expr::Sort;
use xcfa::{Callee, Label, Leaving, ProcId, Scope, Span, Var};

/// What runs the functions that were given to `atexit`, if the program uses it.
const AT_EXIT: &str = "__mazurka_run_exit_functions";

/// What runs at the end of the process, in this order.
fn at_end(program: &Program) -> Vec<FuncId> {
    let destructors = program.startup.destructors.iter().copied();
    program
        .defined(AT_EXIT)
        .into_iter()
        .chain(destructors)
        .collect()
}

/// Functions that run whatever `main` does.
pub(super) fn roots(program: &Program) -> impl Iterator<Item = FuncId> {
    let constructors = program.startup.constructors.iter().copied();
    constructors.chain(at_end(program))
}

/// Refuses what would run destructors in a way that is not modelled.
pub(super) fn refuse_other_ends(program: &Program, used: &Reach) -> Lowered<()> {
    let mut last = at_end(program);
    if last.is_empty() {
        return Ok(());
    }
    let call_of = |reach: &Reach, names: &[&str]| {
        let mut undefined = reach.undefined.iter();
        let found = undefined
            .find(|(id, _)| names.contains(&program.functions[id.0 as usize].name.as_str()));
        found.map(|(_, span)| *span)
    };
    let function = |id: &FuncId| &program.functions[id.0 as usize];
    let mut functions = used.functions.iter().map(function);
    let cancels = functions.find(|f| f.name == "pthread_cancel" && f.link.library);
    let ends = call_of(used, &["pthread_exit", "thrd_exit"]);
    if let Some(span) = ends.or(cancels.map(|f| f.span)) {
        let what = "a thread that ends itself, in a program with destructors or `atexit`: the last one would run them";
        return Err(Unsupported::at(span, what));
    }
    if program.defined(AT_EXIT).is_some() {
        // Any function with an address may be one of these.
        last.extend(&used.address_taken);
    }
    match call_of(
        &reach(program, &last, false),
        &["exit", "err", "errx", "error"],
    ) {
        Some(span) => Err(Unsupported::at(span, "`exit` in what runs at the end")),
        None => Ok(()),
    }
}

impl Lowering<'_> {
    /// Makes the procedure that runs the destructors, if there are any.
    pub fn declare_destructors(&mut self) {
        if let Some(&first) = at_end(self.program).first() {
            let span = self.function(first).span;
            self.destructors = Some(self.xcfa.add_proc("run destructors", span));
        }
    }

    /// Its body.
    pub fn lower_destructors(&mut self) -> Lowered<()> {
        let last = at_end(self.program);
        let (Some(proc), Some(&first)) = (self.destructors, last.first()) else {
            return Ok(());
        };
        let span = self.function(first).span;
        let running = self
            .xcfa
            .add_var(Var::temp("exiting".into(), Sort::Bv(8), Scope::Global));
        let zero = self.xcfa.terms.bv(8, 0);
        self.xcfa[running].init = Some(zero);
        let mut lowering = FunctionLowering::new(self, proc, None);
        let start = lowering.at;
        lowering.run_once(running, span)?;
        for id in last {
            lowering.call_without_arguments(id, None)?;
        }
        lowering.end_function(span, false);
        lowering.begin_function(start, span);
        Ok(())
    }
}

impl FunctionLowering<'_, '_> {
    /// Goes on the first time; ends the process if others are there already.
    fn run_once(&mut self, running: expr::VarId, span: Span) -> Lowered<()> {
        let value = self.read_var(running);
        let (zero, one) = (self.terms().bv(8, 0), self.terms().bv(8, 1));
        let first = self.terms().eq(value, zero);
        let again = self.terms().not(first);
        let late = self.new_loc();
        self.add_edge_to(late, vec![Label::Assume(again)], true, span);
        let set = Label::Assign {
            var: running,
            value: one,
        };
        self.emit_atomic(vec![Label::Assume(first), set], span);
        let next = self.at;
        self.at = late;
        self.finish(Label::Exit(Leaving::Call), span)?;
        self.at = next;
        Ok(())
    }

    /// Sets what `ifunc` defines, then runs the constructors.
    pub fn start_program(&mut self) -> Lowered<()> {
        for (global, resolver) in self.ctx.program.startup.resolvers.clone() {
            if !self.ctx.reach.globals.contains(&global) {
                continue;
            }
            let name = self.ctx.function(resolver).name.clone();
            self.ctx
                .assume_about(format!("`{name}` is called once, before everything else"));
            let span = self.ctx.function(resolver).span;
            let pointer = self.call_without_arguments(resolver, Some(self.ctx.word_sort()))?;
            match (self.ctx.globals[&global], pointer) {
                (Storage::Var(var), Some(pointer)) => self.assign(var, pointer, span),
                _ => return Err(Unsupported::at(span, "a resolver of this form")),
            }
        }
        for id in self.ctx.program.startup.constructors.clone() {
            self.call_without_arguments(id, None)?;
        }
        Ok(())
    }

    /// Runs the handler of the signal that `abort` sends, if there may be one.
    pub fn handle_abort(&mut self, span: Span) -> Lowered<()> {
        if let Some(id) = self.ctx.on_abort {
            self.no_fusing(span)?;
            self.call_without_arguments(id, None)?;
        }
        Ok(())
    }

    fn call_without_arguments(
        &mut self,
        id: FuncId,
        result: Option<Sort>,
    ) -> Lowered<Option<expr::Term>> {
        let function = self.ctx.function(id);
        let span = function.span;
        let Some(&proc) = self.ctx.procs.get(&id) else {
            let what = format!("`{}` as what runs before or after `main`", function.name);
            return Err(Unsupported::at(span, what));
        };
        let fits = |sort: &Sort| {
            let own = self.ctx.xcfa[proc].result;
            own.is_some_and(|var| self.ctx.xcfa[var].sort == *sort)
        };
        let result = result.filter(fits).map(|sort| self.temp(sort));
        let label = Label::call(Callee::Direct(proc), Vec::new(), result);
        self.emit(label, span);
        self.end_of_jumps(span);
        Ok(result.map(|var| self.read_var(var)))
    }

    /// Runs the destructors, if the program has any.
    pub fn run_destructors(&mut self, span: Span) {
        if let Some(proc) = self.ctx.destructors {
            self.call_procedure(proc, span);
        }
    }

    fn call_procedure(&mut self, proc: ProcId, span: Span) {
        let callee = Callee::Direct(proc);
        let (args, result) = (Vec::new(), None);
        self.emit(Label::call(callee, args, result), span);
        self.end_of_jumps(span);
    }
}
