//! The typed tree as automata, with the model of the C library.
//!
//! Each function that the entry reaches becomes a procedure; calls stay calls. One edge touches
//! shared memory at most once: operands are read into temporaries from left to right, and what
//! is written is a term over locals. What cannot be said exactly is refused with its place.

mod arith;
mod assign;
mod atomic;
mod body;
mod bounds;
mod builtin;
mod call;
mod checks;
mod cond;
mod constant;
mod expr;
mod function;
mod globals;
mod init;
mod library;
mod lvalue;
mod program;
mod pure;
mod reach;
mod record;
mod scope;
mod sign;
mod skips;
mod startup;
mod stmt;
mod types;
mod variable_array;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use library::units::defines as library_defines;

use crate::hir::{FuncId, Function, Program, Type};
use crate::{ParseFailure, Unsupported, parse_program};
use library::{is_intrinsic, units};
use program::Lowering;
use reach::{Reach, reach};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use types::Lowered;
use xcfa::{DataModel, SourceFile, Span, Xcfa};

/// What runs at the end of each thread, if a unit of the library defines it: destructors of
/// thread-specific values, then robust mutexes that the thread still holds.
const AT_THREAD_END: [&str; 2] = ["__mazurka_run_key_destructors", "__mazurka_leave_robust"];

/// What calls of the library do to memory of its own, if a unit of the library defines it.
const TOUCHES: [&str; 3] = [
    "__mazurka_write_static",
    "__mazurka_read_environment",
    "__mazurka_change_environment",
];

/// Functions by which a thread is detached, now or when it starts.
const DETACHING: &[&str] = &[
    "pthread_detach",
    "thrd_detach",
    "pthread_attr_setdetachstate",
];

/// What to build.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// Make every signed overflow an error location?
    pub overflow_checks: bool,
    /// Make every call of what is no function an error location? Otherwise the run ends there.
    pub call_checks: bool,
    /// Make every index that leaves its array an error location?
    pub bounds_checks: bool,
    /// Do functions of the library read what they are given to print or to send? Races and memory
    /// safety want it; nothing else can tell.
    pub reads: bool,
    /// May a thread wait for itself for ever where the library could also tell it so? Deadlocks and
    /// termination want it; nothing else can tell.
    pub waits: bool,
    /// Is a fence a step of its own? Only memory models weaker than sequential consistency can tell.
    pub fences: bool,
    /// The function that the first thread runs.
    pub entry: String,
    /// Texts that must be expressions without effects and with a value: what is undefined in them is
    /// an error that is reached, and effects are refused.
    pub strict: Vec<Span>,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            overflow_checks: false,
            call_checks: false,
            bounds_checks: false,
            reads: true,
            waits: true,
            fences: false,
            entry: "main".into(),
            strict: Vec::new(),
        }
    }
}

/// Parses the files, adds the parts of the C library that they need, and lowers everything.
pub fn compile(
    files: Vec<SourceFile>,
    model: DataModel,
    options: &LowerOptions,
) -> Result<Xcfa, ParseFailure> {
    let mut added: Vec<&'static units::Unit> = Vec::new();
    loop {
        let library = added.iter().map(|unit| unit.source());
        let all = files.iter().cloned().chain(library).collect();
        let program = parse_program(all, model)?;
        let fail = |error| ParseFailure {
            sources: program.sources.clone(),
            error,
        };
        let (entry, reach) = used_parts(&program, options).map_err(fail)?;
        let missing = units::needed(&program, &reach, &added, options.reads);
        if missing.is_empty() {
            return lower(&program, entry, reach, options).map_err(fail);
        }
        added.extend(missing);
        // Of two definitions the first counts.
        added.sort_by_key(|unit| unit.rank());
    }
}

/// The entry function and what it reaches.
fn used_parts(program: &Program, options: &LowerOptions) -> Lowered<(FuncId, Reach)> {
    let Some(entry) = program.defined(&options.entry) else {
        let mut named = program.functions.iter().filter(|f| f.name == options.entry);
        if let Some(error) = named.find_map(|f| f.error.clone()) {
            return Err(error);
        }
        let what = format!("there is no function `{}` to start with", options.entry);
        return Err(Unsupported::at(Span::default(), what));
    };
    let called = AT_THREAD_END.into_iter().chain(TOUCHES);
    let roots: Vec<FuncId> = [entry]
        .into_iter()
        .chain(called.filter_map(|name| program.defined(name)))
        .chain(startup::roots(program))
        .collect();
    let reach = reach(program, &roots);
    // A function that could not be typed has no body; it must not pass for an unknown one.
    let mut used = reach
        .functions
        .iter()
        .map(|id| &program.functions[id.0 as usize]);
    let error = |f: &'_ Function| f.error.clone().or_else(|| f.link.refused.clone());
    match used.find_map(|f| error(f).filter(|_| !is_intrinsic(&f.name))) {
        Some(error) => Err(error),
        None => Ok((entry, reach)),
    }
}

/// Refuses functions of the compiler's own library, which a program can declare and use.
fn refuse_compiler_functions(program: &Program, reach: &Reach) -> Lowered<()> {
    for (id, span) in &reach.undefined {
        let name = &program.functions[id.0 as usize].name;
        if name.starts_with("__atomic_") || name.starts_with("__sync_") {
            let what = format!("the built-in function `{name}`");
            return Err(Unsupported::at(*span, what));
        }
    }
    Ok(())
}

fn lower(program: &Program, entry: FuncId, reach: Reach, options: &LowerOptions) -> Lowered<Xcfa> {
    library::once::refuse_exits(program, &reach)?;
    library::units::refuse_kinds(program, &reach)?;
    startup::refuse_other_ends(program, &reach)?;
    refuse_compiler_functions(program, &reach)?;
    let mut lowering = Lowering {
        program,
        options,
        reach,
        xcfa: Xcfa::new(program.data_model, program.sources.clone()),
        procs: FxHashMap::default(),
        hidden_results: FxHashSet::default(),
        function_objects: BTreeMap::new(),
        thread_procs: BTreeMap::new(),
        globals: FxHashMap::default(),
        thread_objects: Vec::new(),
        at_thread_end: Vec::new(),
        destructors: None,
        late: Vec::new(),
        evaluated: Vec::new(),
    };
    let functions = &program.functions;
    let start = lowering.xcfa.add_proc(
        format!("start {}", options.entry),
        functions[entry.0 as usize].span,
    );
    lowering.xcfa.main = start;
    lowering.declare_functions()?;
    lowering.declare_threads();
    lowering.declare_globals()?;
    let at_end = AT_THREAD_END.into_iter();
    lowering.at_thread_end = at_end.filter_map(|name| program.defined(name)).collect();
    lowering.declare_destructors();
    lowering.lower_entry(entry, start)?;
    for id in lowering.reach.functions.clone() {
        if lowering.procs.contains_key(&id) {
            lowering.lower_function(id)?;
        }
    }
    for id in lowering.thread_procs.keys().copied().collect::<Vec<_>>() {
        lowering.lower_thread(id)?;
    }
    lowering.lower_destructors()?;
    while let Some(id) = lowering.late.pop() {
        lowering.lower_function(id)?;
    }
    let mut xcfa = lowering.xcfa;
    let mut functions = lowering.reach.functions.iter();
    xcfa.detaches =
        functions.any(|id| DETACHING.contains(&program.functions[id.0 as usize].name.as_str()));
    skips::remove_skips(&mut xcfa);
    Ok(xcfa)
}

impl Lowering<'_> {
    /// Makes the procedures round start routines: those that are named, and if a thread is started
    /// through a pointer every function that fits and has an address.
    fn declare_threads(&mut self) {
        let mut routines = self.reach.started.clone();
        if self.reach.starts_by_pointer {
            let pointed_to = self.reach.address_taken.iter().copied();
            routines.extend(pointed_to.filter(|&id| self.can_start(id)));
        }
        let word = self.word_sort();
        for id in routines {
            let function = self.function(id);
            let proc = self
                .xcfa
                .add_proc(format!("thread {}", function.name), function.span);
            let param = self.local_var(proc, "arg", word, false);
            self.xcfa[param].temp = true;
            self.xcfa[param].pointer = true;
            self.xcfa[proc].params = vec![param];
            self.thread_procs.insert(id, proc);
        }
    }

    /// Has the function the form of a start routine?
    fn can_start(&self, id: FuncId) -> bool {
        let ty = &self.function(id).ty;
        let result_fits = ty.result.is_scalar() || matches!(*ty.result, Type::Void);
        let fits = |param: &Type| self.types().sort_of(param) == Some(self.word_sort());
        result_fits && ty.params.len() <= 1 && ty.params.iter().all(fits)
    }
}
