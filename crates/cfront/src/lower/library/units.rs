//! Parts of the C library that are written in C, and when a program needs them.

use crate::hir::walk::{Visitor, walk_stmt};
use crate::hir::{Init, Program, Stmt, StmtKind, Type};
use crate::lower::reach::Reach;
use crate::lower::types::Types;
use xcfa::SourceFile;

/// A translation unit of the library.
#[derive(Debug)]
pub(in crate::lower) struct Unit {
    /// Its name in messages.
    pub name: &'static str,
    text: &'static str,
    /// A program that uses one of these without defining it needs the unit.
    wanted_by: &'static [&'static str],
}

impl Unit {
    /// The unit as a file.
    pub fn source(&self) -> SourceFile {
        let mut file = SourceFile::new(self.name, self.text);
        file.is_library = true;
        file
    }
}

/// Plain mutexes are labels; this unit replaces them where kinds of mutexes matter.
const GENERAL_MUTEX: &str = "lib/mutex.c";

const UNITS: &[Unit] = &[
    Unit {
        name: "lib/semaphore.c",
        text: include_str!("../../../lib/semaphore.c"),
        wanted_by: &[
            "sem_init",
            "sem_destroy",
            "sem_wait",
            "sem_trywait",
            "sem_timedwait",
            "sem_clockwait",
            "sem_post",
            "sem_getvalue",
        ],
    },
    Unit {
        name: "lib/barrier.c",
        text: include_str!("../../../lib/barrier.c"),
        wanted_by: &[
            "pthread_barrier_init",
            "pthread_barrier_destroy",
            "pthread_barrier_wait",
        ],
    },
    Unit {
        name: "lib/once.c",
        text: include_str!("../../../lib/once.c"),
        wanted_by: &["pthread_once", "call_once"],
    },
    Unit {
        name: "lib/keys.c",
        text: include_str!("../../../lib/keys.c"),
        wanted_by: &[
            "pthread_key_create",
            "pthread_key_delete",
            "pthread_getspecific",
            "pthread_setspecific",
            "tss_create",
            "tss_delete",
            "tss_get",
            "tss_set",
        ],
    },
    Unit {
        name: GENERAL_MUTEX,
        text: include_str!("../../../lib/mutex.c"),
        wanted_by: &[
            "pthread_mutexattr_settype",
            "pthread_mutexattr_gettype",
            "__mazurka_mutex_set_kind",
        ],
    },
    Unit {
        name: "lib/c11_mutex.c",
        text: include_str!("../../../lib/c11_mutex.c"),
        wanted_by: &[
            "mtx_init",
            "mtx_destroy",
            "mtx_lock",
            "mtx_trylock",
            "mtx_timedlock",
            "mtx_unlock",
        ],
    },
    Unit {
        name: "lib/memory.c",
        text: include_str!("../../../lib/memory.c"),
        wanted_by: &[
            "memcpy",
            "memmove",
            "memset",
            "memcmp",
            "memchr",
            "__builtin_memcpy",
            "__builtin_memmove",
            "__builtin_memset",
            "__builtin_memcmp",
        ],
    },
    Unit {
        name: "lib/string.c",
        text: include_str!("../../../lib/string.c"),
        wanted_by: &[
            "strlen", "strnlen", "strcmp", "strncmp", "strcpy", "strncpy", "strcat", "strncat",
            "strchr", "strrchr", "strdup", "strndup", "strstr",
        ],
    },
    Unit {
        name: "lib/ctype.c",
        text: include_str!("../../../lib/ctype.c"),
        wanted_by: &[
            "__ctype_b_loc",
            "isdigit",
            "isupper",
            "islower",
            "isalpha",
            "isalnum",
            "isxdigit",
            "isspace",
            "isblank",
            "isprint",
            "isgraph",
            "ispunct",
            "iscntrl",
            "tolower",
            "toupper",
        ],
    },
    Unit {
        name: "lib/errno.c",
        text: include_str!("../../../lib/errno.c"),
        wanted_by: &["__errno_location"],
    },
];

/// Units that the program needs and does not have yet.
pub(in crate::lower) fn needed(
    program: &Program,
    reach: &Reach,
    present: &[&'static Unit],
) -> Vec<&'static Unit> {
    let undefined: Vec<&str> = reach
        .undefined
        .iter()
        .map(|(id, _)| program.functions[id.0 as usize].name.as_str())
        .collect();
    UNITS
        .iter()
        .filter(|unit| !present.iter().any(|known| known.name == unit.name))
        .filter(|unit| {
            unit.wanted_by.iter().any(|name| undefined.contains(name))
                || (unit.name == GENERAL_MUTEX && has_special_mutex(program, reach))
        })
        .collect()
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
