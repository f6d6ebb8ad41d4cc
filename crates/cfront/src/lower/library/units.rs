//! Parts of the C library that are written in C, and when a program needs them.

use crate::functions;
use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{FuncId, Init, Program, Stmt, StmtKind, Type};
use crate::lower::reach::Reach;
use crate::lower::types::Types;
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
        usize::from(self.name != GENERAL_MUTEX)
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

/// Robust mutexes, which mutexes of every kind call.
const ROBUST_MUTEX: &str = "lib/robust.c";

/// Units that keep handles of threads and addresses of their own, and compare them as they like.
pub(in crate::lower) const KEEPS_HANDLES: &[&str] = &[
    "lib/barrier.c",
    "lib/c11_mutex.c",
    "lib/keys.c",
    GENERAL_MUTEX,
    "lib/once.c",
    ROBUST_MUTEX,
    "lib/semaphore.c",
    "lib/timed.c",
];

const UNITS: &[Unit] = &[
    unit("lib/atomic.c", include_str!("../../../lib/atomic.c")),
    unit(
        "lib/attributes.c",
        include_str!("../../../lib/attributes.c"),
    ),
    unit("lib/barrier.c", include_str!("../../../lib/barrier.c")),
    unit("lib/c11_mutex.c", include_str!("../../../lib/c11_mutex.c")),
    unit("lib/clock.c", include_str!("../../../lib/clock.c")),
    unit("lib/compare.c", include_str!("../../../lib/compare.c")),
    unit("lib/ctype.c", include_str!("../../../lib/ctype.c")),
    unit("lib/division.c", include_str!("../../../lib/division.c")),
    unit("lib/errno.c", include_str!("../../../lib/errno.c")),
    unit("lib/format.c", include_str!("../../../lib/format.c")),
    unit("lib/input.c", include_str!("../../../lib/input.c")),
    unit("lib/keys.c", include_str!("../../../lib/keys.c")),
    unit("lib/math.c", include_str!("../../../lib/math.c")),
    unit("lib/memory.c", include_str!("../../../lib/memory.c")),
    unit("lib/multibyte.c", include_str!("../../../lib/multibyte.c")),
    unit("lib/mutex.c", include_str!("../../../lib/mutex.c")),
    unit(
        "lib/mutex_attributes.c",
        include_str!("../../../lib/mutex_attributes.c"),
    ),
    unit("lib/names.c", include_str!("../../../lib/names.c")),
    unit("lib/numbers.c", include_str!("../../../lib/numbers.c")),
    unit("lib/once.c", include_str!("../../../lib/once.c")),
    unit("lib/process.c", include_str!("../../../lib/process.c")),
    unit("lib/random.c", include_str!("../../../lib/random.c")),
    unit("lib/reading.c", include_str!("../../../lib/reading.c")),
    unit(ROBUST_MUTEX, include_str!("../../../lib/robust.c")),
    unit("lib/semaphore.c", include_str!("../../../lib/semaphore.c")),
    unit(
        "lib/signal_sets.c",
        include_str!("../../../lib/signal_sets.c"),
    ),
    unit("lib/sleep.c", include_str!("../../../lib/sleep.c")),
    unit("lib/string.c", include_str!("../../../lib/string.c")),
    unit("lib/timed.c", include_str!("../../../lib/timed.c")),
    unit("lib/tokens.c", include_str!("../../../lib/tokens.c")),
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
    reads: bool,
) -> Vec<&'static Unit> {
    let undefined = reach.undefined.iter();
    let name = |(id, _): &(FuncId, Span)| program.functions[id.0 as usize].name.as_str();
    let mut wanted: Vec<&str> = undefined
        .map(name)
        .filter_map(|name| match name {
            "__mazurka_mutex_set_kind" => Some(GENERAL_MUTEX),
            "__mazurka_any_errno" => Some("lib/errno.c"),
            _ => functions::meaning(name)?.unit(),
        })
        .filter(|&unit| reads || unit != functions::READING)
        .collect();
    if wanted.contains(&ROBUST_MUTEX) || has_special_mutex(program, reach) {
        wanted.push(GENERAL_MUTEX);
    }
    let is_new = |unit: &&Unit| !present.iter().any(|known| known.name == unit.name);
    let units = UNITS.iter().filter(is_new);
    units.filter(|unit| wanted.contains(&unit.name)).collect()
}

/// Is a mutex initialised with anything but zeros?
fn has_special_mutex(program: &Program, reach: &Reach) -> bool {
    let types = Types {
        model: program.data_model,
        records: &program.records,
    };
    let mut globals = reach
        .globals
        .iter()
        .map(|id| &program.globals[id.0 as usize]);
    if globals.any(|global| {
        global
            .init
            .as_ref()
            .is_some_and(|i| sets_mutex(types, &global.ty, i))
    }) {
        return true;
    }
    reach.functions.iter().any(|id| {
        let function = &program.functions[id.0 as usize];
        let mut search = LocalMutexes {
            types,
            function,
            found: false,
        };
        if let Some(body) = &function.body {
            walk_stmt(body, &mut search);
        }
        search.found
    })
}

struct LocalMutexes<'p> {
    types: Types<'p>,
    function: &'p crate::hir::Function,
    found: bool,
}

impl Visitor for LocalMutexes<'_> {
    fn expr(&mut self, expr: &crate::hir::Expr) -> bool {
        if let crate::hir::ExprKind::CompoundLiteral(_, init) = &expr.kind {
            self.found |= sets_mutex(self.types, &expr.ty, init);
        }
        !self.found
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        if let StmtKind::Decl(id, Some(init)) = &stmt.kind {
            let local = &self.function.locals[id.0 as usize];
            self.found |= sets_mutex(self.types, &local.ty, init);
        }
        !self.found
    }
}

/// Does the initialiser put something other than zero into a mutex?
fn sets_mutex(types: Types, ty: &Type, init: &Init) -> bool {
    let mut ranges = Vec::new();
    mutexes_in(types, ty, 0, &mut ranges);
    init.items.iter().any(|item| {
        let inside = ranges
            .iter()
            .any(|&(lo, hi)| (lo..hi).contains(&item.offset));
        inside && !is_zero(&item.value)
    })
}

fn is_zero(expr: &crate::hir::Expr) -> bool {
    crate::lower::reach::is_null(expr)
}

/// Byte ranges of the mutexes inside a type.
fn mutexes_in(types: Types, ty: &Type, at: u64, ranges: &mut Vec<(u64, u64)>) {
    match ty.unqualified() {
        Type::Record(id) => {
            let record = &types.records[id.0 as usize];
            if record.tag.as_deref() == Some("__pthread_mutex_s") {
                ranges.push((at, at + record.size));
                return;
            }
            for member in types.members(ty) {
                mutexes_in(types, &member.ty, at + member.offset, ranges);
            }
        }
        Type::Array(element, Some(count)) => {
            let mut one = Vec::new();
            mutexes_in(types, element, 0, &mut one);
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
