//! Objects that are constant, too small, or dead.
//!
//! Memory safety only. Each access is known to be valid or not; mostly one that is not is the last.

use super::{INTRINSICS, Made, Oracle, Source};
use crate::Rng;
use semantics::Property;

/// A way to go wrong: what is declared, and statements that are invalid and valid, in which `I` is a
/// number that fits and `O` one that does not.
struct Mistake {
    globals: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const fn mistake(globals: &'static str, wrong: &'static str, right: &'static str) -> Mistake {
    Mistake {
        globals,
        wrong,
        right,
    }
}

const MISTAKES: &[Mistake] = &[
    mistake(
        "const int con = 5;",
        "*(int *)&con = 1;",
        "sink = *(int *)&con;",
    ),
    mistake(
        "const int con[3] = {1, 2, 3};",
        "((int *)con)[I] = 1;",
        "sink = ((int *)con)[I];",
    ),
    mistake(
        "struct rec { int a; int b; }; const struct rec con = {1, 2};",
        "((struct rec *)&con)->b = I;",
        "{ struct rec r = con; r.b = I; sink = r.b; }",
    ),
    mistake(
        "",
        "{ static const int k = 3; *(int *)&k = 4; }",
        "{ static int k = 3; *(int *)&k = 4; }",
    ),
    mistake("char *text = \"abc\";", "text[I] = 'x';", "sink = text[I];"),
    mistake(
        "",
        "{ char *s = \"abc\"; s[I] = 'x'; }",
        "{ char s[] = \"abc\"; s[I] = 'x'; }",
    ),
    mistake(
        "",
        "{ char *s = (char *)\"abc\"; memset(s, 0, 1); }",
        "{ char s[4] = \"abc\"; memset(s, 0, 4); }",
    ),
    mistake(
        "",
        "{ int *p; { p = (int[]){1, 2, 3}; } p[I] = 3; }",
        "{ int *p = (int[]){1, 2, 3}; p[I] = 3; }",
    ),
    mistake(
        "int *keep;",
        "{ keep = &(int){I}; } *keep = 2;",
        "{ keep = &(int){I}; *keep = 2; }",
    ),
    mistake(
        "",
        "{ int *p = 0; for (int i = 0; i < 2; i++) { int v = i; if (p) *p = 1; p = &v; } }",
        "{ int *p = 0; for (int i = 0; i < 2; i++) { int v = i; p = &v; if (p) *p = 1; } }",
    ),
    mistake(
        "",
        "{ int *p = 0; int i = 0; while (i < 2) { int v[3]; v[I] = i++; if (p) sink = *p; p = &v[I]; } }",
        "{ int *p = 0; int i = 0; while (i < 2) { static int v[3]; v[I] = i++; if (p) sink = *p; p = &v[I]; } }",
    ),
    mistake(
        "",
        "{ int *p; { int v = 1; p = &v; } sink = *p; }",
        "{ int *p; int v = 1; { p = &v; } sink = *p; }",
    ),
    mistake(
        "int *leak(int k) { int v = k; int *p = &v; return p; }",
        "{ int *p = leak(I); *p = 1; }",
        "{ int *p = leak(I); (void)p; }",
    ),
    mistake(
        "",
        "{ struct { int a[3]; int b; } s; s.a[O] = 1; }",
        "{ struct { int a[3]; int b; } s; s.a[I] = 1; }",
    ),
    mistake(
        "struct pack { char c[3]; char d[3]; } pack;",
        "{ int i = O; pack.c[i] = 1; }",
        "{ int i = I; pack.c[i] = 1; }",
    ),
    mistake(
        "int grid[2][3];",
        "{ int j = O; grid[0][j] = 1; }",
        "{ int j = I; grid[1][j] = 1; }",
    ),
    mistake(
        "",
        "{ int v[3]; int *p = v + O; *p = 1; }",
        "{ int v[3]; int *p = v + I; *p = 1; }",
    ),
    mistake(
        "",
        "{ int *p = malloc(12); p[O] = 1; free(p); }",
        "{ int *p = malloc(12); p[I] = 1; free(p); }",
    ),
    mistake(
        "",
        "{ int *p = malloc(12); free(p); int *q = malloc(12); p[I] = 1; free(q); }",
        "{ int *p = malloc(12); free(p); int *q = malloc(12); q[I] = 1; free(q); }",
    ),
    mistake(
        "",
        "{ int *p = malloc(12), *q = p; p = realloc(p, 24); sink = q[I]; free(p); }",
        "{ int *p = calloc(3, 4), *q = p; p = realloc(p, 24); q = p; sink = q[I]; free(p); }",
    ),
    mistake(
        "",
        "{ int *p = malloc(12); free(p + 1); }",
        "{ int *p = malloc(12); free(p + 1 - 1); }",
    ),
    mistake(
        "",
        "{ int *p = malloc(12), *q = p; free(p); free(q); }",
        "{ int *p = malloc(12), *q = malloc(12); free(p); free(q); }",
    ),
    mistake("", "{ int v; free(&v); }", "{ free(0); }"),
    mistake(
        "",
        "{ int *p = malloc(12); p = 0; }",
        "{ int *p = malloc(12); free(p); p = 0; }",
    ),
    mistake("int *null;", "sink = *null;", "sink = !null;"),
    mistake(
        "",
        "{ char b[3]; strcpy(b, \"abc\"); }",
        "{ char b[4]; strcpy(b, \"abc\"); }",
    ),
    mistake(
        "",
        "{ char b[3] = {1, 1, 1}; sink = strlen(b); }",
        "{ char b[3] = {1, 1}; sink = strlen(b); }",
    ),
    mistake(
        "",
        "{ int v[3] = {0}; memcpy(v, v + 1, 12); }",
        "{ int v[3] = {0}; memmove(v, v + 1, 8); }",
    ),
    mistake(
        "",
        "{ struct pair { int a, b; } *p = malloc(sizeof(int)); p->b = 1; free(p); }",
        "{ struct pair { int a, b; } *p = malloc(sizeof *p); p->b = 1; free(p); }",
    ),
    mistake(
        "union both { int n; char c[4]; } both;",
        "{ int i = 1 + I; both.c[3 + i] = 1; }",
        "both.c[I + 1] = 1;",
    ),
    mistake(
        "int *escaped; void *stack(void *a) { int v = 1; escaped = &v; return 0; }",
        "{ pthread_t h; pthread_create(&h, 0, stack, 0); pthread_join(h, 0); *escaped = 1; }",
        "{ pthread_t h; pthread_create(&h, 0, stack, 0); pthread_join(h, 0); sink = escaped != 0; }",
    ),
    mistake(
        "_Thread_local int mine; int *theirs; void *own(void *a) { theirs = &mine; return 0; }",
        "{ pthread_t h; pthread_create(&h, 0, own, 0); pthread_join(h, 0); *theirs = 1; }",
        "{ pthread_t h; pthread_create(&h, 0, own, 0); pthread_join(h, 0); mine = 1; }",
    ),
];

/// A random program of this class.
pub fn program(mut rng: Rng) -> Made {
    let mut source =
        Source::starting("#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>");
    source.line(INTRINSICS);
    source.line("int sink;");
    let mut chosen: Vec<&Mistake> = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let mistake = &MISTAKES[rng.below(MISTAKES.len())];
        let known = chosen
            .iter()
            .any(|other| clash(other.globals, mistake.globals));
        if !known {
            chosen.push(mistake);
        }
    }
    let wrong = rng.chance(60);
    let last = chosen.len() - 1;
    for (at, mistake) in chosen.iter().enumerate() {
        match at == last {
            true => source.line(mistake.globals),
            false => source.spare(mistake.globals),
        }
    }
    source.line("int main(void)\n{");
    let mut reachable = true;
    for (at, mistake) in chosen.iter().enumerate() {
        match at == last && wrong {
            true => {
                let text = numbered(mistake.wrong, &mut rng);
                let (text, happens) = placed(&text, true, &mut rng);
                reachable = happens;
                source.line(format!("    {text}"));
            }
            false => {
                let text = numbered(mistake.right, &mut rng);
                let (text, _) = placed(&text, false, &mut rng);
                match at == last {
                    true => source.line(format!("    {text}")),
                    // What is declared for it goes with it, or stays unused.
                    false => source.spare(format!("    {text}")),
                }
            }
        }
    }
    source.line("    return 0;\n}");
    (
        Property::MEMSAFETY,
        Oracle::Known(!wrong || !reachable),
        source,
    )
}

/// Do both declare the same name?
fn clash(one: &str, other: &str) -> bool {
    !one.is_empty() && (one == other || one.contains(" con") && other.contains(" con"))
}

/// With numbers in the place of `I` and `O`: constants, or inputs.
fn numbered(text: &str, rng: &mut Rng) -> String {
    let fits = rng.pick(&[
        "0",
        "1",
        "2",
        "__VERIFIER_nondet_bool()",
        "(__VERIFIER_nondet_uint() % 3)",
    ]);
    let misses = rng.pick(&[
        "3",
        "3",
        "4",
        "-1",
        "(3 + __VERIFIER_nondet_bool())",
        "(2 + __VERIFIER_nondet_bool())",
    ]);
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '"';
    let mut out = String::new();
    let letters: Vec<char> = text.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let alone = !is_word(*letters.get(at + 1).unwrap_or(&' '))
            && (at == 0 || !is_word(letters[at - 1]));
        match letter {
            'I' if alone => out += fits,
            'O' if alone => out += misses,
            _ => out.push(*letter),
        }
    }
    out
}

/// Under a condition, and whether it can happen at all.
fn placed(text: &str, wrong: bool, rng: &mut Rng) -> (String, bool) {
    match rng.below(6) {
        0 => (format!("if (__VERIFIER_nondet_bool()) {{ {text} }}"), true),
        1 if wrong => (
            format!("if (__VERIFIER_nondet_int() == 12345) {{ {text} }}"),
            true,
        ),
        2 if wrong => (format!("if (sink > 100) {{ {text} }}"), false),
        3 => (format!("for (int k = 0; k < 1; k++) {{ {text} }}"), true),
        _ => (text.to_owned(), true),
    }
}
