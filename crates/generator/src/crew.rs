//! Random programs about crews: threads of one kind that a loop starts and another loop joins.
//!
//! Each program follows a plan that may be free of races (distinct indices, memory for each thread, a
//! lock, a semaphore, a ticket, a countdown), with lapses here and there: a bound that is off by one, an
//! index that two threads share, a join or a lock that is missing. What is left is checked by comparing
//! engines. The programs are text from the start; there is no shrinker for them.

use crate::Rng;
use std::fmt::Write;

const HEADER: &str = "\
typedef unsigned long pthread_t;
typedef struct { long words[5]; } pthread_mutex_t;
typedef struct { long words[6]; } pthread_cond_t;
typedef struct { long words[4]; } sem_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void *malloc(unsigned long);
extern void free(void *);
extern _Bool __VERIFIER_nondet_bool(void);
struct s { pthread_t tid; pthread_mutex_t m; int d; int e; };
int data, next, flag, arr[8], *dyn;
pthread_mutex_t m0, m1, ms[8];
pthread_cond_t c0;
sem_t sem;
pthread_t tids[8];
struct s recs[8], *ptrs[8];
static __thread int own;
";

/// What a worker is given.
#[derive(Clone, Copy, PartialEq)]
enum Arg {
    Number,
    Element,
    Record,
    Fresh,
    /// A number in memory of its own.
    Boxed,
}

/// How workers keep out of each other's way.
#[derive(Clone, Copy, PartialEq)]
enum Plan {
    Index,
    Lock,
    OwnLock,
    Semaphore,
    Ticket,
    Conditional,
}

/// Where handles are kept.
#[derive(Clone, Copy, PartialEq)]
enum Handle {
    Array,
    Member,
    Local,
    None,
}

struct Writer {
    rng: Rng,
    arg: Arg,
    plan: Plan,
    handle: Handle,
    countdown: bool,
    /// How often something goes wrong, in percent.
    lapse: usize,
    /// The number of workers, as text.
    count: &'static str,
}

/// The random program of this seed, as C.
pub fn crew(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let arg = rng.pick(&[
        Arg::Number,
        Arg::Number,
        Arg::Element,
        Arg::Record,
        Arg::Fresh,
        Arg::Boxed,
    ]);
    let plan = rng.pick(&[
        Plan::Index,
        Plan::Index,
        Plan::Lock,
        Plan::OwnLock,
        Plan::Semaphore,
        Plan::Ticket,
        Plan::Conditional,
    ]);
    let mut handles = vec![Handle::Array, Handle::Array, Handle::Local, Handle::None];
    if matches!(arg, Arg::Record | Arg::Fresh) {
        handles.extend([Handle::Member, Handle::Member]);
    }
    let handle = rng.pick(&handles);
    let countdown = rng.chance(25);
    let lapse = rng.pick(&[0, 3, 10, 25]);
    let count = rng.pick(&["2", "2", "n"]);
    let mut writer = Writer {
        rng,
        arg,
        plan,
        handle,
        countdown,
        lapse,
        count,
    };
    writer.program()
}

impl Writer {
    fn lapses(&mut self) -> bool {
        self.rng.chance(self.lapse)
    }

    fn program(&mut self) -> String {
        let mut out = HEADER.to_owned();
        let alive = if self.lapses() { "-1" } else { "0" };
        let _ = writeln!(out, "int alive = {alive};");
        let helper = self.rng.chance(15);
        if helper {
            let body = self.accesses();
            let _ = writeln!(
                out,
                "void *helper(void *a) {{ int x; long i = 0; {body}return 0; }}"
            );
        }
        let worker = self.worker(helper);
        let main = self.main();
        let _ = write!(out, "void *worker(void *a) {{\n{worker}  return 0;\n}}\n");
        let _ = write!(out, "int main(void) {{\n{main}  return 0;\n}}\n");
        out
    }

    /// Accesses that fit no argument.
    fn accesses(&mut self) -> String {
        let place = self.rng.pick(&["data", "arr[3]", "recs[2].d", "flag"]);
        self.guarded(&format!("{place} = 1;"), "m0")
    }

    fn worker(&mut self, helper: bool) -> String {
        let mut out = String::from("  int x = 0; (void)x;\n");
        let _ = match self.arg {
            Arg::Number => writeln!(out, "  int i = (long)a;"),
            Arg::Boxed => writeln!(out, "  int i = *(int *)a;"),
            Arg::Element => writeln!(out, "  int *q = a;"),
            Arg::Record | Arg::Fresh => writeln!(out, "  struct s *p = a;"),
        };
        if self.plan == Plan::Ticket {
            out += &self.ticket();
        }
        if self.plan == Plan::Conditional {
            let value = self.rng.pick(&["own = 1;", "own = 1;", "own = flag;"]);
            let _ = writeln!(out, "  {value}");
        }
        let late = self.countdown && self.lapses();
        if late {
            out += &self.count_down();
        }
        for _ in 0..self.rng.between(1, 2) {
            let statement = self.statement();
            let _ = writeln!(out, "  {statement}");
        }
        if helper {
            out += "  pthread_t t; pthread_create(&t, 0, helper, 0);";
            if !self.lapses() {
                out += " pthread_join(t, 0);";
            }
            out.push('\n');
        }
        if self.arg == Arg::Fresh && self.rng.chance(20) {
            out += "  free(p);\n";
        }
        if self.countdown && !late {
            out += &self.count_down();
        }
        out
    }

    fn ticket(&mut self) -> String {
        if self.rng.chance(30) {
            return "  int j = __atomic_fetch_add(&next, 1, 5);\n".to_owned();
        }
        let (lock, unlock) = match self.lapses() {
            true => ("", ""),
            false => ("pthread_mutex_lock(&m1);", "pthread_mutex_unlock(&m1);"),
        };
        match self.lapses() {
            true => format!("  {lock} int j = next; {unlock} {lock} next++; {unlock}\n"),
            false => format!("  {lock} int j = next; next++; {unlock}\n"),
        }
    }

    fn count_down(&mut self) -> String {
        let step = if self.lapses() {
            "alive -= 2;"
        } else {
            "alive--;"
        };
        let body = format!("{step} pthread_cond_signal(&c0);");
        let body = self.under("m1", &body);
        format!("  {body}\n")
    }

    /// One access of a worker.
    fn statement(&mut self) -> String {
        let place = self.place();
        let access = match self.rng.chance(70) {
            true => format!("{place} = 1;"),
            false => format!("x = {place};"),
        };
        let lock = match (self.plan, self.arg) {
            (Plan::OwnLock, Arg::Record | Arg::Fresh) => "p->m",
            (Plan::OwnLock, Arg::Number | Arg::Boxed) => "ms[i]",
            _ => "m0",
        };
        match self.plan {
            Plan::Index | Plan::Ticket => access,
            _ => self.guarded(&access, lock),
        }
    }

    /// What a worker accesses: mostly something of its own.
    fn place(&mut self) -> &'static str {
        if self.plan == Plan::Ticket {
            return match self.lapses() {
                true => self.rng.pick(&["arr[j / 2]", "arr[0]", "dyn[j + 1]"]),
                false => self.rng.pick(&["arr[j]", "dyn[j]", "recs[j].d"]),
            };
        }
        let shares = !matches!(self.plan, Plan::Index) && self.rng.chance(50);
        if shares || self.lapses() {
            return self.rng.pick(&["data", "arr[0]", "recs[1].e"]);
        }
        let off = self.lapses();
        match (self.arg, off) {
            (Arg::Number | Arg::Boxed, false) => {
                self.rng
                    .pick(&["arr[i]", "dyn[i]", "recs[i].d", "arr[2 * i + 1]"])
            }
            (Arg::Number | Arg::Boxed, true) => {
                self.rng.pick(&["arr[i + 1]", "arr[i / 2]", "dyn[i & 2]"])
            }
            (Arg::Element, false) => "*q",
            (Arg::Element, true) => "q[1]",
            (_, false) => self.rng.pick(&["p->d", "p->e"]),
            (_, true) => "recs[0].d",
        }
    }

    fn under(&mut self, lock: &str, body: &str) -> String {
        match self.lapses() {
            true => body.to_owned(),
            false => format!("pthread_mutex_lock(&{lock}); {body} pthread_mutex_unlock(&{lock});"),
        }
    }

    fn guarded(&mut self, body: &str, lock: &str) -> String {
        let lapses = self.lapses();
        match self.plan {
            Plan::Semaphore if !lapses => {
                let post = if self.lapses() {
                    "sem_post(&sem); sem_post(&sem);"
                } else {
                    "sem_post(&sem);"
                };
                format!("sem_wait(&sem); {body} {post}")
            }
            Plan::Conditional if !lapses => format!(
                "if (own == 1) pthread_mutex_lock(&m0); {body} if (own == 1) pthread_mutex_unlock(&m0);"
            ),
            _ => self.under(lock, body),
        }
    }

    fn main(&mut self) -> String {
        let mut out = String::from("  int x = 0; (void)x;\n");
        if self.count == "n" {
            out += "  int n = 1 + __VERIFIER_nondet_bool();\n";
        }
        out += "  dyn = malloc(8 * sizeof(int));\n";
        if self.plan == Plan::Semaphore {
            let value = if self.lapses() { 2 } else { 1 };
            let _ = writeln!(out, "  sem_init(&sem, 0, {value});");
        }
        let _ = writeln!(
            out,
            "  for (int i = 0; i < {}; i++) arr[i] = 0;",
            self.count
        );
        out += &self.start_loop();
        if self.countdown {
            let wait = "while (alive) pthread_cond_wait(&c0, &m1);";
            let wait = match self.lapses() {
                true => "while (alive); ".to_owned(),
                false => format!("pthread_mutex_lock(&m1); {wait} pthread_mutex_unlock(&m1);"),
            };
            let _ = writeln!(out, "  {wait}");
        }
        if self.lapses() {
            let _ = writeln!(out, "  {}", self.end());
        }
        let joins = !self.countdown || self.rng.chance(50);
        if matches!(self.handle, Handle::Array | Handle::Member) && joins && !self.lapses() {
            out += &self.join_loop();
        }
        let access = self.end();
        let _ = writeln!(out, "  {access}");
        out
    }

    fn start_loop(&mut self) -> String {
        let mut out = String::new();
        let down = self.rng.chance(15);
        let _ = match down {
            true => writeln!(out, "  for (int i = {} - 1; i >= 0; i--) {{", self.count),
            false => writeln!(out, "  for (int i = 0; i < {}; i++) {{", self.count),
        };
        if self.arg == Arg::Fresh {
            let _ = writeln!(out, "    struct s *p = malloc(sizeof(struct s));");
            out += "    p->m = (pthread_mutex_t){0};\n";
            if self.handle == Handle::Member || self.rng.chance(40) {
                out += "    ptrs[i] = p;\n";
            }
            if self.rng.chance(30) {
                out += "    p->d = 0;\n";
            }
        }
        if self.arg == Arg::Boxed {
            let value = if self.lapses() { "i / 2" } else { "i" };
            let place = if self.lapses() {
                "&flag"
            } else {
                "malloc(sizeof(int))"
            };
            let _ = writeln!(out, "    int *b = {place}; *b = {value};");
        }
        let count_up = self.under("m1", "alive++;");
        let early = !self.lapses();
        if self.countdown && early {
            let _ = writeln!(out, "    {count_up}");
        }
        if self.rng.chance(25) {
            out += match self.arg {
                Arg::Number | Arg::Element | Arg::Boxed => "    arr[i] = 0;\n",
                Arg::Record => "    recs[i].d = 0;\n",
                Arg::Fresh => "    p->e = 0;\n",
            };
        }
        let _ = writeln!(out, "    {}", self.start());
        if self.countdown && !early {
            let _ = writeln!(out, "    {count_up}");
        }
        if self.arg == Arg::Boxed && self.lapses() {
            out += "    *b = 1;\n";
        }
        if self.lapses() {
            let _ = writeln!(out, "    {}", self.end());
        }
        out + "  }\n"
    }

    fn start(&mut self) -> String {
        let arg = match (self.arg, self.lapses()) {
            (Arg::Number, false) => "(void *)(long)i",
            (Arg::Number, true) => self
                .rng
                .pick(&["(void *)(long)(i / 2)", "(void *)(long)(i + 1)"]),
            (Arg::Element, false) => "&arr[i]",
            (Arg::Element, true) => self.rng.pick(&["&arr[i / 2]", "&arr[2 * i]"]),
            (Arg::Record, false) => "&recs[i]",
            (Arg::Record, true) => "&recs[0]",
            (Arg::Boxed, _) => "b",
            (Arg::Fresh, false) => "p",
            (Arg::Fresh, true) => "ptrs[0] ? ptrs[0] : p",
        };
        let handle = match (self.handle, self.arg) {
            (Handle::Array, _) => "&tids[i]",
            (Handle::Member, Arg::Fresh) => "&p->tid",
            (Handle::Member, _) => "&recs[i].tid",
            _ => "&t",
        };
        let start = format!("pthread_create({handle}, 0, worker, {arg});");
        let lapses = self.lapses();
        match self.handle {
            Handle::Local if !lapses => format!("pthread_t t; {start} pthread_join(t, 0);"),
            Handle::Local | Handle::None => format!("pthread_t t; {start}"),
            _ => start,
        }
    }

    fn join_loop(&mut self) -> String {
        let count = self.count;
        let bounds = match self.lapses() {
            true => self.rng.pick(&[
                "int i = 1; i < N; i++",
                "int i = 0; i < N - 1; i++",
                "int i = 0; i < N; i += 2",
            ]),
            false if self.rng.chance(10) => "int i = N - 1; i >= 0; i--",
            false => "int i = 0; i < N; i++",
        };
        let bounds = bounds.replace('N', count);
        let handle = match (self.handle, self.arg) {
            (Handle::Member, Arg::Fresh) => "ptrs[i]->tid",
            (Handle::Member, _) => "recs[i].tid",
            _ => "tids[i]",
        };
        let inside = match (self.arg, self.rng.chance(50)) {
            (_, false) => "",
            (Arg::Number | Arg::Element | Arg::Boxed, _) => "x = arr[i];",
            (Arg::Record, _) => "x = recs[i].d;",
            (Arg::Fresh, _) if self.handle == Handle::Member => {
                self.rng.pick(&["x = ptrs[i]->d;", "free(ptrs[i]);"])
            }
            (Arg::Fresh, _) => "",
        };
        let join = format!("pthread_join({handle}, 0);");
        let body = match self.lapses() {
            true => format!("{inside} {join}"),
            false => format!("{join} {inside}"),
        };
        format!("  for ({bounds}) {{ {body} }}\n")
    }

    /// What `main` does at the end.
    fn end(&mut self) -> String {
        let place = self
            .rng
            .pick(&["data", "arr[1]", "recs[0].d", "dyn[0]", "next"]);
        match self.rng.chance(60) {
            true => format!("x = {place};"),
            false => format!("{place} = 5;"),
        }
    }
}
