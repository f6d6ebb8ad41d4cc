//! Random programs with inputs and arrays of unknown size: what is proved of them, neither exploration nor a
//! look at it with a few inputs refutes, with every kind of order and commutativity that `auto` tries.

use generator::Rng;
use reduce::Config;
use std::time::Duration;
use testkit::{explored, seeds};
use verdict::{Budget, Property, Verdict};
use xcfa::SourceFile;

const HEAD: &str = "typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) {}
int *a, *b;
int n, p;
int s1, s2, m1, m2;
";

/// What a round of a loop of thread `T` does with element `i`.
const ROUND: [&str; 12] = [
    "sT += a[i];",
    "sT += a[i];",
    "sT = sT + a[i] + 1;",
    "sT += b[i];",
    "sT++;",
    "if (a[i] > mT) mT = a[i];",
    "if (a[i] == b[i]) sT++; else mT++;",
    "if (a[i] == 1) break;",
    "b[i] = a[i];",
    "a[i] = mT;",
    "__VERIFIER_atomic_begin(); b[i] = a[i] + 1; p = i + 1; __VERIFIER_atomic_end();",
    "mT = a[i]; sT += mT;",
];

/// Conditions at which the rounds of a loop go on.
const WHILE: [&str; 4] = ["i < n", "i < n", "i < p", "i + 1 < n"];

/// What is claimed in the end.
const CLAIM: [&str; 8] = [
    "s1 == s2",
    "s1 == s2 && m1 == m2",
    "m1 == m2",
    "s1 <= s2",
    "s1 == n || s2 == n",
    "s1 >= s2",
    "p <= n",
    "s1 - s2 == m1 - m2",
];

fn one_of<'a>(rng: &mut Rng, texts: &[&'a str]) -> &'a str {
    texts[rng.below(texts.len())]
}

fn body(rng: &mut Rng) -> String {
    let count = 1 + rng.below(2);
    (0..count)
        .map(|_| format!(" {}", one_of(rng, &ROUND)))
        .collect()
}

fn program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut text = HEAD.to_string();
    let (first, second) = (body(&mut rng), body(&mut rng));
    // Often both threads do the same.
    let bodies = match rng.chance(60) {
        true => [first.clone(), first],
        false => [first, second],
    };
    let condition = one_of(&mut rng, &WHILE);
    for (number, body) in (1..).zip(bodies) {
        let condition = match rng.chance(80) {
            true => condition,
            false => one_of(&mut rng, &WHILE),
        };
        let body = body.replace('T', &number.to_string());
        text += &format!(
            "void *t{number}(void *x) {{ for (int i = 0; {condition}; i++) {{{body} }} return 0; }}\n"
        );
    }
    text += "int main(void) {\n  pthread_t x, y;\n  n = __VERIFIER_nondet_int(); if (n < 1 || n > 2) abort();\n";
    for array in ["a", "b"] {
        text += &format!(
            "  {array} = malloc(n * sizeof(int)); \
             for (int i = 0; i < n; i++) {array}[i] = __VERIFIER_nondet_bool() ? 1 : 2;\n"
        );
    }
    if rng.chance(50) {
        text += "  p = n;\n";
    }
    let claim = one_of(&mut rng, &CLAIM);
    text += "  pthread_create(&x, 0, t1, 0); pthread_create(&y, 0, t2, 0);\n";
    text += "  pthread_join(x, 0); pthread_join(y, 0);\n";
    text + &format!("  if (!({claim})) reach_error();\n  return 0;\n}}\n")
}

#[test]
fn arrays_and_inputs() {
    let (mut proved, mut compared) = (0, 0);
    for seed in seeds(15) {
        let text = program(seed);
        let file = SourceFile::new("arrays.i", &text);
        let task = testkit::task(file, Property::Reach).expect("a program that is accepted");
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
        let answer = reduce::check(&task, &Config::default(), &budget);
        let verdict = answer.confirm(&task).into_verdict();
        if let Verdict::Safe(_) = verdict {
            let found = explored(&task, Duration::from_secs(3)).verdict;
            assert_ne!(found.name(), "unsafe", "seed {seed}:\n{text}");
            proved += 1;
            compared += usize::from(found.name() == "safe");
        }
    }
    println!("{proved} proved, exploration was complete on {compared}");
    assert!(proved >= 3, "only {proved} proved");
}
