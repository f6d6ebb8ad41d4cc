//! Random programs whose threads use atomic accesses of all memory orders.

use generator::Rng;

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef union { int a; long b[5]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3, ar = 4, sc = 5 };
int x, y, z, d, *p;
pthread_mutex_t m;
";

const LOADS: [&str; 3] = ["rlx", "acq", "sc"];
const STORES: [&str; 3] = ["rlx", "rel", "sc"];
const ANY: [&str; 5] = ["rlx", "acq", "rel", "ar", "sc"];

/// Draws programs. What is drawn besides atomic loads, stores, read-modify-writes, fences and branches can be chosen.
pub struct Atomics {
    random: Rng,
    /// Accesses that are not atomic.
    pub plain: bool,
    /// Which memory orders accesses have.
    pub orders: Orders,
    /// Sections under a lock.
    pub locks: bool,
    /// Loops that wait.
    pub loops: bool,
    /// Does `main` do something between starting and joining, also with a variable on its stack that others may know?
    pub main: bool,
}

/// Which memory orders are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// All of C's.
    All,
    /// All but `seq_cst`.
    Weak,
    /// `seq_cst` alone.
    Strong,
}

/// A program by its parts.
pub struct Parts {
    /// What the threads do. A thread has the global variables `r` and `s`, with its number, to itself.
    pub threads: Vec<String>,
    /// What `main` does meanwhile.
    pub main: String,
}

impl Atomics {
    /// The programs of this seed.
    pub fn new(seed: u64) -> Atomics {
        Atomics {
            random: Rng::new(seed),
            plain: false,
            orders: Orders::All,
            locks: false,
            loops: false,
            main: false,
        }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// One of these.
    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// The parts of a program. No two statements write the same number.
    pub fn parts(&mut self) -> Parts {
        let count = 2 + self.below(2);
        let mut value = 0;
        let mut threads = Vec::new();
        for at in 0..count {
            let statements = match count == 2 && !self.main {
                true => 2 + self.below(3),
                false => 1 + self.below(2),
            };
            threads.push(self.body(at, statements, &mut value));
        }
        let mut main = String::new();
        if self.main {
            let statements = 1 + self.below(3);
            for _ in 0..statements {
                value += 1;
                main += &self.on_stack(count, value);
                let more = self.below(2);
                main += &self.body(count, more, &mut value);
            }
        }
        Parts { threads, main }
    }

    fn body(&mut self, thread: usize, statements: usize, value: &mut usize) -> String {
        let statements = (0..statements).map(|_| {
            *value += 1;
            self.statement(thread, *value)
        });
        statements.collect()
    }

    /// Something that can be asked about the results of the first two threads.
    pub fn condition(&mut self) -> String {
        let (a, b) = (self.below(3), self.below(4));
        let place = self.pick(&["x", "y", "z"]);
        match self.below(4) {
            0 => format!("r0 == {a} && {place} == {b}"),
            1 => format!("r0 == {a} && r1 == {b}"),
            2 => format!("r1 == {a}"),
            _ => format!("r0 == {} || s1 == 2", a + 1),
        }
    }

    fn statement(&mut self, thread: usize, value: usize) -> String {
        let place = self.pick(&["x", "x", "x", "y", "y", "y", "z"]);
        let local = format!("r{thread}");
        let (load, store, any) = (self.order(&LOADS), self.order(&STORES), self.order(&ANY));
        if self.plain && self.below(4) == 0 {
            return self.plain(thread, value);
        }
        match self.below(19) {
            0..5 => format!("{local} = __atomic_load_n(&{place}, {load});"),
            5..10 => format!("__atomic_store_n(&{place}, {value}, {store});"),
            10 => format!("{local} = __atomic_fetch_add(&{place}, {value}, {any});"),
            11 => format!("{local} = __atomic_exchange_n(&{place}, {value}, {any});"),
            12 => format!(
                "{{ int e{thread} = 0; s{thread} = __atomic_compare_exchange_n(&{place}, &e{thread}, {value}, 0, {any}, {load}); }}"
            ),
            13 => format!("__atomic_thread_fence({any});"),
            14 => format!("__atomic_store_n({local} ? &x : &{place}, {value}, {store});"),
            15 | 16 => {
                let inner = self.statement(thread, value);
                format!("if ({local}) {{ {inner} }}")
            }
            17 if self.locks => format!(
                "pthread_mutex_lock(&m); d = d + {value}; s{thread} = d; pthread_mutex_unlock(&m);"
            ),
            18 if self.loops => format!("while (__atomic_load_n(&{place}, {load}) == {value});"),
            _ if self.main => format!(
                "{{ int *q = __atomic_load_n(&p, {load}); if (q) __atomic_store_n(q, {value}, {store}); }}"
            ),
            _ => self.statement(thread, value),
        }
    }

    fn plain(&mut self, thread: usize, value: usize) -> String {
        let place = self.pick(&["d", "d", "x"]);
        match self.below(2) {
            0 => format!("{place} = {value};"),
            _ => format!("r{thread} = {place};"),
        }
    }

    /// The last of these is the strongest.
    fn order<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let (strongest, others) = from.split_last().expect("some orders");
        match self.orders {
            Orders::All => self.pick(from),
            Orders::Weak => self.pick(others),
            Orders::Strong => strongest,
        }
    }

    fn on_stack(&mut self, thread: usize, value: usize) -> String {
        let (load, store) = (self.order(&LOADS), self.order(&STORES));
        match self.below(4) {
            0 => format!("__atomic_store_n(&p, &l, {store});"),
            1 => format!("__atomic_store_n(&l, {value}, {store});"),
            2 => format!("s{thread} += __atomic_load_n(&l, {load}) == {value};"),
            _ => format!("__atomic_fetch_add(&l, 1, {});", self.order(&ANY)),
        }
    }
}

impl Parts {
    /// As C; then `after` runs in `main` when all threads have been joined.
    pub fn text(&self, after: &str) -> String {
        let mut text = HEAD.to_owned();
        for (at, body) in self.threads.iter().enumerate() {
            text +=
                &format!("int r{at}, s{at};\nvoid *run{at}(void *unused) {{ {body} return 0; }}\n");
        }
        let main = self.threads.len();
        text += &format!("int r{main}, s{main};\nint main(void) {{\nint l = 0;\n");
        for at in 0..main {
            text += &format!("pthread_t t{at}; pthread_create(&t{at}, 0, run{at}, 0);\n");
        }
        text += &format!("{}\n", self.main);
        for at in 0..main {
            text += &format!("pthread_join(t{at}, 0);\n");
        }
        text + &format!("{after}\nreturn 0; }}\n")
    }
}
