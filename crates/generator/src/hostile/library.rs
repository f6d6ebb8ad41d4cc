//! Calls of the C library: what they write, read, return and call back.
//!
//! What a call does is learnt from a compiled run, in programs with one execution. That a call reads
//! or writes a buffer is known, so it is known whether it races with another thread's access, and
//! whether it is valid on a buffer that is too short, freed or null.

use super::library_calls::{CALLS, READERS, WRITERS};
use super::library_threads::{keys, mutexes};
use super::{GIVEN, INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

pub const HEADERS: &str = "\
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>";

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let values = |source| (Property::Reach, Oracle::Values, source);
    match rng.below(10) {
        0..4 => values(strings(&mut rng)),
        4 | 5 => values(mutexes(&mut rng)),
        6 => values(keys(&mut rng)),
        7 | 8 => race(&mut rng),
        _ => memory(&mut rng),
    }
}

pub fn beginning() -> Source {
    let mut source = Source::starting(HEADERS);
    source.line(INTRINSICS);
    source.line(GIVEN);
    source
}

/// A string of a few letters that mean something to some function.
fn word(rng: &mut Rng) -> String {
    let letters = ['a', 'b', 'c', 'A', ' ', ',', '1', '2', '-', '0', 'x'];
    (0..rng.below(7)).map(|_| rng.pick(&letters)).collect()
}

/// Calls on two buffers, with their results and what the buffers hold then.
fn strings(rng: &mut Rng) -> Source {
    let mut source = beginning();
    source.line("char a[24], b[24], *p, *q;\nlong n;");
    source.line("static long sum(void)\n{\n    long s = 0;\n    for (int i = 0; i < 24; i++) s = s * 3 + a[i] + 2 * b[i];\n    return s;\n}");
    source.line("static int sign(long v)\n{\n    return (v > 0) - (v < 0);\n}");
    source.line("static int up(const void *l, const void *r)\n{\n    return *(const char *)l - *(const char *)r;\n}");
    source.line("int main(void)\n{");
    source.line(format!(
        "    strcpy(a, \"{}\");\n    strcpy(b, \"{}\");",
        word(rng),
        word(rng)
    ));
    for _ in 0..rng.between(1, 3) {
        let call = rng.pick(CALLS);
        let call = call.replace("NUM", &rng.below(6).to_string());
        let letter = rng.pick(&["'a'", "'b'", "','", "'1'", "0", "input('c')"]);
        source.line(format!(
            "    {}\n    check(sum());",
            call.replace("CHR", letter)
        ));
    }
    source.line("    check(sum());\n    return 0;\n}");
    source
}

/// One thread passes a buffer to the library while another one writes it, or not.
fn race(rng: &mut Rng) -> Made {
    let mut source = beginning();
    source.line("char a[8] = \"abc\", b[8] = \"xyz\";\nint n;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;");
    let reads = rng.chance(70);
    let call = rng.pick(if reads { READERS } else { WRITERS });
    let locked = rng.chance(25);
    let guarded = |text: &str| match locked {
        true => format!("pthread_mutex_lock(&m); {text} pthread_mutex_unlock(&m);"),
        false => text.to_owned(),
    };
    source.line(format!(
        "void *t(void *arg)\n{{\n    {}\n    return 0;\n}}",
        guarded(call)
    ));
    source.line("int main(void)\n{\n    pthread_t h;\n    pthread_create(&h, 0, t, 0);");
    let early = rng.chance(60);
    let touches = rng.chance(75);
    let access = match (touches, reads) {
        (false, _) => "n = 1;",
        (true, true) => rng.pick(&["a[0] = 'x';", "a[1] = 'y';", "strcpy(a, \"b\");"]),
        (true, false) => rng.pick(&["a[0] = 'x';", "n = a[0];", "n = a[0] == 'a';"]),
    };
    let access = match rng.chance(20) {
        true => format!("if (__VERIFIER_nondet_bool()) {{ {access} }}"),
        false => access.to_owned(),
    };
    let access = guarded(&access);
    match early {
        true => source.line(format!("    {access}\n    pthread_join(h, 0);")),
        false => source.line(format!("    pthread_join(h, 0);\n    {access}")),
    }
    source.line("    return 0;\n}");
    let safe = locked || !early || !touches;
    (Property::Race, Oracle::Known(safe), source)
}

/// Calls that may stop at the first byte.
const FRUGAL: &[&str] = &["strcmp", "memcmp", "strto", "strspn", "fputc"];

/// A buffer that is fine, or freed, null or too short.
fn memory(rng: &mut Rng) -> Made {
    let mut source = beginning();
    let reads = rng.chance(60);
    let call = rng.pick(if reads { READERS } else { WRITERS });
    source.line("char b[8] = \"xyz\";\nint main(void)\n{\n    char *a = calloc(8, 1);\n    strcpy(a, \"abc\");");
    let (before, after, safe) = match rng.below(5) {
        0 => ("free(a);", "", false),
        1 => ("free(a); a = 0;", "", false),
        // Some calls are content with one byte that ends what they look for.
        2 if !FRUGAL.iter().any(|name| call.contains(name)) => {
            ("free(a); a = malloc(1); a[0] = 'z';", "free(a);", false)
        }
        _ => ("", "free(a);", true),
    };
    source.line(format!(
        "    {before}\n    {call}\n    {after}\n    return 0;\n}}"
    ));
    (Property::MEMSAFETY, Oracle::Known(safe), source)
}
