use super::{address_use, constant_write, handle_use, mark_reuse, stack_reuse};
use crate::PointsTo;
use automata::parse;
use expect_test::{Expect, expect};

/// Shows what is found in a program.
fn check(text: &str, memory_safety: bool, expected: Expect) {
    let mut xcfa = parse(text);
    let points_to = PointsTo::of(&xcfa);
    let mut out = Vec::new();
    let behind_the_line = |what: String| what.split(": ").last().unwrap_or_default().to_owned();
    out.extend(address_use(&xcfa, &points_to).matters.map(behind_the_line));
    out.extend(handle_use(&xcfa).map(behind_the_line));
    out.extend(constant_write(&xcfa, &points_to).map(behind_the_line));
    mark_reuse(&mut xcfa, &points_to, memory_safety);
    let marked = xcfa.objects.iter().filter(|object| object.reuses);
    let marked: Vec<&str> = marked.map(|object| &*object.name).collect();
    out.push(format!("reuse: {}", marked.join(" ")));
    expected.assert_eq(&out.join("\n"));
}

#[test]
fn an_old_address_meets_a_new_one() {
    check(
        "heap h[8]
         heap k[8]
         heap other[8]
         proc main()
           in -> 1: p := alloc h; p2 := p
           1 -> 2: free p
           2 -> 3: p3 := alloc k; p4 := alloc other
           3 -> out: assume p2 == p3; assume p4 == 0",
        false,
        expect!["reuse: h k"],
    );
}

#[test]
fn what_is_never_freed_is_never_reused() {
    check(
        "heap h[8]
         heap k[8]
         proc main()
           in -> 1: p := alloc h
           1 -> 2: p2 := alloc k
           2 -> out: assume p == p2",
        false,
        expect!["reuse: "],
    );
}

#[test]
fn one_object_is_always_where_it_is() {
    check(
        "heap h[8]
         proc main()
           in -> 1: p := alloc h; p2 := p
           1 -> 2: free p
           2 -> out: assume p == p2",
        false,
        expect!["reuse: "],
    );
}

#[test]
fn a_loop_makes_many_objects() {
    check(
        "heap h[8]
         proc main()
           in -> 1: p2 := 0
           1 -> 2: p := alloc h
           2 -> 3: assume p == p2
           3 -> 1: p2 := p; free p",
        false,
        expect!["reuse: h"],
    );
}

#[test]
fn a_local_of_the_last_round_is_kept() {
    let text = "stack s[4]
         stack t[4]
         proc main()
           in -> 1: p := 0
           1 -> 2: ps := alloc s; pt := alloc t
           2 -> 3: t := *p; p := ps; *pt := 1
           3 -> 1: dealloc s; dealloc t";
    check(text, true, expect!["reuse: s"]);
    check(text, false, expect!["reuse: "]);
}

#[test]
fn objects_that_may_share_a_place_are_looked_at() {
    for (size, literal, looks) in [(8, false, 0), (0, false, 1), (8, true, 1)] {
        let text = format!(
            "static a1[{size}]
             static b1[8]
             proc main()
               in -> 1: p := &a1; p2 := &b1
               1 -> out: assume p == p2"
        );
        let mut xcfa = parse(&text);
        xcfa.objects
            .iter_mut()
            .for_each(|object| object.literal = literal);
        let found = address_use(&xcfa, &PointsTo::of(&xcfa));
        assert_eq!(found.ordered.len(), looks, "{size} {literal}");
    }
}

#[test]
fn order_and_bits_are_numbers() {
    const NUMBER: &str = "what number an address is, which is open, may matter";
    const ORDER: &str = "the order of objects in memory, which is open, may matter";
    // What is used, what is found, and how many operators the machine has to look at.
    for (use_of, expected, looks) in [
        ("assume p < p2", ORDER, 0),
        ("assume p == 4096", NUMBER, 0),
        ("a := low32(p)", NUMBER, 0),
        ("assume p == p2", "", 0),
        ("assume p == 0", "", 0),
        ("p3 := p + 4; assume p < p3", "", 0),
        // A difference with what may be a null pointer.
        ("p3 := p; a := low32(p - p3)", "", 0),
        ("p3 := p; p3 := 0; a := low32(p - p3)", "", 1),
        ("p3 := p; p3 := 8192; a := low32(p - p3)", ORDER, 0),
        // The end of one object, inside of it, and beyond.
        ("p3 := p + 8; assume p3 == p2", "", 1),
        ("p3 := p + 4; assume p3 == p2", "", 0),
        ("p3 := p + 16; assume p3 == p2", ORDER, 0),
        ("p3 := p + zext64(n); assume p3 == p2", "", 1),
        ("p3 := p + zext64(n); assume p3 == p", "", 0),
        // Numbers in variables and in memory, whole or in part.
        ("p3 := 8192; assume p3 == p", NUMBER, 0),
        ("p3 := p2; p3 := 8192; assume p3 == p", NUMBER, 0),
        ("p3 := 8; assume p3 == p", "", 0),
        ("*p := n; p3 := *p; assume p3 == p2", NUMBER, 0),
        ("p4 := alloc h; p3 := *p4; assume p3 == p2", "", 1),
    ] {
        let text = format!(
            "static a1[8]
             static b1[8]
             heap h[8]
             proc main()
               in -> 1: p := &a1; p2 := &b1
               1 -> out: {use_of}"
        );
        let xcfa = parse(&text);
        let found = address_use(&xcfa, &PointsTo::of(&xcfa));
        assert_eq!(found.ordered.len(), looks, "{use_of}");
        let found = found.matters.unwrap_or_default();
        assert!(
            found.ends_with(expected) && found.is_empty() == expected.is_empty(),
            "{use_of}: {found}"
        );
    }
}

#[test]
fn an_array_of_variable_length_may_be_where_the_last_one_was() {
    for (size, expected) in [("", true), ("[4]", false)] {
        let xcfa = parse(&format!(
            "stack s{size}
             proc main()
               in -> 1: p := 0
               1 -> 2: ps := alloc s
               2 -> 1: assume p == ps; p := ps"
        ));
        let found = stack_reuse(&xcfa, &PointsTo::of(&xcfa));
        assert_eq!(found.is_some(), expected, "s{size}");
    }
}

#[test]
fn handles_are_compared_while_their_threads_run() {
    for (before, use_of, expected) in [
        ("skip", "assume pa == pb", ""),
        ("skip", "assume pa == 0", ""),
        (
            "join pa",
            "assume pa == pb",
            "whether a thread handle is used again, which is open, may matter",
        ),
        (
            "skip",
            "assume pa < pb",
            "what number a thread handle is, which is open, may matter",
        ),
        (
            "skip",
            "assume pa == 1",
            "what number a thread handle is, which is open, may matter",
        ),
    ] {
        let text = format!(
            "global pg
             proc worker(px)
               in -> out: thread_exit 0
             proc main()
               in -> 1: pa := start worker()
               1 -> 2: {before}
               2 -> 3: pb := start worker()
               3 -> 4: {use_of}
               4 -> out: join pb"
        );
        let found = handle_use(&parse(&text)).unwrap_or_default();
        assert!(
            found.ends_with(expected) && found.is_empty() == expected.is_empty(),
            "{use_of}: {found}"
        );
    }
}

#[test]
fn objects_of_one_site_are_told_apart_by_the_machine() {
    let xcfa = parse(
        "heap h[8]
         proc main()
           in -> 1: p := 0
           1 -> 2: p2 := p; p := alloc h
           2 -> 1: assume p < p2",
    );
    let found = address_use(&xcfa, &PointsTo::of(&xcfa));
    assert_eq!((found.matters, found.ordered.len()), (None, 1));
}
