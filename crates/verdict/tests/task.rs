//! `Task::prepare` knows what a property needs, and says where a program is refused.

use verdict::{Preparation, Program, Property, Task};
use xcfa::{DataModel, ErrorKind, Label, SourceFile, Xcfa};

fn program(text: &str) -> Program {
    Program::new(vec![SourceFile::new("program.c", text)])
}

fn prepare(text: &str, property: Property) -> Task {
    Task::prepare(&program(text), property).expect("a program that is supported")
}

fn labels(xcfa: &Xcfa) -> impl Iterator<Item = &Label> {
    xcfa.edges.iter().flat_map(|edge| &edge.labels)
}

fn reports(xcfa: &Xcfa, kind: ErrorKind) -> bool {
    xcfa.locs.iter().any(|loc| loc.error == Some(kind))
}

/// What is useless or impossible for one property is an error for another.
#[test]
fn a_task_keeps_what_its_property_is_about() {
    let text = "
        extern int __VERIFIER_nondet_int(void);
        int shared[2];
        int main(void) {
            int unused = shared[1];
            int n = __VERIFIER_nondet_int();
            return n + n;
        }";
    // The property; is the useless read kept, and is the sum checked?
    let expected = [
        (Property::Reach, false, false),
        (Property::Race, true, false),
        (Property::Deadlock, false, false),
        (Property::Overflow, false, true),
        (Property::MEMSAFETY, true, false),
        (Property::Termination, false, false),
        (Property::Usage, false, false),
        (Property::Robust, true, false),
    ];
    assert_eq!(expected.map(|(property, ..)| property), Property::ALL);
    for (property, reads, sums) in expected {
        let task = prepare(text, property);
        let is_read = labels(&task.xcfa).any(|label| matches!(label, Label::Load { .. }));
        let is_checked = reports(&task.xcfa, ErrorKind::Overflow);
        assert_eq!(task.property, property);
        assert_eq!((is_read, is_checked), (reads, sums), "{property}");
    }
}

#[test]
fn calls_are_inlined_however_little_is_prepared() {
    let text = "int twice(int n) { return n + n; } int main(void) { return twice(2); }";
    for preparation in Preparation::ALL {
        let program = program(text).with_preparation(preparation);
        let task = Task::prepare(&program, Property::Reach).expect("plain C");
        let is_call = |label: &Label| matches!(label, Label::Call { .. });
        assert!(!labels(&task.xcfa).any(is_call), "{preparation:?}");
    }
}

#[test]
fn a_refusal_names_its_place() {
    let cases = [
        ("int main(void) {\n  return x;\n}", "program.c:2"),
        (
            "int main(void) {\n  int x = 0;\n  int f(void) { return x; }\n}",
            "program.c:3",
        ),
    ];
    for (text, place) in cases {
        let refused = Task::prepare(&program(text), Property::Reach).expect_err(text);
        let message = refused.to_string();
        assert!(message.starts_with(place), "{message}");
    }
}

#[test]
fn another_entry_and_other_sizes() {
    let text = "
        void reach_error(void);
        int main(void) { return 0; }
        int other(void) { if (sizeof(long) == 4) reach_error(); return 0; }";
    let fails = |entry: &str, model| {
        let program = program(text).with_entry(entry).with_model(model);
        let task = Task::prepare(&program, Property::Reach).expect("plain C");
        reports(&task.xcfa, ErrorKind::Reached)
    };
    assert!(!fails("main", DataModel::Ilp32));
    assert!(!fails("other", DataModel::Lp64));
    assert!(fails("other", DataModel::Ilp32));
}

#[test]
fn an_automaton_is_taken_as_it_is() {
    let xcfa =
        automata::parse("global x = 0\nproc main() -> r\n  in -> 1: t := x\n  1 -> out: r := 0");
    let dump = xcfa.dump();
    let task = Task::prepare(&Program::from_automaton(xcfa), Property::Reach);
    assert_eq!(task.expect("an automaton").xcfa.dump(), dump);
}
