use super::{Offset, PointsTo};
use automata::parse;
use expect_test::{Expect, expect};

/// Shows what every pointer of the program points to.
fn check(text: &str, expected: Expect) {
    let xcfa = parse(text);
    let points_to = PointsTo::of(&xcfa);
    let mut out = String::new();
    for var in xcfa.var_ids().filter(|&var| !points_to.var(var).is_empty()) {
        let targets = points_to.var(var).iter().map(|target| match target.offset {
            Offset::At(at) => format!("{}+{at}", xcfa[target.object].name),
            Offset::Any => format!("{}+?", xcfa[target.object].name),
        });
        out += &format!(
            "{}: {}\n",
            xcfa[var].name,
            targets.collect::<Vec<_>>().join(" ")
        );
    }
    expected.assert_eq(&out);
}

#[test]
fn fields_are_kept_apart() {
    check(
        "static a[4]
         static c[4]
         static s[24] +16=&c
         proc main()
           in -> 1: p := &s
           1 -> 2: *(p + 8) := &a
           2 -> 3: p1 := *(p + 8)
           3 -> 4: p2 := *(&s + 16)
           4 -> out: p3 := *p",
        expect![[r#"
            p: s+0
            p1: a+0
            p2: c+0
        "#]],
    );
}

#[test]
fn an_unknown_index_reaches_every_field() {
    check(
        "static s[24]
         static a[4]
         static c[4]
         proc main()
           in -> 1: i := input
           1 -> 2: p := &s + zext64(i)
           2 -> 3: *p := &a
           3 -> 4: *&s := &c
           4 -> 5: p1 := *(&s + 8)
           5 -> 6: p2 := *p
           6 -> out: p3 := *&s",
        expect![[r#"
            p: s+?
            p1: a+0
            p2: a+0 c+0
            p3: a+0 c+0
        "#]],
    );
}

#[test]
fn half_a_pointer_keeps_its_object() {
    check(
        "static s[24]
         static a[4]
         proc main()
           in -> 1: *&s := &a
           1 -> 2: x := *(&s + 4)
           2 -> 3: y := low32(&a)
           3 -> 4: p := zext64(y) * 2
           4 -> out: x := x",
        expect![[r#"
            x: a+?
            y: a+?
            p: a+?
        "#]],
    );
}

#[test]
fn a_walking_pointer_reaches_any_offset() {
    check(
        "heap h
         proc main()
           in -> 1: p := alloc h
           1 -> 1: p := p + 4
           1 -> out: skip",
        expect![[r#"
            p: h+?
        "#]],
    );
}

#[test]
fn members_of_elements_are_kept_apart() {
    check(
        "static s[48]
         static a[4]
         static c[4]
         static d[4]
         proc main()
           in -> 1: i := input
           1 -> 2: p := &s + (zext64(i) * 24)
           2 -> 3: *p := &a
           3 -> 4: *(p + 8) := &c
           4 -> 5: *(&s + 32) := &d
           5 -> 6: p1 := *(&s + (zext64(i) * 24))
           6 -> 7: p2 := *((&s + (zext64(i) * 24)) + 8)
           7 -> 8: p3 := *(&s + 24)
           8 -> out: p4 := *(&s + (zext64(i) * 8))",
        expect![[r#"
            p: s+?
            p1: a+0
            p2: c+0 d+0
            p3: a+0
            p4: a+0 c+0 d+0
        "#]],
    );
}

#[test]
fn values_flow_through_calls_threads_and_function_pointers() {
    check(
        "static a[4]
         static f[4]
         static c[4]
         global pg = &a
         proc id(px) -> pr
           in -> out: pr := px
         proc worker(parg)
           in -> 1: pw := call id(parg)
           1 -> out: thread_exit pw
         proc main()
           in -> 1: pf := &id
           1 -> 2: p1 := call *pf(&c)
           2 -> 3: h := start worker(pg)
           3 -> out: p2 := join zext64(h)",
        expect![[r#"
            px: a+0 c+0
            pr: a+0 c+0
            parg: a+0
            pg: a+0
            pw: a+0 c+0
            pf: id+0
            p1: a+0 c+0
            p2: a+0 c+0
        "#]],
    );
}

#[test]
fn a_number_may_be_any_exposed_object() {
    check(
        "static a[4]
         static c[4]
         static d[4]
         static hidden[4]
         proc main()
           in -> 1: x := 0; p0 := &hidden; p3 := &d
           1 -> 1: assume (&a + 1) == p3; x := x + 1
           1 -> 2: p1 := &c
           2 -> 3: y := low32(p1)
           3 -> 4: p2 := zext64(x) * 2
           4 -> out: t := *p2",
        expect![[r#"
            p0: hidden+0
            p3: d+0
            p1: c+0
            y: c+?
            p2: a+? c+? d+?
        "#]],
    );
}

#[test]
fn exposure_costs_nothing_where_no_number_is_followed() {
    check(
        "static a[4]
         static c[4]
         proc main()
           in -> 1: p1 := &a
           in -> 1: p1 := 0
           1 -> 2: assume p1 == &c
           2 -> 3: assume !(p1 == 0)
           3 -> out: t := *(p1 + 8)",
        expect![[r#"
            p1: a+0
        "#]],
    );
}

#[test]
fn what_is_written_before_it_is_read_was_never_anything_else() {
    check(
        "static a[4]
         static c[4]
         heap h
         heap k
         proc main()
           in -> 1: assume (&c + 1) == (&a + zext64(x))
           1 -> 2: p1 := alloc h
           2 -> 3: *p1 := &a
           3 -> 4: p2 := *p1
           4 -> 5: t := *p2
           5 -> 6: p3 := alloc k
           6 -> 7: *p3 := &a
           7 -> 8: p4 := *(p3 + 8)
           8 -> out: t := *p4",
        expect![[r#"
            p1: h+0
            p2: a+0
            p3: k+0
            p4: a+? c+?
        "#]],
    );
}
