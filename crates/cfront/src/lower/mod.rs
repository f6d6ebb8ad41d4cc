//! The typed tree as automata, with the model of the C library.
//!
//! Each function that the entry reaches becomes a procedure; calls stay calls. One edge touches
//! shared memory at most once: operands are read into temporaries from left to right, and what
//! is written is a term over locals. What cannot be said exactly is refused with its place.

mod arguments;
mod arith;
mod assign;
mod atomic;
mod atomic_record;
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
mod nonlocal;
mod program;
mod pure;
mod reach;
mod real;
mod record;
mod scope;
mod sequence;
mod sign;
mod skips;
mod startup;
mod stmt;
mod text;
mod types;
mod variable_array;
mod variadic;

#[cfg(test)]
mod tests;

pub use builtin::WEAK_ORDERS;
#[cfg(test)]
pub(crate) use library::units::defines as library_defines;
pub use text::Text;

use crate::hir::{FuncId, Function, Program, Type};
use crate::{ParseFailure, Unsupported};
use library::units;
use program::Lowering;
use reach::{Reach, reach};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use types::Lowered;
use xcfa::{Span, Xcfa};

/// What runs at the end of each thread, if a unit of the library defines it: destructors of
/// thread-specific values, then robust mutexes that the thread still holds.
const AT_THREAD_END: [&str; 2] = ["__mazurka_run_key_destructors", "__mazurka_leave_robust"];

/// What runs before `abort` ends the process, if the program says what signals do.
const ON_ABORT: &str = "__mazurka_handle_abort";

/// What `sigsetjmp` keeps of the signals that are held back, and `longjmp` gives back, if the program says what signals do.
const HELD: [&str; 2] = ["__mazurka_keep_held", "__mazurka_hold_again"];

/// What calls of the library do to memory of its own, or of the program where the values do not matter, if a unit of
/// the library defines it.
const TOUCHES: [&str; 4] = [
    "__mazurka_write_bytes",
    "__mazurka_write_static",
    "__mazurka_read_environment",
    "__mazurka_change_environment",
];

/// What keeps cleanup handlers and runs them, if a unit of the library defines it.
const CLEANUP: [&str; 3] = [
    "__mazurka_push_cleanup",
    "__mazurka_pop_cleanup",
    "__mazurka_run_cleanup",
];

/// Functions by which a thread is detached, now or when it starts.
const DETACHING: &[&str] = &[
    "pthread_detach",
    "thrd_detach",
    "pthread_attr_setdetachstate",
];

/// What the system does that a program runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Environment {
    /// It gives memory and threads whenever it is asked.
    #[default]
    Typical,
    /// It may refuse both at any time.
    Arbitrary,
}

/// What to build.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// Is a call of `reach_error` or `__VERIFIER_error` an error, whatever its body does? Only those who ask
    /// about these calls want it; for everybody else a body is what it does.
    pub error_calls: bool,
    /// Make every signed overflow an error location?
    pub overflow_checks: bool,
    /// Make every misuse of the threading library an error location?
    pub usage_checks: bool,
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
    /// What `main` is given, with the name of the program first; arbitrary if that is not known.
    pub arguments: Option<Vec<String>>,
    /// What the system does.
    pub environment: Environment,
    /// What was assumed when the program was read; the verdict names it.
    pub assumptions: Vec<String>,
    /// Texts that must be expressions without effects and with a value: what is undefined in them is
    /// an error that is reached, and effects are refused.
    pub strict: Vec<Span>,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            error_calls: true,
            overflow_checks: false,
            usage_checks: false,
            call_checks: false,
            bounds_checks: false,
            reads: true,
            waits: true,
            fences: false,
            entry: "main".into(),
            arguments: None,
            environment: Environment::Typical,
            assumptions: Vec::new(),
            strict: Vec::new(),
        }
    }
}

impl LowerOptions {
    /// Is the meaning of a name fixed, whatever body the program gives it?
    fn fixes(&self, name: &str) -> bool {
        is_fixed(name, self.error_calls)
    }
}

fn is_fixed(name: &str, error_calls: bool) -> bool {
    match name {
        "reach_error" | "__VERIFIER_error" => error_calls,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => true,
        _ => false,
    }
}

/// Adds the parts of the C library that a program needs, and lowers everything.
pub fn compile(text: &Text, options: &LowerOptions) -> Result<Xcfa, ParseFailure> {
    let mut added: Vec<&'static units::Unit> = Vec::new();
    loop {
        let program = text.with_library(&added)?;
        let fail = |errors| ParseFailure::of(program.sources.clone(), errors);
        let (entry, reach) = used_parts(&program, options).map_err(fail)?;
        let missing = units::needed(&program, &reach, &added, options);
        if missing.is_empty() {
            return lower(&program, entry, reach, options).map_err(fail);
        }
        added.extend(missing);
        // Of two definitions the first counts.
        added.sort_by_key(|unit| unit.rank());
    }
}

/// Functions of the program that are called and defined nowhere, of which nothing is known.
pub(crate) fn undefined_functions(program: &Program, options: &LowerOptions) -> Vec<String> {
    let Ok((_, reach)) = used_parts(program, options) else {
        return Vec::new();
    };
    let undefined = reach.undefined.iter();
    let functions = undefined.map(|(id, _)| &program.functions[id.0 as usize]);
    let is_known = |f: &Function| {
        let by_name =
            crate::functions::meaning(&f.name).is_some() || f.name.starts_with("__VERIFIER_");
        by_name || f.system || crate::functions::is_system(&f.name)
    };
    functions
        .filter(|f| f.errors.is_empty() && !is_known(f) && !options.fixes(&f.name))
        .map(|f| f.name.clone())
        .collect()
}

/// The entry function and what it reaches.
fn used_parts(program: &Program, options: &LowerOptions) -> Gathered<(FuncId, Reach)> {
    let broken = |f: &Function| f.name == options.entry && !f.errors.is_empty();
    let at = || program.functions.iter().position(broken);
    let entry = program.defined(&options.entry);
    let Some(entry) = entry.or_else(|| Some(FuncId(at()? as u32))) else {
        let what = format!("there is no function `{}` to start with", options.entry);
        return Err(vec![Unsupported::at(Span::default(), what)]);
    };
    let called = AT_THREAD_END
        .into_iter()
        .chain(TOUCHES)
        .chain([ON_ABORT])
        .chain(HELD)
        .chain(CLEANUP);
    let roots: Vec<FuncId> = [entry]
        .into_iter()
        .chain(called.filter_map(|name| program.defined(name)))
        .chain(startup::roots(program))
        .chain(library::usage::roots(program))
        .collect();
    Ok((entry, reach(program, &roots, options.error_calls)))
}

/// What could not be typed, or linked, in the functions that are used. Such a function has no body; it must not
/// pass for an unknown one.
fn broken_parts(program: &Program, reach: &Reach, options: &LowerOptions) -> Vec<Unsupported> {
    let used = reach.functions.iter();
    let used = used.map(|id| &program.functions[id.0 as usize]);
    let mut broken = Vec::new();
    for function in used.filter(|f| !options.fixes(&f.name)) {
        broken.extend(
            function
                .errors
                .iter()
                .chain(&function.link.refused)
                .cloned(),
        );
        if let Some(remains) = &function.remains {
            broken.extend(library::refused_calls(program, remains));
        }
    }
    broken
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

/// A part of the work, or everything that is in its way.
type Gathered<T> = Result<T, Vec<Unsupported>>;

fn lower(program: &Program, entry: FuncId, reach: Reach, options: &LowerOptions) -> Gathered<Xcfa> {
    let mut obstacles = broken_parts(program, &reach, options);
    let refusals = [
        library::once::refuse_exits,
        library::units::refuse_kinds,
        library::signals::refuse_masks,
        library::signals::refuse_sent,
        library::kernel::refuse_unknown,
        startup::refuse_other_ends,
        refuse_compiler_functions,
        variadic::refuse_casts,
    ];
    obstacles.extend(
        refusals
            .iter()
            .filter_map(|refuse| refuse(program, &reach).err()),
    );
    if options.usage_checks {
        obstacles.extend(library::usage::refuse_pointers(program, &reach));
    }
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
        large_externals: Vec::new(),
        at_thread_end: Vec::new(),
        destructors: None,
        on_abort: None,
        jumping: None,
        late: Vec::new(),
        evaluated: Vec::new(),
        obstacles,
    };
    for line in &options.assumptions {
        lowering.assume_about(line.clone());
    }
    if let Some(span) = sequence::open_order(program, &lowering.reach) {
        let what = "operands are evaluated from left to right, though their order is open";
        let line = lowering.xcfa.remark(span, what);
        lowering.assume_about(line);
    }
    if library::keys::order_is_open(program, &lowering.reach) {
        let what = "destructors of thread-specific values run in the order of their keys";
        lowering.assume_about(what.to_owned());
    }
    for line in library::sorting::orders_by_pointer(program, &lowering.reach) {
        lowering.assume_about(line);
    }
    if options.environment == Environment::Arbitrary {
        let line = "the environment is arbitrary: memory and threads may be refused at any time";
        lowering.assume_about(line.to_owned());
    }
    lowering.tolerate(|this| this.lower_program(entry));
    if !lowering.obstacles.is_empty() {
        return Err(lowering.obstacles_of_others());
    }
    let mut xcfa = lowering.xcfa;
    let mut functions = lowering.reach.functions.iter();
    xcfa.detaches =
        functions.any(|id| DETACHING.contains(&program.functions[id.0 as usize].name.as_str()));
    skips::remove_skips(&mut xcfa);
    Ok(xcfa)
}

impl Lowering<'_> {
    /// Makes all automata. What is in the way of a function is remembered, and the others follow.
    fn lower_program(&mut self, entry: FuncId) -> Lowered<()> {
        let name = format!("start {}", self.options.entry);
        let start = self.xcfa.add_proc(name, self.function(entry).span);
        self.xcfa.main = start;
        self.declare_jumps();
        self.declare_functions()?;
        self.declare_threads();
        self.declare_globals()?;
        let at_end = AT_THREAD_END.into_iter();
        let program = self.program;
        self.at_thread_end = at_end.filter_map(|name| program.defined(name)).collect();
        let handled = library::signals::may_handle_abort(program, &self.reach);
        self.on_abort = program.defined(ON_ABORT).filter(|_| handled);
        self.declare_destructors();
        if self.procs.contains_key(&entry) {
            self.tolerate(|this| this.lower_entry(entry, start));
        }
        for id in self.reach.functions.clone() {
            if self.procs.contains_key(&id) {
                self.tolerate(|this| this.lower_function(id));
            }
        }
        for id in self.thread_procs.keys().copied().collect::<Vec<_>>() {
            self.tolerate(|this| this.lower_thread(id));
        }
        self.tolerate(|this| this.lower_destructors());
        while let Some(id) = self.late.pop() {
            self.tolerate(|this| this.lower_function(id));
        }
        Ok(())
    }

    /// Does a part of the work, or remembers what is in its way.
    fn tolerate(&mut self, part: impl FnOnce(&mut Self) -> Lowered<()>) {
        if let Err(error) = part(self) {
            self.obstacles.push(error);
        }
    }

    /// What is in the way, without calls of functions that have a body with errors of its own.
    fn obstacles_of_others(self) -> Vec<Unsupported> {
        let broken = |name: &str| {
            let mut functions = self.program.functions.iter();
            functions.any(|f| f.name == name && !f.errors.is_empty())
        };
        let is_own = |error: &Unsupported| error.function.as_deref().is_some_and(broken);
        let obstacles = self.obstacles.iter();
        let others: Vec<_> = obstacles.filter(|error| !is_own(error)).cloned().collect();
        match others.is_empty() {
            true => self.obstacles,
            false => others,
        }
    }

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
