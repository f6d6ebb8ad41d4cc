//! Loads, stores, and the life of objects.

use crate::run::{run, run_for};
use expect_test::expect;
use semantics::Property;
use semantics::Property::Reach;

#[test]
fn store_and_load_are_inverse() {
    let program = "
        global x
        static a[8]
        proc main()
          in -> 1: *(&a + 4) := 7
          1 -> 2: x := *(&a + 4)
          2 -> out: x := *&a";
    expect![[r#"
        start                        x=0
        0: moves                     x=0
        0: moves                     x=7
        0: moves                     x=0
    "#]]
    .assert_eq(&run(program, "0 0 0"));
}

#[test]
fn an_access_outside_is_a_violation_of_memory_safety_and_otherwise_ends_the_run() {
    let program = "
        global x
        static a[8]
        proc main()
          in -> out: x := *(&a + 8)";
    expect![[r#"
        start                        x=0
        0: violates: invalid memory access (valid-deref) x=0
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0"));
    expect![[r#"
        start                        x=0
        0: is cut off                x=0
    "#]]
    .assert_eq(&run_for(Reach, program, "0"));
}

#[test]
fn an_index_as_large_as_the_address_space_is_not_followed() {
    let program = "
        global x
        static a[48]
        proc main()
          in -> 1: x := 1
          1 -> 2: p := &a + ((zext64(x) * zext64(x)) * 24)
          2 -> 3: x := 2147483648
          3 -> out: p := &a + ((zext64(x) * zext64(x)) * 24)";
    expect![[r#"
        start                        x=0
        0: moves                     x=1
        0: moves                     x=1
        0: moves                     x=2147483648
        0: cannot be followed: an index is as large as the address space x=2147483648
    "#]]
    .assert_eq(&run(program, "0 0 0 0"));
}

#[test]
fn alloc_makes_memory_whose_contents_are_arbitrary_but_stay_what_they_were_found_to_be() {
    let program = "
        global x
        global y
        heap h[4]
        proc main()
          in -> 1: p := alloc h
          1 -> 2: x := *p
          2 -> out: y := *p";
    expect![[r#"
        start                        x=0 y=0
        0: moves                     x=0 y=0
        0?9: moves                   x=9 y=0
        0?5: moves                   x=9 y=9
    "#]]
    .assert_eq(&run(program, "0 0?9 0?5"));
}

#[test]
fn alloc_may_zero_the_memory() {
    let program = "
        global x = 3
        heap h[4]
        proc main()
          in -> 1: p := alloc_zeroed h
          1 -> out: x := *p";
    expect![[r#"
        start                        x=3
        0: moves                     x=3
        0?9: moves                   x=0
    "#]]
    .assert_eq(&run(program, "0 0?9"));
}

#[test]
fn after_free_the_memory_is_gone_and_cannot_be_freed_again() {
    let program = "
        global x
        heap h[4]
        proc main()
          in -> 1: p := alloc_zeroed h
          1 -> 2: free p
          2 -> out: x := *p
          2 -> out: free p";
    expect![[r#"
        start                        x=0
        0: moves                     x=0
        0: moves                     x=0
        0: violates: invalid free (valid-free) x=0
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0 0 0"));
}

#[test]
fn free_of_null_does_nothing() {
    let program = "
        proc main()
          in -> out: free 0";
    expect![[r#"
        start
        0: moves
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0"));
}

#[test]
fn dealloc_ends_the_life_of_a_stack_object() {
    let program = "
        global x
        stack s[4]
        proc main()
          in -> 1: p := alloc_zeroed s
          1 -> 2: x := *p
          2 -> 3: dealloc s
          3 -> out: x := *p";
    expect![[r#"
        start                        x=0
        0: moves                     x=0
        0: moves                     x=0
        0: moves                     x=0
        0: violates: invalid memory access (valid-deref) x=0
    "#]]
    .assert_eq(&run_for(Property::MEMSAFETY, program, "0 0 0 0"));
}
