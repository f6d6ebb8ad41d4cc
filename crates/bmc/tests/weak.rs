//! Memory models: the same verdicts as making all executions, and counterexamples that the gate accepts.
//!
//! `MAZURKA_GRAPHS_PROGRAMS` sets how many random programs are tried.

use graphs::{Limits, explore};
use semantics::Property;
use verdict::{Budget, MemoryModel, Program, Task, Verdict};
use xcfa::SourceFile;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../litmus/weak");

const HEAD: &str = "
typedef unsigned long pthread_t;
typedef union { int a; long b[5]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3, ar = 4, sc = 5 };
int x, y, z, d;
pthread_mutex_t m;
";

fn task(text: &str, model: &str) -> Task {
    let program = Program::new(vec![SourceFile::new("test.c", text)]);
    let model = MemoryModel::shipped(model).expect("a model");
    Task::prepare(&program.with_memory_model(model), Property::Reach).expect("a program")
}

/// Both verdicts; `true` is unsafe.
fn compare(text: &str, model: &str) -> bool {
    let task = task(text, model);
    let answer = bmc::check(&task, &bmc::Config::default(), &Budget::unlimited());
    let found = match answer.confirm(&task).into_verdict() {
        Verdict::Safe(_) => false,
        Verdict::Unsafe(_) => true,
        Verdict::Unknown(reason) => panic!("{model}: {reason}\n{text}"),
    };
    let limits = Limits {
        events: 300,
        graphs: u64::MAX,
        waits: true,
        budget: Budget::unlimited(),
    };
    let all = explore(&task, &task.memory_model, &limits).expect("an answer");
    assert_eq!(found, all.error.is_some(), "{model}: {text}");
    found
}

#[test]
fn the_classics() {
    let files = std::fs::read_dir(FOLDER).expect("the programs").flatten();
    let mut count = [0, 0];
    for path in files.map(|it| it.path()) {
        if path.extension().is_none_or(|it| it != "c") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a program");
        for model in ["tso", "pso", "ra", "rc11"] {
            count[usize::from(compare(&text, model))] += 1;
        }
    }
    assert!(count[0] > 20 && count[1] > 20, "{count:?}");
}

/// Numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }

    fn statement(&mut self, thread: usize) -> String {
        let place = self.pick(&["x", "y", "y", "z"]);
        let (r, value) = (format!("r{thread}"), 1 + self.below(3));
        let load = self.pick(&["rlx", "acq", "sc"]);
        let store = self.pick(&["rlx", "rel", "sc"]);
        let any = self.pick(&["rlx", "acq", "rel", "ar", "sc"]);
        match self.below(14) {
            0..3 => format!("{r} = __atomic_load_n(&{place}, {load});"),
            3..6 => format!("__atomic_store_n(&{place}, {value}, {store});"),
            6 => format!("{r} = __atomic_fetch_add(&{place}, {}, {any});", value - 1),
            7 => format!("{r} = __atomic_exchange_n(&{place}, {value}, {any});"),
            8 => format!(
                "{{ int e{thread} = 0; s{thread} = __atomic_compare_exchange_n(&{place}, &e{thread}, {value}, 0, {any}, rlx); }}"
            ),
            9 => format!("__atomic_thread_fence({any});"),
            10 => format!("__atomic_store_n({r} ? &x : &{place}, {value}, {store});"),
            11 => {
                let inner = self.below(2);
                format!(
                    "pthread_mutex_lock(&m); d = d + {inner}; s{thread} = d; pthread_mutex_unlock(&m);"
                )
            }
            12 => format!("while (__atomic_load_n(&{place}, {load}) == {value});"),
            _ => {
                let inner = self.statement(thread);
                format!("if ({r}) {{ {inner} }}")
            }
        }
    }

    fn program(&mut self) -> String {
        let threads = 2 + self.below(2) as usize;
        let mut text = HEAD.to_owned();
        for at in 0..threads {
            let count = 2 + self.below(if threads == 2 { 3 } else { 2 });
            let body: String = (0..count).map(|_| self.statement(at)).collect();
            text += &format!("int r{at}, s{at};\nvoid *run{at}(void *p) {{ {body} return 0; }}\n");
        }
        text += "int main(void) {\n";
        for at in 0..threads {
            text += &format!("pthread_t t{at}; pthread_create(&t{at}, 0, run{at}, 0);\n");
        }
        for at in 0..threads {
            text += &format!("pthread_join(t{at}, 0);\n");
        }
        let (a, b) = (self.below(4), self.below(4));
        let what = match self.below(4) {
            0 => format!(
                "r0 == {} && {} == {b}",
                1 + a % 3,
                self.pick(&["x", "y", "z"])
            ),
            1 => format!("r0 == {a} && r1 == {b}"),
            2 => format!("r1 == {}", 1 + a % 3),
            _ => format!("r0 == {} || s1 == 2", 1 + a % 3),
        };
        text + &format!("if ({what}) reach_error();\nreturn 0; }}\n")
    }
}

#[test]
fn random_programs() {
    let wanted = std::env::var("MAZURKA_GRAPHS_PROGRAMS");
    let programs: u64 = wanted.ok().and_then(|it| it.parse().ok()).unwrap_or(40);
    let mut count = [0, 0];
    for seed in 700_000..700_000 + programs {
        let text = Random(seed).program();
        for model in ["tso", "pso", "ra", "rc11"] {
            count[usize::from(compare(&text, model))] += 1;
        }
    }
    assert!(count[0] > 10 && count[1] > 10, "{count:?}");
}

/// Very many executions, few of which matter: nothing is enumerated.
#[test]
fn many_executions() {
    let mut text = HEAD.to_owned();
    for at in 0..8 {
        let (own, other) = (at + 1, if at % 2 == 0 { "y" } else { "z" });
        text += &format!(
            "int r{at};\nvoid *run{at}(void *p) {{ __atomic_store_n(&y, {own}, rlx); r{at} = __atomic_load_n(&{other}, rlx); \
             __atomic_store_n(&z, {own}, rlx); return 0; }}\n"
        );
    }
    text += "void *run8(void *p) { d = 1; __atomic_store_n(&x, 1, rel); return 0; }\n";
    text +=
        "void *run9(void *p) { if (__atomic_load_n(&x, acq) && !d) reach_error(); return 0; }\n";
    text += "int main(void) {\n";
    for at in 0..10 {
        text += &format!("pthread_t t{at}; pthread_create(&t{at}, 0, run{at}, 0);\n");
    }
    text += "return 0; }\n";
    let task = task(&text, "rc11");
    let answer = bmc::check(&task, &bmc::Config::default(), &Budget::unlimited());
    let verdict = answer.confirm(&task).into_verdict();
    assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
}
