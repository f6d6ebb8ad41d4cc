//! The language of models: what is read, and what is refused.

use expect_test::{Expect, expect};
use models::{Graph, Model};

fn refused(text: &str, expected: Expect) {
    let error = Model::parse("test", text).expect_err("a model that is wrong");
    expected.assert_eq(&error.to_string());
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    refused(
        "let a = po\nacyclic b",
        expect!["line 2: `b` is not defined"],
    );
    refused("acyclic R", expect!["line 1: a relation is needed here"]);
    refused("let a = [po]", expect!["line 1: a set is needed here"]);
    refused("let a = R | po", expect!["line 1: a set is needed here"]);
    refused(
        "let a = po ; R",
        expect!["line 1: a relation is needed here"],
    );
    refused("let a = (po", expect!["line 1: `)` is missing"]);
    refused("(* no end", expect!["line 1: a comment without an end"]);
    refused(
        "let f(x) = po",
        expect!["line 1: functions are not supported"],
    );
    refused(
        "include \"cos.cat\"",
        expect![
            "line 1: a statement begins with `let`, `acyclic`, `irreflexive`, `empty` or `flag`"
        ],
    );
    refused(
        "let rec a = po \\ a",
        expect!["line 1: a recursive name is under a complement, or taken away"],
    );
    refused(
        "let rec a = ~a",
        expect!["line 1: a recursive name is under a complement, or taken away"],
    );
    refused("let a = po @ rf", expect!["line 1: `@` means nothing here"]);
}

/// Does a graph of three writes in one thread satisfy the statements?
fn holds(text: &str) -> bool {
    let mut graph = Graph::default();
    let x = graph.add_location("x", 0);
    for value in 1..4 {
        let access = models::Access {
            location: x,
            value,
            order: None,
        };
        let write = graph.add(Some(0), models::Action::Write(access));
        graph.coherence[0].push(write);
    }
    let model = Model::parse("test", text).expect("a model");
    model.allows(&graph).expect("a graph")
}

#[test]
fn operators_mean_what_they_should() {
    assert!(holds("acyclic po | co"));
    assert!(!holds("acyclic po | po^-1"));
    assert!(!holds("irreflexive po?"));
    assert!(holds("empty po \\ co"));
    assert!(!holds("empty co \\ po"));
    assert!(holds("empty (co \\ po) \\ (IW * W)"));
    assert!(holds("empty po & po^-1"));
    assert!(holds("empty (po; po) \\ po"));
    assert!(!holds("empty po \\ (po; po)"));
    assert!(holds(
        "let immediate = po \\ (po; po) empty po \\ immediate^+"
    ));
    assert!(holds(
        "let immediate = po \\ (po; po) empty po^* \\ immediate*"
    ));
    assert!(holds("empty [W] \\ id"));
    assert!(holds("empty R"));
    assert!(holds("~empty W"));
    assert!(holds("empty W \\ domain(po) \\ range(po) \\ domain(co)"));
    assert!(holds("empty ~_"));
    assert!(holds("empty 0"));
    assert!(holds("empty (_ * _) \\ loc"));
}

#[test]
fn precedence_is_that_of_cat() {
    // `&` binds tighter than `\`, that tighter than `;`, and that tighter than `|`.
    assert!(holds("empty 0 | po \\ co & po"));
    assert!(holds("empty (po; id \\ po) \\ po"));
    assert!(!holds("empty po; id \\ po"));
    assert!(holds("empty (0; po | po) \\ po"));
    assert!(!holds("empty 0; po | po"));
}

#[test]
fn recursion_is_the_smallest_solution() {
    assert!(holds(
        "let rec path = step | (path; step) and step = po \\ (po; po) empty po \\ path"
    ));
    assert!(holds("let rec a = b and b = a empty a"));
}

/// A search that grows executions event by event must not drop one that a later event would mend.
#[test]
fn models_that_later_events_can_please_are_told_apart() {
    let grows = |text: &str| {
        let text = format!("acyclic po | rf | co | fr | spawn\n{text}");
        let model = Model::parse("own", &text).expect("a model");
        model.grows_from_prefixes()
    };
    let unread = "let unread = [W \\ IW] \\ (rf; rf^-1)";
    assert!(grows("let rec path = po | (path; path) empty path & id"));
    assert!(grows(
        "let rec path = (po \\ id) | (path; path) empty path & id"
    ));
    assert!(!grows(&format!("{unread} empty unread")));
    assert!(!grows(&format!(
        "{unread} let rec r = unread | (r; r) empty r"
    )));
    assert!(!grows(&format!(
        "{unread} let rec a = b | (a; a) and b = unread | (b; a) empty a"
    )));
}
