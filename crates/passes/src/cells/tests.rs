use super::{OnInvalid, cells};
use automata::parse;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    check_with(text, OnInvalid::EndRun, expected);
}

fn check_with(text: &str, on_invalid: OnInvalid, expected: Expect) {
    let cells = cells(&parse(text), on_invalid);
    let mut out = cells.xcfa.dump();
    for stays in &cells.in_memory {
        let name = &cells.xcfa[stays.object].name;
        out += &format!("in memory: {name}: {}\n", stays.why);
    }
    expected.assert_eq(&out);
}

#[test]
fn constant_places_of_static_objects() {
    check(
        "static b[4]
         static a[16] +4=7 +8=&b
         proc main()
           in -> 1: t := *(&a + 4)
           1 -> 2: *(&a + 4) := t + 1
           2 -> 3: p := *(&a + 8)
           3 -> 4: *p := t
           4 -> 5: t := *&b
           5 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global b: bv32 = 0
            global a+4:4: bv32 = 7
            global a+8:8: bv64 = &b
            static b[4]
            static a[16]

            proc main() init L0 exit L1
              L0 -> L2: t := a+4:4
              L2 -> L3: a+4:4 := (t + 1)
              L3 -> L4: p := a+8:8
              L4 -> L5: assume (&b == p); b := t
              L5 -> L6: t := b
              L6 -> L1: exit
        "#]],
    );
}

#[test]
fn an_index_selects_among_the_elements() {
    check(
        "static a[12]
         proc main()
           in -> 1: i := input
           1 -> 2: *(&a + (sext64(i) * 4)) := 5
           2 -> 3: p := &a + (sext64(i) * 4)
           3 -> 4: t := *p
           4 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global a+0:4: bv32 = 0
            global a+4:4: bv32 = 0
            global a+8:4: bv32 = 0
            static a[12]

            proc main() init L0 exit L1
              L0 -> L2: i := input input()
              L2 -> L3: assume ((((sext64(i) * 4) == 0) || ((sext64(i) * 4) == 4)) || ((sext64(i) * 4) == 8)); a+0:4 := (((sext64(i) * 4) == 0) ? 5 : a+0:4); a+4:4 := (((sext64(i) * 4) == 4) ? 5 : a+4:4); a+8:4 := (((sext64(i) * 4) == 8) ? 5 : a+8:4)
              L3 -> L4: p := (&a + (sext64(i) * 4))
              L4 -> L5: assume (((&a == p) || (p == (&a + 4))) || (p == (&a + 8))); t := ((&a == p) ? a+0:4 : ((p == (&a + 4)) ? a+4:4 : a+8:4))
              L5 -> L1: exit
        "#]],
    );
}

#[test]
fn accesses_of_different_sizes_share_pieces() {
    check(
        "static a[8]
         proc main()
           in -> 1: *&a := 5
           1 -> 2: p := *&a
           2 -> 3: *&a := p
           3 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global a+0:4: bv32 = 0
            global a+4:4: bv32 = 0
            static a[8]

            proc main() init L0 exit L1
              L0 -> L2: a+0:4 := 5
              L2 -> L3: p := concat(a+4:4, a+0:4)
              L3 -> L4: a+0:4 := bits31_0(p); a+4:4 := bits63_32(p)
              L4 -> L1: exit
        "#]],
    );
}

#[test]
fn an_unaligned_pointer_sees_bytes() {
    check(
        "static a[6]
         proc main()
           in -> 1: i := input
           1 -> 2: t := *(&a + sext64(i))
           2 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global a+0:1: bv8 = 0
            global a+1:1: bv8 = 0
            global a+2:2: bv16 = 0
            global a+4:1: bv8 = 0
            global a+5:1: bv8 = 0
            static a[6]

            proc main() init L0 exit L1
              L0 -> L2: i := input input()
              L2 -> L3: assume (((sext64(i) == 0) || (sext64(i) == 1)) || (sext64(i) == 2)); t := ((sext64(i) == 0) ? concat(a+2:2, concat(a+1:1, a+0:1)) : ((sext64(i) == 1) ? concat(a+4:1, concat(a+2:2, a+1:1)) : concat(a+5:1, concat(a+4:1, a+2:2))))
              L3 -> L1: exit
        "#]],
    );
}

#[test]
fn a_heap_object_that_is_freed_needs_a_flag_only_if_it_is_used_later() {
    check(
        "heap h
         heap g
         static s[8]
         proc worker(pa)
           in -> 1: p := *&s
           1 -> 2: *p := 1
           2 -> out: thread_exit 0
         proc main()
           in -> 1: p := alloc h
           1 -> 2: *p := 1
           2 -> 3: free p
           3 -> 4: q := 0; p2 := alloc g
           4 -> 5: *&s := p2
           5 -> 6: k := start worker()
           6 -> 7: free p2
           7 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global g+0:4: bv32
            global g.alive: bool
            global s: bv64 = 0
            static h[8]
            static g[8]
            static s[8]

            proc worker(pa: bv64) init L0 exit L1
              L0 -> L4: p := s
              L4 -> L5: assume ((p == &g) && g.alive); g+0:4 := 1
              L5 -> L1: thread_exit 0

            proc main() init L2 exit L3
              L2 -> L6: p := &h
              L6 -> L7: assume (p == &h); h+0:4 := 1
              L7 -> L8: assume ((p == &h) || (p == 0))
              L8 -> L9: q := 0; p2 := &g; g.alive := true
              L9 -> L10: s := p2
              L10 -> L11: k := start worker(0)
              L11 -> L12: assume ((p2 == 0) || (g.alive && (p2 == &g))); g.alive := (g.alive && (p2 != &g))
              L12 -> L3: exit
        "#]],
    );
}

#[test]
fn stack_objects_of_many_threads_become_locals_unless_they_escape() {
    check(
        "stack s[4]
         stack e[4]
         static pub[8]
         proc worker(pa)
           in -> 1: p := alloc s
           1 -> 2: *p := 1
           2 -> 3: t := *p; dealloc s
           3 -> 4: p2 := alloc e
           4 -> 5: *&pub := p2
           5 -> 6: p3 := *&pub
           6 -> 7: *p3 := 3
           7 -> out: thread_exit 0
         proc main()
           in -> in: k := start worker()
           in -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global pub: bv64 = 0
            static s[4]
            stack e[4]
            static pub[8]

            proc worker(pa: bv64) init L0 exit L1
              L0 -> L4: p := &s
              L4 -> L5: s := 1
              L5 -> L6: t := s
              L6 -> L7: p2 := alloc e[4]
              L7 -> L8: pub := p2
              L8 -> L9: p3 := pub
              L9 -> L10: *p3 :=4 3
              L10 -> L1: thread_exit 0

            proc main() init L2 exit L3
              L2 -> L2: k := start worker(0)
              L2 -> L3: exit
            in memory: e: more than one thread can run `worker`
        "#]],
    );
}

#[test]
fn a_lock_stays_in_memory_and_its_neighbours_do_not() {
    check(
        "heap h
         proc worker(pa)
           in -> 1: lock pa
           1 -> 2: *(pa + 4) := 1
           2 -> 3: unlock pa
           3 -> out: thread_exit 0
         proc main()
           in -> 1: p := alloc h
           1 -> 2: *p := 0
           2 -> 3: *(p + 4) := 0
           3 -> 4: k := start worker(p)
           4 -> 5: lock p
           5 -> 6: t := *(p + 4)
           6 -> 7: unlock p
           7 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            global h+4:4: bv32
            static h[8]

            proc worker(pa: bv64) init L0 exit L1
              L0 -> L4: lock pa
              L4 -> L5: assume (pa == &h); h+4:4 := 1
              L5 -> L6: unlock pa
              L6 -> L1: thread_exit 0

            proc main() init L2 exit L3
              L2 -> L7: p := &h
              L7 -> L8: *p :=4 0
              L8 -> L9: assume (p == &h); h+4:4 := 0
              L9 -> L10: k := start worker(p)
              L10 -> L11: lock p
              L11 -> L12: assume (p == &h); t := h+4:4
              L12 -> L13: unlock p
              L13 -> L3: exit
            in memory: h: it has locks
        "#]],
    );
}

#[test]
fn invalid_accesses_can_be_errors() {
    check_with(
        "static a[8]
         heap h
         proc main()
           in -> 1: i := input
           1 -> 2: *(&a + (sext64(i) * 4)) := 5
           2 -> 3: p := alloc h
           3 -> 4: free p
           4 -> 5: *p := 1
           5 -> out: exit",
        OnInvalid::Error,
        expect![[r#"
            thread_local self: bv64
            global a+0:4: bv32 = 0
            global a+4:4: bv32 = 0
            global h.alive: bool
            static a[8]
            static h[8]

            proc main() init L0 exit L1
              L0 -> L2: i := input input()
              L2 -> L3: assume (((sext64(i) * 4) == 0) || ((sext64(i) * 4) == 4)); a+0:4 := (((sext64(i) * 4) == 0) ? 5 : a+0:4); a+4:4 := (((sext64(i) * 4) == 4) ? 5 : a+4:4)
              L2 -> L7: assume !(((sext64(i) * 4) == 0) || ((sext64(i) * 4) == 4))
              L3 -> L4: p := &h; h.alive := true
              L4 -> L5: assume ((p == 0) || ((p == &h) && h.alive)); h.alive := (h.alive && (p != &h))
              L4 -> L8: assume !((p == 0) || ((p == &h) && h.alive))
              L5 -> L6: assume ((p == &h) && h.alive); h+0:4 := 1
              L5 -> L7: assume !((p == &h) && h.alive)
              L6 -> L1: assume !h.alive; exit
              L6 -> L9: assume h.alive
              L7 is an error: InvalidDeref
              L8 is an error: InvalidFree
              L9 is an error: InvalidMemtrack
        "#]],
    );
}

#[test]
fn what_exists_many_times_stays() {
    check(
        "heap h
         static a[4]
         proc main()
           in -> 1: p := alloc h
           1 -> 2: t := input
           2 -> 3: assume t == 0; p := &a
           2 -> 3: assume t != 0
           3 -> in: *p := t
           3 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            heap h
            static a[4]

            proc main() init L0 exit L1
              L0 -> L2: p := alloc h[8]
              L2 -> L3: t := input input()
              L3 -> L4: assume (t == 0); p := &a
              L3 -> L4: assume (t != 0)
              L4 -> L0: *p :=4 t
              L4 -> L1: exit
            in memory: h: it can be allocated more than once
            in memory: a: an access may hit it or `h`
        "#]],
    );
}

#[test]
fn a_lock_that_may_be_looked_at_before_its_initialisation_stays() {
    check(
        "heap h
         proc main()
           in -> 1: p := alloc h
           1 -> 2: t := *p
           2 -> 3: lock p
           3 -> out: exit",
        expect![[r#"
            thread_local self: bv64
            heap h

            proc main() init L0 exit L1
              L0 -> L2: p := alloc h[8]
              L2 -> L3: t := *p
              L3 -> L4: lock p
              L4 -> L1: exit
            in memory: h: a lock in it may be looked at before it is initialised
        "#]],
    );
}
