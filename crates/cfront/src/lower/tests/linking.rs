//! Several files as one program: what `ld` joins, what it calls an error, and what we refuse besides.

use super::{LowerOptions, Text, compile};
use xcfa::{DataModel, SourceFile};

/// The statements of `main` as the automaton has them, or what is said instead.
fn linked(files: &[&str]) -> String {
    let named = files.iter().enumerate();
    let files = named
        .map(|(at, text)| SourceFile::new(format!("{at}.c"), *text))
        .collect();
    match compile(&Text::new(files, DataModel::Lp64), &LowerOptions::default()) {
        Ok(xcfa) => {
            let dump = xcfa.dump();
            let main = dump
                .split("\n\n")
                .find(|part| part.starts_with("proc main"));
            let mut lines: Vec<String> = main.unwrap_or("").lines().skip(1).map(step).collect();
            lines.extend(
                xcfa.assumptions
                    .iter()
                    .map(|line| format!("assumed: {line}")),
            );
            lines.join("; ")
        }
        Err(failure) => {
            let place = failure.sources.place(failure.error.span);
            format!("{}:{}: {}", place.file, place.line, failure.error)
        }
    }
}

/// An edge without its locations and without the numbers of temporaries.
fn step(line: &str) -> String {
    let label = line.split_once(": ").map_or("", |(_, label)| label);
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for word in label.split_inclusive(|c| !is_name(c)) {
        let digits = word
            .strip_prefix('t')
            .map(|rest| rest.trim_end_matches(|c| !is_name(c)));
        match digits {
            Some(number) if !number.is_empty() && number.parse::<u32>().is_ok() => {
                out += "t";
                out += &word[1 + number.len()..];
            }
            _ => out += word,
        }
    }
    out
}

#[test]
fn two_definitions_are_an_error() {
    let main = "int f(void) { return 1; } int main(void) { return f(); }";
    let text = "0.c:1: multiple definition of `f`: it is defined in 0.c:1 as well";
    assert_eq!(
        linked(&[main, "int f(void) { return 2; }"]),
        text.replacen('0', "1", 1)
    );
    let text = "1.c:1: multiple definition of `x`: it is defined in 0.c:1 as well";
    assert_eq!(
        linked(&["int x; int main(void) { return x; }", "int x;"]),
        text
    );
    assert_eq!(
        linked(&["int x = 1; int main(void) { return x; }", "int x = 2;"]),
        text
    );
    assert!(
        !linked(&["int x; int main(void) { return x; }", "static int x;"]).contains("multiple")
    );
    let common = "__attribute__((common)) int x;";
    assert!(!linked(&[common, common, "int x; int main(void) { return x; }"]).contains("multiple"));
}

#[test]
fn a_strong_definition_goes_before_weak_ones() {
    let main = "int one(void), two(void); __attribute__((weak)) int f(void) { return one(); }
        int main(void) { return f(); }";
    let strong = "extern int y; int f(void) { y = 1; return 2; }";
    let dump = |files: &[&str]| {
        let files = files
            .iter()
            .map(|text| SourceFile::new("t.c", *text))
            .collect();
        compile(&Text::new(files, DataModel::Lp64), &LowerOptions::default())
            .map(|xcfa| xcfa.dump())
    };
    for files in [[main, strong], [strong, main]] {
        assert!(dump(&files).is_ok_and(|dump| dump.contains("y := 1")));
    }
    let weak = "__attribute__((weak)) int f(void) { extern int y; y = 1; return 2; }";
    assert!(dump(&[main, weak]).is_ok_and(|dump| !dump.contains("y := 1")));
    assert!(dump(&[weak, main]).is_ok_and(|dump| dump.contains("y := 1")));
}

#[test]
fn weak_uses_of_what_nobody_defines() {
    let weak = "__attribute__((weak)) int f(void); int main(void) { return f ? 1 : 2; }";
    assert_eq!(linked(&[weak]), "result := 2");
    let user = "int f(void); int g(void) { return f(); }";
    assert_eq!(linked(&[weak, "int f(void);"]), "result := 2");
    assert!(linked(&[weak, user]).contains("(&f == 0)"));
    assert!(linked(&[weak, "int f(void) { return 0; }"]).contains("(&f == 0)"));
}

#[test]
fn inline_definitions_serve_their_own_file() {
    let main = "inline int f(void) { return 1; } int g(void); int main(void) { return f() + g(); }";
    let user = "inline int f(void) { return 2; } int g(void) { return f(); }";
    assert_eq!(
        linked(&[main, user]),
        "t := call f(); t := call g(); result := (t + t)"
    );
    let same = "int g(void) { return 0; } int f(void) { return  1; }";
    assert_eq!(
        linked(&[main, same]),
        "t := call f(); t := call g(); result := (t + t)"
    );
    let other = "int g(void) { return 0; } int f(void) { return 2; }";
    let what = "0.c:1: `f` has an inline definition here that differs from its definition in another file: which one is called is unspecified";
    assert_eq!(linked(&[main, other]), what);
    let external = "extern inline int f(void) { return 2; }";
    assert_eq!(
        linked(&["int main(void) { return 0; }", external, external])
            .split(':')
            .nth(2),
        Some(" multiple definition of `f`")
    );
}

#[test]
fn files_that_disagree_about_a_type() {
    let object = "extern long x; int main(void) { return x; }";
    assert_eq!(
        linked(&[object, "int x;"]),
        "0.c:1: `x` has another type in 1.c:1"
    );
    let function = "int f(long); int main(void) { return f(1); }";
    let what = "0.c:1: `f` has another type in the file that defines it";
    assert_eq!(linked(&[function, "int f(int x) { return x; }"]), what);
    assert_eq!(
        linked(&[
            "int f(); int main(void) { return f(1); }",
            "int f(int x) { return x; }"
        ]),
        "t := call f(1); result := t"
    );
    let record = "struct s { int a; char b; }; extern struct s x; int main(void) { return x.a; }";
    assert_eq!(
        linked(&[record, "struct other { int c; char d; } x;"]),
        "t := *&x; result := t"
    );
    assert_eq!(
        linked(&[record, "struct s { char b; int a; } x;"]),
        "0.c:1: `x` has another type in 1.c:1"
    );
    assert_eq!(
        linked(&[
            "extern __thread int x; int main(void) { return x; }",
            "int x;"
        ]),
        "0.c:1: `x` has another type in 1.c:1"
    );
}

#[test]
fn an_alias_is_the_definition_in_its_file() {
    let main =
        "__attribute__((weak)) int f(void) { return 1; } int g(void) __attribute__((alias(\"f\")));
        int main(void) { return f() + g(); }";
    let strong = "int f(void) { return 2; }";
    let files = [main, strong]
        .map(|text| SourceFile::new("t.c", text))
        .to_vec();
    let dump = compile(&Text::new(files, DataModel::Lp64), &LowerOptions::default())
        .map(|xcfa| xcfa.dump());
    let dump = dump.unwrap_or_default();
    assert!(
        dump.contains("result := 1") && dump.contains("result := 2"),
        "{dump}"
    );
    let nothing = "int g(void) __attribute__((alias(\"f\"))); int main(void) { return g(); }";
    assert_eq!(
        linked(&[nothing]),
        "0.c:1: an alias of `f`, which is no function that this file defines"
    );
}

#[test]
fn what_is_refused() {
    let runs = |text: &str| linked(&[text]);
    assert_eq!(
        runs("__attribute__((constructor)) void c(int n) { } int main(void) { return 0; }"),
        "0.c:1: a constructor or destructor with parameters"
    );
    assert_eq!(
        runs("asm(\"f: ret\"); int main(void) { return 0; }"),
        "0.c:1: `asm` outside of functions"
    );
    assert_eq!(
        runs("int main(void) { int x; asm(\"incl %0\" : \"+m\"(x)); }"),
        "0.c:1: `asm` that sets memory"
    );
    assert_eq!(
        runs("int main(void) { int x; asm(\"movl $0, (%0)\" :: \"r\"(&x)); }"),
        "0.c:1: `asm` that is given an address"
    );
    assert_eq!(
        runs("int main(void) { asm(\"incl x\" ::: \"memory\"); }"),
        "0.c:1: `asm` that changes memory"
    );
    assert_eq!(
        runs("int f(void) __attribute__((naked)); int main(void) { return f(); }"),
        "0.c:1: attribute `naked`"
    );
    assert_eq!(
        runs("int f(void) __attribute__((naked)); int main(void) { return 0; }"),
        "result := 0"
    );
    assert_eq!(
        runs("#pragma scalar_storage_order big-endian\nint main(void) { return 0; }"),
        "0.c:1: `#pragma scalar_storage_order`"
    );
}

#[test]
fn what_a_verdict_names() {
    let run = |text: &str| linked(&[text]);
    let orders = crate::WEAK_ORDERS;
    for text in [
        "int x; int main(void) { __atomic_store_n(&x, 1, 0); }",
        "int x; int main(void) { return __atomic_load_n(&x, 2); }",
        "int x, o; int main(void) { return __atomic_fetch_add(&x, 1, o); }",
        "int x, e; int main(void) { return __atomic_compare_exchange_n(&x, &e, 1, 0, 5, 0); }",
        "int main(void) { __atomic_thread_fence(4); }",
        "int x; int main(void) { __sync_lock_release(&x); }",
    ] {
        assert!(run(text).contains(orders), "{text}");
    }
    for text in [
        "int x; int main(void) { __atomic_store_n(&x, 1, 5); }",
        "int x, e; int main(void) { return __atomic_compare_exchange_n(&x, &e, 1, 0, 5, 5); }",
        "int x; int main(void) { return __sync_fetch_and_add(&x, 1); }",
        "int x; void f(void) { __atomic_store_n(&x, 1, 0); } int main(void) { return x; }",
    ] {
        assert!(!run(text).contains("assumed"), "{text}");
    }
    let quiet = run("int main(void) { asm volatile(\"mfence\" ::: \"memory\"); return 0; }");
    assert_eq!(quiet, "result := 0");
    let asm = run("int main(void) { asm volatile(\"cli\"); return 0; }");
    assert_eq!(
        asm,
        "result := 0; assumed: inline assembly is assumed to change nothing"
    );
}
