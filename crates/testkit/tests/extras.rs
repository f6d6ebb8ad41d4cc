//! Programs with each of the extras are C for a compiler and for our own front end, and show what
//! they are asked for.

use generator::{Extra, Profile, generate, shrink};
use std::fs;
use std::process::Command;
use testkit::task;
use verdict::Property;
use xcfa::SourceFile;

const SEEDS: u64 = 60;

fn with(extra: Extra) -> Profile {
    Profile {
        extras: vec![extra],
        ..Profile::standard()
    }
}

/// Something that only this extra makes.
fn sign_of(extra: Extra) -> &'static str {
    match extra {
        Extra::SignedArithmetic => "++;",
        Extra::Division => "& 3) + 1)",
        Extra::UndefinedDivision => " / l",
        Extra::WideIntegers => "long long g",
        Extra::Semaphores => "sem_trywait(",
        Extra::Barrier => "pthread_barrier_wait(",
        Extra::RwLock => "pthread_rwlock_tryrdlock(",
        Extra::SpinLock => "pthread_spin_lock(",
        Extra::RecursiveMutex => "pthread_mutexattr_settype(",
        Extra::Once => "pthread_once(",
        Extra::Keys => "pthread_getspecific(",
        Extra::Crew => "pthread_create(&crew[i0]",
        Extra::StartTable => "starts[",
        Extra::FunctionPointer => "fp(&g0",
        Extra::Endings => "pthread_exit(",
        Extra::Jumps => "goto again",
        Extra::Atomics => "__atomic_compare_exchange(",
        Extra::Inputs => "__VERIFIER_nondet_ushort(",
        Extra::List => "free(n)",
        Extra::Standstill => ") while (1) ;",
        Extra::Sizes => "malloc((n + 1) * sizeof(int))",
        Extra::Frame => "*q = &v0",
        Extra::Nested => "\npthread_t t1;",
        Extra::Watcher => "if (done0 != 1) return 0;",
    }
}

#[test]
fn they_are_used_and_accepted() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-w", "-fsyntax-only", "-Werror=implicit"]);
    for extra in Extra::ALL {
        let mut used = false;
        for seed in 0..SEEDS {
            let text = generate(seed, &with(extra)).to_string();
            used |= text.contains(sign_of(extra));
            let file = SourceFile::new("random.i", text.clone());
            if let Err(why) = task(file, Property::Reach) {
                panic!("{extra:?}, seed {seed}: {why}\n{text}");
            }
            let path = dir.path().join(format!("{extra:?}_{seed}.c"));
            fs::write(&path, text).expect("a writable folder");
            compiler.arg(path);
        }
        assert!(used, "no program of {SEEDS} has `{}`", sign_of(extra));
    }
    let output = compiler.output().expect("a C compiler named cc");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
}

/// The shrinker keeps what matters and throws the rest away, whichever extra it is about.
#[test]
fn they_shrink() {
    let accepted = |text: &str| task(SourceFile::new("random.i", text), Property::Reach).is_ok();
    for extra in Extra::ALL {
        let sign = sign_of(extra);
        let mut programs = (0..SEEDS).map(|seed| generate(seed, &with(extra)));
        let program = programs.find(|program| program.to_string().contains(sign));
        let program = program.expect("the other test says so");
        let small = shrink(&program, &mut |smaller| {
            let text = smaller.to_string();
            text.contains(sign) && accepted(&text)
        });
        let text = small.to_string();
        assert!(text.contains(sign) && accepted(&text), "{text}");
        let code = text.lines().filter(|line| !line.starts_with("extern"));
        assert!(code.count() <= 30, "{extra:?} is not small:\n{text}");
    }
}
