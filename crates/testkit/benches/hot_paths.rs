//! Times of what every check spends its time with: reading a program, building terms, stepping
//! through states, propagating orders, running executions. Instructions are counted elsewhere
//! (`cargo xtask perf`).

use criterion::Criterion;
use expr::{Op, Sort, Terms, VarId};
use std::hint::black_box;
use std::time::Duration;
use testkit::task;
use verdict::{Answer, Budget, Property, Task, Verdict};
use xcfa::SourceFile;

/// Dekker's way to keep two threads apart: no headers are needed to read it.
const PROGRAM: &str = r#"
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);
int wants[2], turn, inside;
void *worker(void *arg) {
  int me = arg != 0, other = !me;
  for (int round = 0; round < 3; round++) {
    wants[me] = 1;
    while (wants[other])
      if (turn != me) {
        wants[me] = 0;
        while (turn != me) ;
        wants[me] = 1;
      }
    inside++;
    if (inside != 1) reach_error();
    inside--;
    turn = other;
    wants[me] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, (void *)1);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
"#;

/// Two threads that meet under a lock a few times.
const LOCKED: &str = r#"
typedef unsigned long pthread_t;
typedef struct { int words[10]; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
pthread_mutex_t lock;
int counter;
void *worker(void *arg) {
  for (int round = 0; round < 2; round++) {
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (counter != 4) reach_error();
  return 0;
}
"#;

fn ready(text: &str) -> Task {
    let file = SourceFile::new("program.c", text);
    task(file, Property::Reach).expect("the program is accepted")
}

/// A bench of a check that was cut short would tell nothing.
fn safe(answer: &Answer) {
    assert!(matches!(answer.verdict, Verdict::Safe(_)));
}

fn front_end(criterion: &mut Criterion) {
    criterion.bench_function("read, lower and simplify a program", |bencher| {
        bencher.iter(|| ready(black_box(PROGRAM)));
    });
}

fn terms(criterion: &mut Criterion) {
    criterion.bench_function("build 1,000 terms twice", |bencher| {
        bencher.iter(|| {
            let mut terms = Terms::new();
            for _ in 0..2 {
                let mut sum = terms.constant(Sort::Bv(32), 0);
                for var in 0..500 {
                    let next = terms.var(VarId(var), Sort::Bv(32));
                    sum = terms.binary(Op::Add, sum, next);
                }
                black_box(sum);
            }
        });
    });
}

fn engines(criterion: &mut Criterion) {
    let (spinning, locked) = (ready(PROGRAM), ready(LOCKED));
    let budget = Budget::unlimited();
    criterion.bench_function("explore: states of Dekker's algorithm", |bencher| {
        let config = explore::Config::default();
        bencher.iter(|| {
            safe(
                &explore::check(&spinning, &config, &budget)
                    .confirm(&spinning)
                    .into_answer(),
            )
        });
    });
    criterion.bench_function("bmc: orders of a locked counter", |bencher| {
        let config = bmc::Config::default();
        bencher.iter(|| {
            safe(
                &bmc::check(&locked, &config, &budget)
                    .confirm(&locked)
                    .into_answer(),
            )
        });
    });
    criterion.bench_function("fusion: executions of a locked counter", |bencher| {
        let config = fusion::Config::default();
        bencher.iter(|| {
            safe(
                &fusion::check(&locked, &config, &budget)
                    .confirm(&locked)
                    .into_answer(),
            )
        });
    });
    criterion.bench_function("matching: states of Dekker's algorithm", |bencher| {
        let config = matching::Config::default();
        bencher.iter(|| {
            safe(
                &matching::check(&spinning, &config, &budget)
                    .confirm(&spinning)
                    .into_answer(),
            )
        });
    });
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_secs(3))
        .configure_from_args();
    front_end(&mut criterion);
    terms(&mut criterion);
    engines(&mut criterion);
    criterion.final_summary();
}
