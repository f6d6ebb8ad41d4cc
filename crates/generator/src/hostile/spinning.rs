//! Threads whose last shared step is followed by nothing that ends: they spin, are cut off by an
//! assumption, loop for ever on their own, wait for what never comes, or use memory that is not there.
//!
//! Reductions and race checks examine threads at their next step; here there is none.

use super::{INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

struct Spinning {
    rng: Rng,
    /// Do threads only take neutral steps but for one access each, right before they stop?
    quiet: bool,
}

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let property = rng.pick(&[
        Property::Race,
        Property::Race,
        Property::Race,
        Property::Race,
        Property::Reach,
        Property::Reach,
        Property::Deadlock,
        Property::Termination,
    ]);
    let mut spinning = Spinning {
        quiet: rng.chance(50),
        rng,
    };
    (property, Oracle::Engines, spinning.source())
}

impl Spinning {
    fn source(&mut self) -> Source {
        let mut source = Source::starting(
            "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>",
        );
        source.line(INTRINSICS);
        source.line("int x, y, *nowhere;\natomic_int f, g;\npthread_mutex_t m;\npthread_cond_t c;\nsem_t s;");
        let routines = self.rng.between(1, 2);
        for at in 0..routines {
            source.line(format!("void *t{at}(void *arg)\n{{\n    int k = 0;"));
            let body = match self.quiet {
                true => self.quiet_body(),
                false => self.body(),
            };
            for step in body {
                source.line(format!("    {step}"));
            }
            source.line("    return 0;\n}");
        }
        self.main(&mut source, routines);
        source
    }

    fn body(&mut self) -> Vec<String> {
        let mut body = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            body.push(self.step().to_owned());
        }
        if self.rng.chance(75) {
            body.push(self.stop());
        }
        if self.rng.chance(20) {
            body.push(self.step().to_owned());
        }
        body
    }

    /// The access is observable only at the moment when it happens.
    fn quiet_body(&mut self) -> Vec<String> {
        let mut body = Vec::new();
        if self.rng.chance(50) {
            body.push(self.neutral().to_owned());
        }
        let access = self
            .rng
            .pick(&["x = 1;", "x = 1;", "k = x;", "x++;", "y = 1;"]);
        body.push(access.to_owned());
        body.push(self.stop());
        body
    }

    fn neutral(&mut self) -> &'static str {
        self.rng.pick(&[
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m);",
            "k = g;",
            "g++;",
            "sem_post(&s);",
            "k = 1;",
        ])
    }

    /// A shared access, or something that orders accesses.
    fn step(&mut self) -> &'static str {
        self.rng.pick(&[
            "x = 1;",
            "x = 1;",
            "x++;",
            "k = x;",
            "y = 2;",
            "y = x;",
            "f = 1;",
            "g++;",
            "k = f;",
            "pthread_mutex_lock(&m); x = 3; pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
            "pthread_mutex_lock(&m);",
            "sem_post(&s);",
            "sem_wait(&s);",
            "if (__VERIFIER_nondet_bool()) x = 2;",
            "pthread_cond_signal(&c);",
        ])
    }

    /// What a thread does not get past, always or sometimes.
    fn stop(&mut self) -> String {
        let stop = self.rng.pick(&[
            "while (1) ;",
            "for (;;) k++;",
            "for (;;) k = !k;",
            "do k = (k + 1) % 3; while (k < 5);",
            "again: goto again;",
            "while (!f) ;",
            "while (f == g) ;",
            "while (!x) ;",
            "while (atomic_load(&f) != 2) k = f;",
            "__VERIFIER_assume(0);",
            "__VERIFIER_assume(x > 5);",
            "__VERIFIER_assume(f);",
            "sem_wait(&s); sem_wait(&s);",
            "pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
            "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);",
            "*nowhere = 1;",
            "pthread_exit(0);",
            "exit(0);",
            "abort();",
            "for (int i = 0; i < 3; i++) k += i; __VERIFIER_assume(k == 0);",
        ]);
        match self.rng.below(4) {
            0 if !stop.contains("again:") => {
                let condition = self.rng.pick(&["k", "__VERIFIER_nondet_bool()", "x", "f"]);
                format!("if ({condition}) {{ {stop} }}")
            }
            _ => stop.to_owned(),
        }
    }

    fn main(&mut self, source: &mut Source, routines: usize) {
        source.line("int main(void)\n{\n    int k = 0;\n    pthread_t h[4];");
        let tokens = self.rng.below(2);
        source.line(format!("    sem_init(&s, 0, {tokens});"));
        let threads = self.rng.pick(&[2, 2, 2, 3]);
        for at in 0..threads {
            let routine = at % routines;
            source.line(format!("    pthread_create(&h[{at}], 0, t{routine}, 0);"));
            if self.rng.chance(15) {
                let step = match self.quiet {
                    true => self.neutral(),
                    false => self.step(),
                };
                source.line(format!("    {step}"));
            }
        }
        if !self.quiet && self.rng.chance(25) {
            let stop = self.stop();
            source.line(format!("    {stop}"));
        }
        for at in 0..threads {
            if self.rng.chance(60) {
                source.line(format!("    pthread_join(h[{at}], 0);"));
            }
        }
        if self.quiet {
            source.line("    return k;\n}");
            return;
        }
        let step = self.step();
        source.line(format!("    {step}"));
        let condition = self.rng.pick(&["x == 1", "x + y == 3", "f == g", "y"]);
        source.line(format!(
            "    if ({condition}) reach_error();\n    return k;\n}}"
        ));
    }
}
