//! Random sequential programs compute what a C compiler says they compute.
//!
//! A program without threads and inputs has one execution. It is compiled and run, and its final
//! values become assertions: with them the program must be safe, and with one of them denied unsafe.

use generator::{BinaryOp, Expr, Field, Lvalue, Profile, Program, Stmt, generate};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testkit::check;
use verdict::{Preparation, Property};
use xcfa::SourceFile;

const PROGRAMS: u64 = 60;
const TIMEOUT: Duration = Duration::from_secs(20);

/// Everything whose final value is looked at.
fn places(program: &Program) -> Vec<Lvalue> {
    let mut places: Vec<_> = (0..program.globals.len()).map(Lvalue::Global).collect();
    for (at, array) in program.arrays.iter().enumerate() {
        let indices = 0..array.init.len() as i64;
        places.extend(indices.map(|index| Lvalue::Element(at, Expr::Const(index).into())));
    }
    for at in 0..program.records.len() {
        let fields = [Field::Char, Field::Number, Field::Low, Field::High];
        places.extend(fields.map(|field| Lvalue::Member(at, field)));
    }
    places.extend((0..program.pointers.len()).map(Lvalue::Deref));
    places
}

/// The final values by running the program natively; `None` if it reports an error.
fn run(program: &Program, places: &[Lvalue], folder: &Path) -> Option<Vec<i64>> {
    let mut reading = program.clone();
    let read = |place: &Lvalue| Stmt::Assign(Lvalue::Local(0), Expr::Read(place.clone()));
    reading.after = places.iter().map(read).collect();
    // No headers: the program declares the types of the C library itself.
    let mut text = String::from("int printf(const char *, ...);\nvoid exit(int);\n");
    let body = reading.to_string();
    let lines: Vec<&str> = body.lines().collect();
    let tail = lines.len() - places.len() - 2;
    for (at, line) in lines.iter().enumerate() {
        let read = line.strip_prefix("  l0 = ").filter(|_| at >= tail);
        match read.and_then(|read| read.strip_suffix(';')) {
            Some(place) => text += &format!("  printf(\"%lld\\n\", (long long)({place}));\n"),
            None => text += &format!("{line}\n"),
        }
    }
    text += "void reach_error(void) { exit(1); }\n";
    text += "void __VERIFIER_atomic_begin(void) {}\nvoid __VERIFIER_atomic_end(void) {}\n";
    let (source, binary) = (folder.join("program.c"), folder.join("program"));
    std::fs::write(&source, text).expect("a writable folder");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-std=gnu11", "-w", "-pthread", "-latomic"])
        .arg(&source)
        .arg("-o")
        .arg(&binary);
    assert!(
        compiler.status().expect("a C compiler named cc").success(),
        "{program}"
    );
    let output = Command::new(&binary)
        .output()
        .expect("a program that can be run");
    let values = String::from_utf8_lossy(&output.stdout);
    let values = values
        .lines()
        .map(|line| line.parse().expect("a number"))
        .collect();
    output.status.success().then_some(values)
}

fn verdict(program: &Program) -> String {
    let file = SourceFile::new("random.i", program.to_string());
    let answer = check(file, Property::Reach, Preparation::Full, TIMEOUT);
    answer.map_or_else(|refusal| refusal, |answer| answer.verdict.name().to_owned())
}

fn claim(op: BinaryOp, place: &Lvalue, value: i64) -> Stmt {
    let (left, right) = (Expr::Read(place.clone()), Expr::Const(value));
    Stmt::Assert(Expr::Binary(op, left.into(), right.into()))
}

#[test]
fn agrees_with_a_compiler() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut completed = 0;
    for seed in 0..PROGRAMS {
        let mut program = generate(seed, &Profile::sequential());
        let places = places(&program);
        let Some(values) = run(&program, &places, folder.path()) else {
            assert_eq!(verdict(&program), "unsafe", "seed {seed}\n{program}");
            continue;
        };
        completed += 1;
        let equal = places.iter().zip(&values);
        program.after = equal
            .map(|(place, &value)| claim(BinaryOp::Eq, place, value))
            .collect();
        assert_eq!(verdict(&program), "safe", "seed {seed}\n{program}");
        let at = seed as usize % places.len();
        program.after[at] = claim(BinaryOp::Ne, &places[at], values[at]);
        assert_eq!(verdict(&program), "unsafe", "seed {seed}\n{program}");
    }
    assert!(
        completed > PROGRAMS / 4,
        "only {completed} programs reach their end"
    );
}
