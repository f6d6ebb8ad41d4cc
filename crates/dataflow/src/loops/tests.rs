use super::Loops;
use automata::parse;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let xcfa = parse(text);
    let loops = Loops::of(&xcfa);
    let mut out = String::new();
    for l in &loops.loops {
        let body: Vec<_> = l.body.iter().map(|loc| format!("L{}", loc.0)).collect();
        let parent = l
            .parent
            .map(|at| format!(" in L{}", loops.loops[at].head.0));
        out += &format!(
            "head L{}{} body {} bound {:?}{}\n",
            l.head.0,
            parent.unwrap_or_default(),
            body.join(" "),
            l.bound,
            if l.reducible { "" } else { " irreducible" }
        );
    }
    expected.assert_eq(&out);
}

#[test]
fn nested_counting_loops() {
    check(
        "proc main()
           in -> 1: i := 0
           1 -> 2: assume i < 3
           2 -> 3: j := 10
           3 -> 4: assume j != 0
           4 -> 3: j := j - 2
           3 -> 5: assume j == 0
           5 -> 1: i := i + 1
           1 -> out: assume !(i < 3)",
        expect![[r#"
            head L2 body L2 L3 L4 L5 L6 bound Some(3)
            head L4 in L2 body L4 L5 bound Some(5)
        "#]],
    );
}

#[test]
fn what_does_not_surely_count_has_no_bound() {
    check(
        "global x
         proc main()
           in -> 1: i := 0
           1 -> 2: assume i < 3
           2 -> 1: i := i + 1; assume x == 0
           2 -> 1: assume x != 0
           1 -> 5: assume !(i < 3)
           5 -> 6: k := input
           6 -> 7: assume k < 3
           7 -> 6: k := k + 1
           6 -> 8: assume !(k < 3)
           8 -> 9: m := 1
           9 -> 9: assume m != 0; m := m + 2
           9 -> out: assume m == 0",
        expect![[r#"
            head L2 body L2 L3 bound None
            head L5 body L5 L6 bound None
            head L8 body L8 bound None
        "#]],
    );
}

#[test]
fn a_loop_with_two_entries_is_irreducible() {
    check(
        "proc main()
           in -> 1: t := 0
           in -> 2: t := 1
           1 -> 2: t := 2
           2 -> 1: t := 3
           2 -> out: skip",
        expect![[r#"
            head L2 body L0 L2 L3 bound None irreducible
        "#]],
    );
}
