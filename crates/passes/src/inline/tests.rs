use super::{inline, inline_up_to};
use automata::parse;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&inline(parse(text)).unwrap().dump());
}

#[test]
fn each_call_gets_its_own_copy() {
    check(
        "heap h
         stack s[4]
         global pg
         proc make(n) -> pr
           in -> 1: p := alloc h
           1 -> 2: ps := alloc s
           2 -> 3: *p := n
           3 -> 4: dealloc s
           4 -> out: pr := p
         proc main()
           in -> 1: p1 := call make(1)
           1 -> 2: p2 := call make(2)
           2 -> out: pg := p2",
        expect![[r#"
            thread_local self: bv64
            global pg: bv64 = 0
            heap h
            stack s[4]
            heap h#2
            stack s#2[4]

            proc main() init L0 exit L1
              L0 -> L4: make.n := 1
              L2 -> L11: make#2.n := 2
              L3 -> L2: p1 := make.pr
              L4 -> L5: make.p := alloc h[8]
              L5 -> L6: make.ps := alloc s[4]
              L6 -> L7: *make.p :=4 make.n
              L7 -> L8: dealloc s
              L8 -> L3: make.pr := make.p
              L9 -> L1: pg := p2
              L10 -> L9: p2 := make#2.pr
              L11 -> L12: make#2.p := alloc h#2[8]
              L12 -> L13: make#2.ps := alloc s#2[4]
              L13 -> L14: *make#2.p :=4 make#2.n
              L14 -> L15: dealloc s#2
              L15 -> L10: make#2.pr := make#2.p

            proc make() init L16 exit L17
        "#]],
    );
}

#[test]
fn recursion_keeps_its_calls() {
    check(
        "proc leaf()
           in -> out: skip
         proc down(n)
           in -> 1: assume n != 0
           1 -> 2: call leaf()
           2 -> out: call down(n - 1)
           in -> out: assume n == 0
         proc unused()
           in -> out: skip
         proc worker(pa)
           in -> 1: call down(3)
           1 -> out: thread_exit 0
         proc main()
           in -> 1: p := &leaf
           1 -> out: h := start worker()",
        expect![[r#"
            thread_local self: bv64

            proc down(n: bv32) init L0 exit L1
              L0 -> L6: assume (n != 0)
              L0 -> L1: assume (n == 0)
              L6 -> L9: skip
              L7 -> L10: call down((n + -1))
              L8 -> L7: skip
              L9 -> L8: skip
              L10 -> L1: skip

            proc worker(pa: bv64) init L2 exit L3
              L2 -> L12: call down(3)
              L11 -> L3: thread_exit 0
              L12 -> L11: skip

            proc main() init L4 exit L5
              L4 -> L13: p := &leaf
              L13 -> L5: h := start worker(0)

            proc leaf() init L14 exit L15

            proc unused() init L16 exit L17
        "#]],
    );
}

#[test]
fn too_many_copies_are_refused() {
    let text = "proc a()
           in -> 1: skip
           1 -> out: skip
         proc b()
           in -> 1: call a()
           1 -> out: call a()
         proc c()
           in -> 1: call b()
           1 -> out: call b()
         proc main()
           in -> 1: call c()
           1 -> out: call c()";
    let error = inline_up_to(parse(text), 20).unwrap_err();
    assert_eq!(
        error.to_string(),
        "inlining the calls up to here makes more than 20 edges"
    );
    assert!(inline_up_to(parse(text), 100).is_ok());
}
