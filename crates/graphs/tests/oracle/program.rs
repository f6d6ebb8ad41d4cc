//! Random programs, as data and as C.

use models::MemoryOrder;
use std::fmt;

/// What threads share.
pub const PLACES: [&str; 3] = ["x", "y", "z"];

/// A statement of a thread. Registers are `r` (0) and `s` (1).
#[derive(Clone, Debug)]
pub enum Statement {
    Load(usize, Access),
    Store(Access, u64),
    /// Read-modify-writes; the register gets what was there.
    Add(usize, Access, u64),
    Exchange(usize, Access, u64),
    /// A compare-exchange of these values, with its order for failure; the register gets whether it has succeeded.
    Swap(usize, Access, (u64, u64), MemoryOrder),
    Fence(MemoryOrder),
    If(usize, Box<Statement>),
    /// Waits until what is there is not 0.
    Await(usize, Access),
    /// Waits until one of two places is not 0.
    AwaitEither(Access, Access),
    /// Waits until what is there is the first value, and makes it the second.
    AwaitSwap(Access, (u64, u64)),
    /// Reads twice, and remembers whether one of them was not 0.
    Twice(usize, Access),
}

/// Where, and in which order; plain accesses have none.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub place: usize,
    pub order: Option<MemoryOrder>,
}

/// The bodies of the threads.
#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Statement>>,
}

const ANY: [MemoryOrder; 5] = [
    MemoryOrder::Relaxed,
    MemoryOrder::Acquire,
    MemoryOrder::Release,
    MemoryOrder::AcqRel,
    MemoryOrder::SeqCst,
];
const LOADS: [MemoryOrder; 3] = [ANY[0], ANY[1], ANY[4]];
const STORES: [MemoryOrder; 3] = [ANY[0], ANY[2], ANY[4]];

/// Numbers from a seed (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize].clone()
    }

    fn access(&mut self, orders: &[MemoryOrder], may_be_plain: bool) -> Access {
        let is_plain = may_be_plain && self.below(20) == 0;
        Access {
            place: self.pick(&[0, 0, 0, 1, 1, 1, 2]),
            order: (!is_plain).then(|| self.pick(orders)),
        }
    }

    fn statement(&mut self, value: u64) -> Statement {
        let register = self.below(2) as usize;
        match self.below(24) {
            0..8 => Statement::Load(register, self.access(&LOADS, true)),
            8..16 => Statement::Store(self.access(&STORES, true), value),
            16 => Statement::Add(register, self.access(&ANY, false), value),
            17 => Statement::Exchange(register, self.access(&ANY, false), value),
            18 => {
                let access = self.access(&ANY, false);
                Statement::Swap(register, access, (self.below(2), value), self.pick(&LOADS))
            }
            19 => Statement::Fence(self.pick(&ANY[1..])),
            20 | 21 => Statement::If(register, Box::new(self.statement(value))),
            _ => match self.below(5) {
                0 | 1 => Statement::Await(register, self.access(&LOADS, false)),
                2 => {
                    let first = self.access(&LOADS, false);
                    let place = (first.place + 1) % PLACES.len();
                    let second = self.access(&LOADS, false);
                    Statement::AwaitEither(first, Access { place, ..second })
                }
                3 => Statement::AwaitSwap(self.access(&ANY, false), (self.below(2), value)),
                _ => Statement::Twice(register, self.access(&LOADS, false)),
            },
        }
    }

    /// A program whose graphs can all be tried.
    pub fn program(&mut self) -> Program {
        let count = 2 + self.below(2);
        let mut value = 0;
        let mut thread = |random: &mut Random| {
            let length = 2 + random.below(if count == 2 { 3 } else { 2 });
            let mut statements = Vec::new();
            for _ in 0..length {
                value += 1;
                statements.push(random.statement(value));
            }
            statements
        };
        Program {
            threads: (0..count).map(|_| thread(self)).collect(),
        }
    }
}

fn order(order: MemoryOrder) -> &'static str {
    match order {
        MemoryOrder::Relaxed => "rlx",
        MemoryOrder::Acquire => "acq",
        MemoryOrder::Release => "rel",
        MemoryOrder::AcqRel => "ar",
        MemoryOrder::SeqCst => "sc",
    }
}

impl Access {
    fn name(&self) -> &'static str {
        PLACES[self.place]
    }

    fn order_name(&self) -> &'static str {
        order(self.order.expect("an atomic access"))
    }

    fn load(&self) -> String {
        match self.order {
            Some(it) => format!("__atomic_load_n(&{}, {})", self.name(), order(it)),
            None => self.name().to_owned(),
        }
    }

    fn swap(&self, (from, to): (u64, u64), failure: MemoryOrder) -> String {
        let (name, success) = (self.name(), self.order_name());
        format!(
            "({{ int e = {from}; __atomic_compare_exchange_n(&{name}, &e, {to}, 0, {success}, {}); }})",
            order(failure)
        )
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let register = |it: &usize| ["r", "s"][*it];
        match self {
            Statement::Load(to, at) => write!(f, "{} = {};", register(to), at.load()),
            Statement::Store(at, value) => match at.order {
                Some(it) => write!(
                    f,
                    "__atomic_store_n(&{}, {value}, {});",
                    at.name(),
                    order(it)
                ),
                None => write!(f, "{} = {value};", at.name()),
            },
            Statement::Add(to, at, value) => {
                let (to, name) = (register(to), at.name());
                write!(
                    f,
                    "{to} = __atomic_fetch_add(&{name}, {value}, {});",
                    at.order_name()
                )
            }
            Statement::Exchange(to, at, value) => {
                let (to, name) = (register(to), at.name());
                write!(
                    f,
                    "{to} = __atomic_exchange_n(&{name}, {value}, {});",
                    at.order_name()
                )
            }
            Statement::Swap(to, at, values, failure) => {
                write!(f, "{} = {};", register(to), at.swap(*values, *failure))
            }
            Statement::Fence(it) => write!(f, "__atomic_thread_fence({});", order(*it)),
            Statement::If(on, then) => write!(f, "if ({}) {{ {then} }}", register(on)),
            Statement::Await(to, at) => {
                write!(
                    f,
                    "do {} = {}; while ({} == 0);",
                    register(to),
                    at.load(),
                    register(to)
                )
            }
            Statement::AwaitEither(a, b) => {
                write!(f, "while ({} == 0 && {} == 0) {{}}", a.load(), b.load())
            }
            Statement::AwaitSwap(at, values) => {
                write!(
                    f,
                    "while (!{}) {{}}",
                    at.swap(*values, MemoryOrder::Relaxed)
                )
            }
            Statement::Twice(to, at) => write!(
                f,
                "for (int i = 0; i < 2; i++) if ({}) {} = 1;",
                at.load(),
                register(to)
            ),
        }
    }
}

impl Program {
    /// As C. If results of threads are given, it is an error that all threads end with these.
    pub fn text(&self, results: Option<&[u64]>) -> String {
        let mut text = String::from(
            "typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3, ar = 4, sc = 5 };
int x, y, z;
",
        );
        for (at, statements) in self.threads.iter().enumerate() {
            let body: String = statements.iter().map(|it| format!("    {it}\n")).collect();
            text += &format!(
                "void *run{at}(void *unused) {{\n    int r = 0, s = 0;\n{body}    return (void *)(long)(r * 64 + s);\n}}\n"
            );
        }
        let all = 0..self.threads.len();
        let lines = |line: &dyn Fn(usize) -> String| all.clone().map(line).collect::<String>();
        text += "int main(void) {\n";
        text += &lines(&|at| format!("    pthread_t t{at}; void *v{at};\n"));
        text += &lines(&|at| format!("    pthread_create(&t{at}, 0, run{at}, 0);\n"));
        text += &lines(&|at| format!("    pthread_join(t{at}, &v{at});\n"));
        if let Some(results) = results {
            let are = lines(&|at| format!(" && (long)v{at} == {}", results[at]));
            text += &format!("    if (1{are}) reach_error();\n");
        }
        text + "    return 0;\n}\n"
    }
}
