//! Random programs are the same for the same seed, are C, and shrink.

use generator::{Profile, Program, Stmt, generate, shrink};
use std::fs;
use std::process::Command;

fn profiles() -> [Profile; 4] {
    [
        Profile::standard(),
        Profile::blocking(),
        Profile::with_inputs(),
        Profile::sequential(),
    ]
}

#[test]
fn a_seed_determines_the_text() {
    for profile in profiles() {
        let text = |seed| generate(seed, &profile).to_string();
        assert_eq!(text(3), text(3));
        assert_ne!(text(3), text(4));
    }
}

/// One call of the compiler for all programs: starting it costs more than reading one.
#[test]
fn a_compiler_accepts_them() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new("cc");
    command.args([
        "-std=gnu11",
        "-fsyntax-only",
        "-Werror=implicit",
        "-Werror=int-conversion",
    ]);
    for (number, profile) in profiles().iter().enumerate() {
        for seed in 0..40 {
            let path = dir.path().join(format!("profile{number}_seed{seed}.c"));
            fs::write(&path, generate(seed, profile).to_string()).expect("a writable folder");
            command.arg(path);
        }
    }
    let output = command.output().expect("a C compiler named cc");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
}

#[test]
fn all_features_occur() {
    let mut text = String::new();
    for profile in profiles() {
        (0..200).for_each(|seed| text.push_str(&generate(seed, &profile).to_string()));
    }
    for feature in [
        "pthread_mutex_trylock",
        "pthread_cond_wait",
        "pthread_cond_broadcast",
        "__VERIFIER_atomic_begin",
        "__atomic_compare_exchange_n",
        "__sync_fetch_and_add",
        "_Atomic",
        "_Thread_local",
        "malloc",
        "table[",
        "switch",
        "for (i1",
        "(unsigned char *)&g",
        "__VERIFIER_nondet_bool",
        "__VERIFIER_assume",
    ] {
        assert!(text.contains(feature), "no random program uses {feature}");
    }
}

fn locks_and_updates(program: &Program) -> bool {
    let text = program.to_string();
    text.contains("pthread_mutex_lock") && text.contains("+=")
}

#[test]
fn shrinks_to_what_matters() {
    let profile = Profile::standard();
    let seed = (0..).find(|&seed| locks_and_updates(&generate(seed, &profile)));
    let program = generate(seed.expect("some program locks and adds"), &profile);
    let small = shrink(&program, &mut locks_and_updates);
    let statements: Vec<&Stmt> = small
        .routines
        .iter()
        .chain(&small.helpers)
        .flat_map(|function| &function.body)
        .chain(&small.main)
        .chain(&small.after)
        .collect();
    assert!(locks_and_updates(&small));
    assert!(statements.len() <= 2, "{small}");
    assert!(small.starts.len() <= 2, "{small}");
}
