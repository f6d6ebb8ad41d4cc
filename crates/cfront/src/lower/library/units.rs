//! Parts of the C library that are written in C, and when a program needs them.

use super::usage;
use crate::Unsupported;
use crate::functions;
use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Expr, ExprKind, FuncId, Function, Init, Program, Stmt, StmtKind, Type};
use crate::lower::LowerOptions;
use crate::lower::reach::{Reach, any_expr_in, peel_casts};
use crate::lower::types::{Lowered, Types};
use xcfa::{SourceFile, Span};

/// A translation unit of the library. Which functions ask for it is in the table of functions.
#[derive(Debug)]
pub(in crate::lower) struct Unit {
    /// Its name in messages.
    pub name: &'static str,
    text: &'static str,
}

impl Unit {
    /// Units of a lower rank define functions that others define as well.
    pub fn rank(&self) -> usize {
        match self.name {
            name if name.starts_with(USAGE) => 0,
            GENERAL_MUTEX | DESTROYED_BARRIER => 1,
            _ => 2,
        }
    }

    /// The unit as a file.
    pub fn source(&self) -> SourceFile {
        let mut file = SourceFile::new(self.name, self.text);
        file.is_library = true;
        file
    }
}

/// Plain mutexes are labels; this unit replaces them where kinds of mutexes matter.
const GENERAL_MUTEX: &str = "lib/mutex.c";

/// Barriers that are destroyed; this unit replaces the one where nobody waits for threads that leave.
const DESTROYED_BARRIER: &str = "lib/destroyed_barrier.c";

/// Units that look for misuse of the library.
const USAGE: &str = "lib/usage_";

/// Robust mutexes, which mutexes of every kind call.
const ROBUST_MUTEX: &str = "lib/robust.c";

/// Units that keep handles of threads and addresses of their own, and compare them as they like.
pub(in crate::lower) const KEEPS_HANDLES: &[&str] = &[
    "lib/barrier.c",
    DESTROYED_BARRIER,
    "lib/c11_mutex.c",
    "lib/cancel.c",
    "lib/keys.c",
    GENERAL_MUTEX,
    "lib/once.c",
    "lib/realloc.c",
    ROBUST_MUTEX,
    "lib/semaphore.c",
    "lib/timed.c",
    "lib/usage_barrier.c",
    "lib/usage_condition.c",
    "lib/usage_mutex.c",
    "lib/usage_rwlock.c",
    "lib/usage_semaphore.c",
    "lib/usage_spin.c",
    "lib/usage_threads.c",
];

const UNITS: &[Unit] = &[
    unit("lib/addresses.c", include_str!("../../../lib/addresses.c")),
    unit("lib/atomic.c", include_str!("../../../lib/atomic.c")),
    unit(
        "lib/attributes.c",
        include_str!("../../../lib/attributes.c"),
    ),
    unit("lib/barrier.c", include_str!("../../../lib/barrier.c")),
    unit(
        DESTROYED_BARRIER,
        include_str!("../../../lib/destroyed_barrier.c"),
    ),
    unit(
        "lib/byte_order.c",
        include_str!("../../../lib/byte_order.c"),
    ),
    unit("lib/c11_mutex.c", include_str!("../../../lib/c11_mutex.c")),
    unit("lib/cancel.c", include_str!("../../../lib/cancel.c")),
    unit("lib/children.c", include_str!("../../../lib/children.c")),
    unit("lib/cleanup.c", include_str!("../../../lib/cleanup.c")),
    unit("lib/clock.c", include_str!("../../../lib/clock.c")),
    unit("lib/compare.c", include_str!("../../../lib/compare.c")),
    unit("lib/control.c", include_str!("../../../lib/control.c")),
    unit("lib/cpu_sets.c", include_str!("../../../lib/cpu_sets.c")),
    unit("lib/ctype.c", include_str!("../../../lib/ctype.c")),
    unit("lib/date_text.c", include_str!("../../../lib/date_text.c")),
    unit("lib/dates.c", include_str!("../../../lib/dates.c")),
    unit("lib/devices.c", include_str!("../../../lib/devices.c")),
    unit("lib/division.c", include_str!("../../../lib/division.c")),
    unit(
        "lib/error_texts.c",
        include_str!("../../../lib/error_texts.c"),
    ),
    unit("lib/errno.c", include_str!("../../../lib/errno.c")),
    unit("lib/events.c", include_str!("../../../lib/events.c")),
    unit("lib/exits.c", include_str!("../../../lib/exits.c")),
    unit("lib/files.c", include_str!("../../../lib/files.c")),
    unit("lib/folders.c", include_str!("../../../lib/folders.c")),
    unit("lib/format.c", include_str!("../../../lib/format.c")),
    unit("lib/futex.c", include_str!("../../../lib/futex.c")),
    unit("lib/getopt.c", include_str!("../../../lib/getopt.c")),
    unit("lib/handlers.c", include_str!("../../../lib/handlers.c")),
    unit("lib/input.c", include_str!("../../../lib/input.c")),
    unit("lib/keys.c", include_str!("../../../lib/keys.c")),
    unit("lib/limits.c", include_str!("../../../lib/limits.c")),
    unit("lib/lines.c", include_str!("../../../lib/lines.c")),
    unit("lib/mapping.c", include_str!("../../../lib/mapping.c")),
    unit("lib/math.c", include_str!("../../../lib/math.c")),
    unit("lib/memory.c", include_str!("../../../lib/memory.c")),
    unit("lib/multibyte.c", include_str!("../../../lib/multibyte.c")),
    unit("lib/mutex.c", include_str!("../../../lib/mutex.c")),
    unit(
        "lib/mutex_attributes.c",
        include_str!("../../../lib/mutex_attributes.c"),
    ),
    unit(
        "lib/named_semaphores.c",
        include_str!("../../../lib/named_semaphores.c"),
    ),
    unit("lib/names.c", include_str!("../../../lib/names.c")),
    unit("lib/numbers.c", include_str!("../../../lib/numbers.c")),
    unit("lib/once.c", include_str!("../../../lib/once.c")),
    unit("lib/paths.c", include_str!("../../../lib/paths.c")),
    unit("lib/places.c", include_str!("../../../lib/places.c")),
    unit("lib/process.c", include_str!("../../../lib/process.c")),
    unit("lib/random.c", include_str!("../../../lib/random.c")),
    unit("lib/reading.c", include_str!("../../../lib/reading.c")),
    unit("lib/ready.c", include_str!("../../../lib/ready.c")),
    unit(
        "lib/real_numbers.c",
        include_str!("../../../lib/real_numbers.c"),
    ),
    unit("lib/realloc.c", include_str!("../../../lib/realloc.c")),
    unit(ROBUST_MUTEX, include_str!("../../../lib/robust.c")),
    unit("lib/semaphore.c", include_str!("../../../lib/semaphore.c")),
    unit(
        "lib/signal_mask.c",
        include_str!("../../../lib/signal_mask.c"),
    ),
    unit(
        "lib/signal_sets.c",
        include_str!("../../../lib/signal_sets.c"),
    ),
    unit("lib/sleep.c", include_str!("../../../lib/sleep.c")),
    unit("lib/sockets.c", include_str!("../../../lib/sockets.c")),
    unit("lib/sorting.c", include_str!("../../../lib/sorting.c")),
    unit("lib/streams.c", include_str!("../../../lib/streams.c")),
    unit("lib/string.c", include_str!("../../../lib/string.c")),
    unit("lib/timed.c", include_str!("../../../lib/timed.c")),
    unit("lib/tokens.c", include_str!("../../../lib/tokens.c")),
    unit("lib/traces.c", include_str!("../../../lib/traces.c")),
    unit(
        "lib/usage_barrier.c",
        include_str!("../../../lib/usage_barrier.c"),
    ),
    unit(
        "lib/usage_condition.c",
        include_str!("../../../lib/usage_condition.c"),
    ),
    unit(
        "lib/usage_mutex.c",
        include_str!("../../../lib/usage_mutex.c"),
    ),
    unit(
        "lib/usage_rwlock.c",
        include_str!("../../../lib/usage_rwlock.c"),
    ),
    unit(
        "lib/usage_semaphore.c",
        include_str!("../../../lib/usage_semaphore.c"),
    ),
    unit(
        "lib/usage_spin.c",
        include_str!("../../../lib/usage_spin.c"),
    ),
    unit(
        "lib/usage_threads.c",
        include_str!("../../../lib/usage_threads.c"),
    ),
    unit("lib/waits.c", include_str!("../../../lib/waits.c")),
];

const fn unit(name: &'static str, text: &'static str) -> Unit {
    Unit { name, text }
}

/// Does a unit define a function?
#[cfg(test)]
pub(crate) fn defines(name: &str, function: &str) -> bool {
    let source = UNITS
        .iter()
        .find(|unit| unit.name == name)
        .map(Unit::source);
    let program = source.map(|file| crate::parse_program(vec![file], xcfa::DataModel::Lp64));
    let defined = |f: &crate::hir::Function| f.name == function && f.body.is_some();
    program.is_some_and(|program| match program {
        Ok(program) => program.functions.iter().any(defined),
        Err(failure) => panic!("{name}: {}", failure.error),
    })
}

/// Units that the program needs and does not have yet.
pub(in crate::lower) fn needed(
    program: &Program,
    reach: &Reach,
    present: &[&'static Unit],
    options: &LowerOptions,
) -> Vec<&'static Unit> {
    let undefined = reach.undefined.iter();
    let name = |(id, _): &(FuncId, Span)| program.functions[id.0 as usize].name.as_str();
    let mut wanted: Vec<&str> = undefined
        .map(name)
        .filter_map(|name| match name {
            "__mazurka_mutex_set_kind" => Some(GENERAL_MUTEX),
            "__mazurka_any_errno" => Some("lib/errno.c"),
            "__mazurka_next_file" => Some("lib/files.c"),
            "__mazurka_write_bytes" => Some(functions::READING),
            _ => functions::meaning(name)?.unit(),
        })
        .filter(|&unit| options.reads || unit != functions::READING)
        .collect();
    if wanted.contains(&"lib/input.c") && options.reads {
        wanted.push(functions::READING);
    }
    if options.usage_checks {
        wanted.extend(usage::units(program, reach));
    }
    if wanted.contains(&ROBUST_MUTEX) || has_special_mutex(program, reach) {
        wanted.push(GENERAL_MUTEX);
    }
    let is_new = |unit: &&Unit| !present.iter().any(|known| known.name == unit.name);
    let units = UNITS.iter().filter(is_new);
    units.filter(|unit| wanted.contains(&unit.name)).collect()
}

/// May a mutex be of another kind than the plain one? That is so if one is initialised with anything but
/// zeros or made with attributes, or if the program writes into one by other means.
fn has_special_mutex(program: &Program, reach: &Reach) -> bool {
    let types = Types {
        model: program.data_model,
        records: &program.records,
    };
    sets_locks(program, reach, &|ty, init| {
        sets_lock(types, ty, init, MUTEX)
    }) || bodies(program, reach)
        .any(|(_, body)| any_expr_in(body, |expr| pokes(program, types, expr)))
}

/// Refuses reader-writer locks that prefer writers.
pub(in crate::lower) fn refuse_kinds(program: &Program, reach: &Reach) -> Lowered<()> {
    let types = Types {
        model: program.data_model,
        records: &program.records,
    };
    match sets_locks(program, reach, &|ty, init| {
        sets_lock(types, ty, init, RWLOCK)
    }) {
        true => Err(Unsupported::at(
            Span::default(),
            "a reader-writer lock that is not initialised with zeros: some threads are preferred to others",
        )),
        false => Ok(()),
    }
}

/// The tags of locks in the headers of the system.
const MUTEX: &str = "__pthread_mutex_s";
const RWLOCK: &str = "__pthread_rwlock_arch_t";

/// The bodies of the program, without those of the library.
fn bodies<'p>(
    program: &'p Program,
    reach: &'p Reach,
) -> impl Iterator<Item = (&'p Function, &'p Stmt)> {
    let functions = reach.functions.iter();
    let functions = functions.map(|id| &program.functions[id.0 as usize]);
    let own = functions.filter(|function| !function.link.library);
    own.filter_map(|function| Some((function, function.body.as_ref()?)))
}

/// Does any initialiser set a lock?
fn sets_locks(program: &Program, reach: &Reach, sets: &dyn Fn(&Type, &Init) -> bool) -> bool {
    let mut globals = reach
        .globals
        .iter()
        .map(|id| &program.globals[id.0 as usize]);
    let in_globals = globals.any(|global| {
        let init = global.init.as_ref();
        init.is_some_and(|init| sets(&global.ty, init))
    });
    in_globals
        || bodies(program, reach).any(|(function, body)| {
            let mut search = LocalLocks {
                sets,
                function,
                found: false,
            };
            walk_stmt(body, &mut search);
            search.found
        })
}

/// Does an expression make a mutex with attributes, write into one or into the memory of one, or look at
/// one as something else?
fn pokes(program: &Program, types: Types, expr: &Expr) -> bool {
    let has_mutex = |ty: &Type| {
        let mut ranges = Vec::new();
        locks_in(types, ty, 0, MUTEX, &mut ranges);
        !ranges.is_empty()
    };
    let to_mutex = |expr: &Expr| match peel_casts(expr).ty.unqualified() {
        Type::Pointer(to) => has_mutex(to),
        _ => false,
    };
    match &expr.kind {
        ExprKind::Assign(place, _) => is_part_of_mutex(types, place),
        ExprKind::Cast(inner) => {
            // A pointer to `char` finds what a member is part of; through one to a mutex itself, it is
            // written.
            let from = match peel_casts(inner).ty.unqualified() {
                Type::Pointer(from) => (**from).clone(),
                _ => return false,
            };
            let other = match expr.ty.unqualified() {
                Type::Pointer(to) if to.is_scalar() => (**to).clone(),
                _ => return false,
            };
            let is_byte = other.size(types.model, types.records) == Some(1);
            has_mutex(&from) && (!is_byte || is_mutex(types, &from))
        }
        ExprKind::Call { callee, args } => {
            let ExprKind::FunctionAddr(id) = callee.kind else {
                return false;
            };
            let function = &program.functions[id.0 as usize];
            let sets_bytes = || !args.get(1).is_some_and(is_zero);
            function.body.is_none()
                && match function.name.trim_start_matches("__builtin_") {
                    "pthread_mutex_init" => !args.get(1).is_some_and(is_zero),
                    "memset" => args.first().is_some_and(to_mutex) && sets_bytes(),
                    // Bytes that are no mutex.
                    "memcpy" | "memmove" => {
                        let from = args.get(1);
                        args.first().is_some_and(to_mutex) && !from.is_some_and(to_mutex)
                    }
                    _ => false,
                }
        }
        _ => false,
    }
}

/// Is it a place inside a mutex?
fn is_part_of_mutex(types: Types, place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Member(base, _) => is_mutex(types, &base.ty) || is_part_of_mutex(types, base),
        _ => false,
    }
}

/// Is it a mutex, or a union of one with its bytes?
fn is_mutex(types: Types, ty: &Type) -> bool {
    let mut ranges = Vec::new();
    locks_in(types, ty, 0, MUTEX, &mut ranges);
    let size = ty.size(types.model, types.records);
    matches!(ranges[..], [(0, end)] if Some(end) == size)
}

struct LocalLocks<'p> {
    sets: &'p dyn Fn(&Type, &Init) -> bool,
    function: &'p Function,
    found: bool,
}

impl Visitor for LocalLocks<'_> {
    fn expr(&mut self, expr: &Expr) -> bool {
        if let ExprKind::CompoundLiteral(_, init) = &expr.kind {
            self.found |= (self.sets)(&expr.ty, init);
        }
        !self.found
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        if let StmtKind::Decl(id, Some(init)) = &stmt.kind {
            let local = &self.function.locals[id.0 as usize];
            self.found |= (self.sets)(&local.ty, init);
        }
        !self.found
    }
}

/// Does the initialiser put something other than zero into a lock?
fn sets_lock(types: Types, ty: &Type, init: &Init, tag: &str) -> bool {
    let mut ranges = Vec::new();
    locks_in(types, ty, 0, tag, &mut ranges);
    init.items.iter().any(|item| {
        let inside = ranges
            .iter()
            .any(|&(lo, hi)| (lo..hi).contains(&item.offset));
        inside && !is_zero(&item.value)
    })
}

fn is_zero(expr: &Expr) -> bool {
    crate::lower::reach::is_null(expr)
}

/// Byte ranges of the locks inside a type.
fn locks_in(types: Types, ty: &Type, at: u64, tag: &str, ranges: &mut Vec<(u64, u64)>) {
    match ty.unqualified() {
        Type::Record(id) => {
            let record = &types.records[id.0 as usize];
            if record.tag.as_deref() == Some(tag) {
                ranges.push((at, at + record.size));
                return;
            }
            for member in types.members(ty) {
                locks_in(types, &member.ty, at + member.offset, tag, ranges);
            }
        }
        Type::Array(element, Some(count)) => {
            let mut one = Vec::new();
            locks_in(types, element, 0, tag, &mut one);
            if let Some(stride) = element.size(types.model, types.records)
                && !one.is_empty()
            {
                for index in 0..*count {
                    let base = at + index * stride;
                    ranges.extend(one.iter().map(|(lo, hi)| (base + lo, base + hi)));
                }
            }
        }
        _ => {}
    }
}
