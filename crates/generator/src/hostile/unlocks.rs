//! Locks that are released by a thread that does not hold them, twice, or by `pthread_cond_wait`.
//!
//! Threads follow the discipline of a lock, with lapses that are about releases. Locks are of every
//! kind and in any place: alone, in arrays, behind pointers, in records on the heap. Compilers
//! know what an unmatched release of a mutex does on their system, and it is what the machine does;
//! of other locks they do not, so only engines are compared there.

use super::{INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Mutex,
    ErrorCheck,
    Recursive,
    ReadWrite,
    Spin,
    C11,
}

#[derive(Clone, Copy, PartialEq)]
enum LockStorage {
    Global,
    Array,
    Pointer,
    Heap,
    Records,
}

struct Unlocks {
    rng: Rng,
    kind: Kind,
    place: LockStorage,
    lapse: usize,
}

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let kinds = [
        Kind::Mutex,
        Kind::Mutex,
        Kind::Mutex,
        Kind::ErrorCheck,
        Kind::Recursive,
        Kind::ReadWrite,
        Kind::ReadWrite,
        Kind::Spin,
        Kind::C11,
    ];
    let places = [
        LockStorage::Global,
        LockStorage::Global,
        LockStorage::Array,
        LockStorage::Pointer,
        LockStorage::Heap,
        LockStorage::Records,
    ];
    let properties = [
        Property::Race,
        Property::Race,
        Property::Race,
        Property::Reach,
        Property::Reach,
        Property::Deadlock,
        Property::Usage,
        Property::Usage,
    ];
    let property = rng.pick(&properties);
    let mut unlocks = Unlocks {
        kind: rng.pick(&kinds),
        place: rng.pick(&places),
        lapse: rng.pick(&[0, 15, 30, 50]),
        rng,
    };
    let oracle = match unlocks.kind {
        Kind::Mutex | Kind::ErrorCheck | Kind::Recursive if property == Property::Reach => {
            Oracle::Runs
        }
        _ => Oracle::Engines,
    };
    (property, oracle, unlocks.source())
}

impl Unlocks {
    fn source(&mut self) -> Source {
        let mut source = Source::starting(
            "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdlib.h>\n#include <threads.h>\n#include <time.h>",
        );
        source.line(INTRINSICS);
        source.line(self.declarations());
        let routines = self.rng.between(1, 2);
        for at in 0..routines {
            source.line(format!("void *t{at}(void *arg)\n{{"));
            source.line("    int k = arg != 0;");
            for _ in 0..self.rng.between(1, 2) {
                let statement = self.statement();
                source.line(format!("    {statement}"));
            }
            source.line("    return 0;\n}");
        }
        self.main(&mut source, routines);
        source
    }

    fn lock_type(&self) -> &'static str {
        match self.kind {
            Kind::Mutex | Kind::ErrorCheck | Kind::Recursive => "pthread_mutex_t",
            Kind::ReadWrite => "pthread_rwlock_t",
            Kind::Spin => "pthread_spinlock_t",
            Kind::C11 => "mtx_t",
        }
    }

    fn declarations(&self) -> String {
        let lock = self.lock_type();
        let own = match self.place {
            LockStorage::Global => format!("{lock} m0, m1;"),
            LockStorage::Array => format!("{lock} ms[2];"),
            LockStorage::Pointer => format!("{lock} m0, m1, *pm = &m0;"),
            LockStorage::Heap => format!("struct box {{ int data; {lock} m; }} *b0, *b1;"),
            LockStorage::Records => format!("struct box {{ {lock} m; int data; }} bs[2];"),
        };
        format!("{own}\npthread_cond_t c;\nstruct timespec ts;\nint x, y;")
    }

    /// A pointer to the first or the second lock.
    fn lock(&mut self, second: bool) -> String {
        let at = usize::from(second);
        let index = match second {
            false => self.rng.pick(&["0", "0", "k", "k & 1", "1 - k", "x & 1"]),
            true => "1",
        };
        match self.place {
            LockStorage::Global => format!("&m{at}"),
            LockStorage::Array => format!("&ms[{index}]"),
            LockStorage::Pointer if second => "&m1".to_owned(),
            LockStorage::Pointer => self.rng.pick(&["pm", "pm", "&m0"]).to_owned(),
            LockStorage::Heap => format!("&b{at}->m"),
            LockStorage::Records => format!("&bs[{index}].m"),
        }
    }

    fn acquire(&mut self, lock: &str) -> String {
        let ways: &[&str] = match self.kind {
            Kind::Mutex | Kind::ErrorCheck | Kind::Recursive => &[
                "pthread_mutex_lock(L);",
                "pthread_mutex_lock(L);",
                "pthread_mutex_lock(L);",
                "pthread_mutex_trylock(L);",
                "if (pthread_mutex_trylock(L)) return 0;",
                "pthread_mutex_timedlock(L, &ts);",
                "while (pthread_mutex_trylock(L)) ;",
            ],
            Kind::ReadWrite => &[
                "pthread_rwlock_wrlock(L);",
                "pthread_rwlock_wrlock(L);",
                "pthread_rwlock_rdlock(L);",
                "pthread_rwlock_trywrlock(L);",
                "if (pthread_rwlock_tryrdlock(L)) return 0;",
            ],
            Kind::Spin => &[
                "pthread_spin_lock(L);",
                "pthread_spin_lock(L);",
                "pthread_spin_trylock(L);",
                "if (pthread_spin_trylock(L)) return 0;",
            ],
            Kind::C11 => &[
                "mtx_lock(L);",
                "mtx_lock(L);",
                "mtx_trylock(L);",
                "if (mtx_trylock(L) != thrd_success) return 0;",
            ],
        };
        let plain = !self.rng.chance(self.lapse + 10);
        let way = if plain { ways[0] } else { self.rng.pick(ways) };
        way.replace('L', lock)
    }

    fn release(&self, lock: &str) -> String {
        let call = match self.kind {
            Kind::Mutex | Kind::ErrorCheck | Kind::Recursive => "pthread_mutex_unlock",
            Kind::ReadWrite => "pthread_rwlock_unlock",
            Kind::Spin => "pthread_spin_unlock",
            Kind::C11 => "mtx_unlock",
        };
        format!("{call}({lock});")
    }

    fn access(&mut self) -> String {
        let place = match (self.place, self.rng.below(4)) {
            (_, 0) => "y",
            (LockStorage::Heap, 1) => "b0->data",
            (LockStorage::Records, 1) => "bs[0].data",
            _ => "x",
        };
        let how = self
            .rng
            .pick(&["P++;", "P = 1;", "P = P + 2;", "k = P != 0;"]);
        how.replace('P', place)
    }

    fn condition(&mut self) -> &'static str {
        self.rng
            .pick(&["k", "__VERIFIER_nondet_bool()", "x == 1", "y"])
    }

    /// A section with its lapses, or one of these alone.
    fn statement(&mut self) -> String {
        let second = self.rng.chance(20);
        let lock = self.lock(second);
        if self.rng.chance(self.lapse) {
            return self.lapse_alone(&lock);
        }
        let mut parts = Vec::new();
        if !self.rng.chance(self.lapse / 3) {
            parts.push(self.acquire(&lock));
        }
        parts.push(self.access());
        if self.rng.chance(30) {
            parts.push(self.access());
        }
        if self.rng.chance(self.lapse / 2) {
            let error_path = format!("if ({}) {}", self.condition(), self.release(&lock));
            parts.push(error_path);
        }
        if !self.rng.chance(self.lapse / 4) {
            parts.push(self.release(&lock));
        }
        if self.rng.chance(self.lapse) {
            let other = self.rng.chance(20);
            let again = self.lock(other);
            parts.push(self.release(&again));
        }
        parts.join(" ")
    }

    fn lapse_alone(&mut self, lock: &str) -> String {
        let waits = matches!(self.kind, Kind::Mutex | Kind::ErrorCheck | Kind::Recursive);
        match self.rng.below(5) {
            0 => self.access(),
            1 => format!("if ({}) {}", self.condition(), self.release(lock)),
            2 if waits => format!("pthread_cond_wait(&c, {lock}); {}", self.access()),
            3 if waits => format!("pthread_cond_timedwait(&c, {lock}, &ts);"),
            _ => self.release(lock),
        }
    }

    fn initialised(&self) -> String {
        let each = |pointer: &str| match self.kind {
            Kind::Mutex => format!("pthread_mutex_init({pointer}, 0);"),
            Kind::ErrorCheck | Kind::Recursive => format!("pthread_mutex_init({pointer}, &a);"),
            Kind::ReadWrite => format!("pthread_rwlock_init({pointer}, 0);"),
            Kind::Spin => format!("pthread_spin_init({pointer}, 0);"),
            Kind::C11 => format!("mtx_init({pointer}, mtx_plain);"),
        };
        let [first, second] = match self.place {
            LockStorage::Global | LockStorage::Pointer => ["&m0", "&m1"],
            LockStorage::Array => ["&ms[0]", "&ms[1]"],
            LockStorage::Heap => ["&b0->m", "&b1->m"],
            LockStorage::Records => ["&bs[0].m", "&bs[1].m"],
        };
        let mut text = String::new();
        if self.place == LockStorage::Heap {
            text += "    b0 = calloc(1, sizeof *b0);\n    b1 = calloc(1, sizeof *b1);\n";
        }
        let attribute = match self.kind {
            Kind::ErrorCheck => Some("PTHREAD_MUTEX_ERRORCHECK"),
            Kind::Recursive => Some("PTHREAD_MUTEX_RECURSIVE"),
            _ => None,
        };
        if let Some(kind) = attribute {
            text += "    pthread_mutexattr_t a;\n    pthread_mutexattr_init(&a);\n";
            text += &format!("    pthread_mutexattr_settype(&a, {kind});\n");
        }
        format!("{text}    {} {}", each(first), each(second))
    }

    fn main(&mut self, source: &mut Source, routines: usize) {
        source.line("int main(void)\n{\n    int k = 0;\n    pthread_t h[4];");
        source.line(self.initialised());
        let threads = self.rng.pick(&[2, 2, 2, 3]);
        if self.rng.chance(8) {
            source.line("    while (__VERIFIER_nondet_bool()) pthread_create(&h[3], 0, t0, 0);");
        }
        for at in 0..threads {
            let routine = at % routines;
            let arg = self.rng.pick(&["0", "&x"]);
            source.line(format!(
                "    pthread_create(&h[{at}], 0, t{routine}, {arg});"
            ));
            if self.rng.chance(self.lapse / 2) {
                let lock = self.lock(false);
                let early = match self.rng.chance(50) {
                    true => self.release(&lock),
                    false => self.statement().replace("return 0", "return 1"),
                };
                source.line(format!("    {early}"));
            }
        }
        for at in 0..threads {
            if !self.rng.chance(10) {
                source.line(format!("    pthread_join(h[{at}], 0);"));
            }
        }
        let (op, value) = (self.rng.pick(&["==", "!=", "<"]), self.rng.below(4));
        source.line(format!(
            "    if (x {op} {value}) reach_error();\n    return 0;\n}}"
        ));
    }
}
