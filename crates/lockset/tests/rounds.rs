//! Random programs whose `main` makes, copies and destroys locks between rounds of threads, which find
//! them through pointers: what is proved of them, exploration does not refute.

use generator::Rng;
use std::time::Duration;
use testkit::{agrees, explored, seeds};
use verdict::{Budget, Property, Verdict};
use xcfa::SourceFile;

const HEAD: &str = "typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t *g0, *g1;
static int shared, other;
static pthread_mutex_t *make(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_init(m, 0);
  return m;
}
";

/// What threads do under the lock.
const WORK: [&str; 4] = ["shared++", "shared++", "other++", "shared = 1"];

/// What threads do afterwards.
const EXTRA: [&str; 6] = ["", "", "", "", "g0 = g1;", "pthread_mutex_destroy(g1);"];

/// What `main` does between starts and joins, with the number of a lock and that of the other.
const BETWEEN: [&str; 10] = [
    "A = make();",
    "A = make();",
    "A = B;",
    "pthread_mutex_destroy(A);",
    "pthread_mutex_destroy(A); free(A); A = make();",
    "pthread_mutex_init(A, 0);",
    "if (__VERIFIER_nondet_int()) A = make();",
    "if (__VERIFIER_nondet_int()) { pthread_mutex_destroy(A); }",
    "pthread_mutex_lock(A); shared++; pthread_mutex_unlock(A);",
    "*A = *B;",
];

fn one_of(rng: &mut Rng, texts: &[&str]) -> String {
    texts[rng.below(texts.len())].to_string()
}

fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = HEAD.to_string();
    for kind in 0..2 {
        let lock = rng.below(2);
        let (work, extra) = (one_of(&mut rng, &WORK), one_of(&mut rng, &EXTRA));
        text += &format!(
            "static void *k{kind}(void *a) {{ pthread_mutex_lock(g{lock}); {work}; \
             pthread_mutex_unlock(g{lock}); {extra} return 0; }}\n"
        );
    }
    text += "int main(void) {\n  pthread_t t0, t1, t2, t3;\n  g0 = make(); g1 = make();\n";
    let (mut running, mut started) = (Vec::new(), 0);
    for _ in 0..4 + rng.below(8) {
        let choice = rng.below(10);
        if choice < 4 && started < 4 {
            let kind = rng.below(2);
            text += &format!("  pthread_create(&t{started}, 0, k{kind}, 0);\n");
            running.push(started);
            started += 1;
        } else if choice < 7 && !running.is_empty() {
            let count = match rng.below(4) {
                0 => 1,
                _ => running.len(),
            };
            for thread in running.drain(..count) {
                text += &format!("  pthread_join(t{thread}, 0);\n");
            }
        } else {
            let names = [["g0", "g1"], ["g1", "g0"]][rng.below(2)];
            let step = one_of(&mut rng, &BETWEEN);
            text += &format!("  {}\n", step.replace('A', names[0]).replace('B', names[1]));
        }
    }
    text + "  return 0;\n}\n"
}

#[test]
fn rounds() {
    let mut proved = 0;
    for seed in seeds(30) {
        let text = program(seed);
        let file = SourceFile::new("rounds.i", &text);
        let Ok(task) = testkit::task(file, Property::Race) else {
            continue;
        };
        let answer = lockset::check(&task, &Budget::unlimited());
        let verdict = answer.confirm(&task).into_verdict();
        if matches!(verdict, Verdict::Safe(_)) {
            let found = explored(&task, Duration::from_secs(2)).verdict;
            agrees(&found, &verdict).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
            proved += 1;
        }
    }
    assert!(proved >= 5, "only {proved} proved");
}
