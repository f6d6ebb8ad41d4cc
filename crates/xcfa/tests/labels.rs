//! What a label reads and sets, for each label once.

use automata::parse;
use xcfa::{Label, Xcfa};

/// One edge with the label, its variables and an object that it may name.
fn label(text: &str) -> (Xcfa, Label) {
    let program = format!(
        "static a[8]
         heap h[8]
         stack s[8]
         proc worker(pw)
           in -> out: thread_exit pw
         proc main()
           in -> out: {text}"
    );
    let xcfa = parse(&program);
    let main = xcfa[xcfa.main].init;
    let edge = xcfa[main].out[0];
    let label = xcfa[edge].labels[0].clone();
    (xcfa, label)
}

#[test]
fn what_it_sets_and_what_it_reads() {
    for (text, set, read) in [
        ("t := u + 1", Some("t"), "(u + 1)"),
        ("t := input", Some("t"), ""),
        ("t := *p", Some("t"), "p"),
        ("*p := t", None, "p t"),
        ("assume t == 0", None, "(t == 0)"),
        ("await t == 0", None, "(t == 0)"),
        ("lock &a", None, "&a"),
        ("unlock &a", None, "&a"),
        ("wait &a", None, "&a"),
        ("signal &a", None, "&a"),
        ("p := start worker(q)", Some("p"), "q"),
        ("join p", None, "p"),
        ("thread_exit p", None, "p"),
        ("p := alloc h", Some("p"), "8"),
        ("free p", None, "p"),
        ("dealloc s", None, ""),
    ] {
        let (xcfa, label) = label(text);
        let name = |var: expr::VarId| xcfa[var].name.clone();
        assert_eq!(label.defines().map(name).as_deref(), set, "{text}");
        let shown = label.terms().map(|term| xcfa.terms.show(term, &xcfa));
        assert_eq!(shown.collect::<Vec<_>>().join(" "), read, "{text}");
    }
}

#[test]
fn terms_are_replaced_where_they_are_read() {
    for text in [
        "t := u",
        "*p := u",
        "lock p",
        "free p",
        "join p",
        "assume t == u",
    ] {
        let (mut xcfa, mut label) = label(text);
        let zero = xcfa.terms.bv(32, 0);
        label.map_terms(|_| zero);
        assert!(label.terms().count() > 0, "{text}");
        assert!(label.terms().all(|term| term == zero), "{text}");
    }
}

#[test]
fn what_is_set_is_replaced_and_nothing_else() {
    for text in ["t := t", "t := input", "t := *p", "p := alloc h"] {
        let (xcfa, mut label) = label(text);
        let read: Vec<_> = label.terms().collect();
        label.set_defined(xcfa.self_var);
        assert_eq!(label.defines(), Some(xcfa.self_var), "{text}");
        assert_eq!(label.terms().collect::<Vec<_>>(), read, "{text}");
    }
}
