//! Objects, records, bit-fields, initialisers.

use super::check;
use expect_test::expect;

#[test]
fn static_initialisers() {
    check(
        "struct s { char c; int i; struct s *next; }; struct s b; int f(void) { return 1; }
         struct s a[2] = { { 1, 2, &b }, { .next = &a[1] } }; int (*table[2])(void) = { 0, f };
         unsigned x = 3; int *p = &a[1].i; char text[] = \"hi\";
         int main(void) { x++; b.i = a[0].i + *p + text[0]; return table[1](); }",
        expect![[r#"
            global x: bv32 = 3
            global p: bv64 = (&a + 20)
            static b[16]
            static a[32] +0=1 +4=2 +8=&b +24=(&a + 16)
            static table[16] +8=&f
            static text[3] +0=104 +1=105

            proc f() -> result: bv32 init L6 exit L1
              L6 -> L1: result := 1

            proc main() -> result: bv32 init L7 exit L2
              L7 -> L8: t5 := x
              L8 -> L9: x := (t5 + 1)
              L9 -> L10: t6 := *(&a + 4)
              L10 -> L11: t7 := p
              L11 -> L12: t8 := *t7
              L12 -> L13: t9 := *&text
              L13 -> L14: *(&b + 4) :=4 ((t6 + t8) + sext32(t9))
              L14 -> L15: t10 := *(&table + 8)
              L15 -> L16: t11 := call (*t10)()
              L16 -> L2: result := t11
        "#]],
    );
}

#[test]
fn local_initialisers() {
    check(
        "struct s { char c; int i[2]; }; int g;
         int main(void) { struct s a = { 1, { g } }; struct s b = a; return b.i[0]; }",
        expect![[r#"
            global g: bv32 = 0
            stack a[12]
            stack b[12]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: &a := alloc a[12]
              L6 -> L7: *(&a + 8) :=4 0
              L7 -> L8: *&a :=1 1
              L8 -> L9: t4 := g
              L9 -> L10: *(&a + 4) :=4 t4
              L10 -> L11: &b := alloc b[12]
              L11 -> L12: t6 := *&a
              L12 -> L13: *&b :=1 t6
              L13 -> L14: t7 := *(&a + 4)
              L14 -> L15: *(&b + 4) :=4 t7
              L15 -> L16: t8 := *(&a + 8)
              L16 -> L17: *(&b + 8) :=4 t8
              L17 -> L18: t9 := *(&b + 4)
              L18 -> L19: result := t9
              L19 -> L20: dealloc b
              L20 -> L1: dealloc a
        "#]],
    );
}

#[test]
fn bit_fields() {
    check(
        "struct s { unsigned a : 3; int b : 5; } g; struct t { char c; int d : 8; } h;
         int main(void) { g.a = 5; g.b += 1; h.d = 2; return g.b; }",
        expect![[r#"
            static g[4]
            static h[4]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t2 := *&g
              L6 -> L7: *&g :=4 concat(bits31_3(t2), -3)
              L7 -> L8: t3 := *&g
              L8 -> L9: t4 := *&g
              L9 -> L10: *&g :=4 concat(bits31_8(t4), concat(bits4_0((sext32(bits7_3(t3)) + 1)), bits2_0(t4)))
              L10 -> L11: t5 := *(&h + 1)
              L11 -> L12: *(&h + 1) :=1 2
              L12 -> L13: t6 := *&g
              L13 -> L1: result := sext32(bits7_3(t6))
        "#]],
    );
}

#[test]
fn bit_fields_of_statics() {
    check(
        "struct s { unsigned a : 3; int b : 5; int c; } g = { 5, -1, 7 };
         int main(void) { return g.a; }",
        expect![[r#"
            static g[8] +0=253 +4=7

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t2 := *&g
              L6 -> L1: result := zext32(bits2_0(t2))
        "#]],
    );
}

#[test]
fn bit_fields_beside_other_members() {
    check(
        "struct t { char c; int d : 8; } g = { 1, 2 };
         int main(void) { struct t h = { 3, 4 }; h = g; return h.d; }",
        expect![[r#"
            static g[4] +0=1 +1=2
            stack h[4]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: &h := alloc h[4]
              L6 -> L7: *(&h + 1) :=1 0
              L7 -> L8: *&h :=1 3
              L8 -> L9: t3 := *(&h + 1)
              L9 -> L10: *(&h + 1) :=1 4
              L10 -> L11: t4 := *&g
              L11 -> L12: *&h :=1 t4
              L12 -> L13: t5 := *(&g + 1)
              L13 -> L14: *(&h + 1) :=1 t5
              L14 -> L15: t6 := *(&h + 1)
              L15 -> L16: result := sext32(t6)
              L16 -> L1: dealloc h
        "#]],
    );
}

#[test]
fn records_are_copied_scalar_by_scalar() {
    check(
        "struct p { int x; char y; } a, b; union { int i; char c[4]; } u, v;
         int main(void) { a = b; u = v; return 0; }",
        expect![[r#"
            static a[8]
            static b[8]
            static u[4]
            static v[4]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t2 := *&b
              L6 -> L7: *&a :=4 t2
              L7 -> L8: t3 := *(&b + 4)
              L8 -> L9: *(&a + 4) :=1 t3
              L9 -> L10: t4 := *&v
              L10 -> L11: *&u :=4 t4
              L11 -> L1: result := 0
        "#]],
    );
}

#[test]
fn records_as_arguments_and_results() {
    check(
        "struct p { int x, y; }; struct p swap(struct p a) { struct p b = { a.y, a.x }; return b; }
         int main(void) { struct p c = { 1, 2 }; return swap(c).x; }",
        expect![[r#"
            stack a[8]
            stack b[8]
            stack c[8]
            stack temporary[8]

            proc swap(result: bv64, a: bv64) init L7 exit L1
              L7 -> L8: &a := alloc a[8]
              L8 -> L9: t5 := *a
              L9 -> L10: *&a :=4 t5
              L10 -> L11: t6 := *(a + 4)
              L11 -> L12: *(&a + 4) :=4 t6
              L12 -> L13: &b := alloc b[8] zeroed
              L13 -> L14: t8 := *(&a + 4)
              L14 -> L15: *&b :=4 t8
              L15 -> L16: t9 := *&a
              L16 -> L17: *(&b + 4) :=4 t9
              L17 -> L18: t10 := *&b
              L18 -> L19: *result :=4 t10
              L19 -> L20: t11 := *(&b + 4)
              L20 -> L21: *(result + 4) :=4 t11
              L21 -> L22: dealloc b
              L22 -> L1: dealloc a

            proc main() -> result: bv32 init L2 exit L3
              L2 -> L23: &temporary := alloc temporary[8]
              L23 -> L25: &c := alloc c[8] zeroed
              L24 -> L3: dealloc temporary
              L25 -> L26: *&c :=4 1
              L26 -> L27: *(&c + 4) :=4 2
              L27 -> L28: call swap(&temporary, &c)
              L28 -> L29: t14 := *&temporary
              L29 -> L30: result := t14
              L30 -> L24: dealloc c
        "#]],
    );
}

#[test]
fn compound_literals() {
    check(
        "struct p { int x, y; }; int sum(struct p *p) { return p->x + p->y; }
         int main(void) { return sum(&(struct p){ 1, 2 }) + (int){ 3 }; }",
        expect![[r#"
            stack literal[8]
            stack literal[4]

            proc sum(p: bv64) -> result: bv32 init L7 exit L1
              L7 -> L8: t4 := *p
              L8 -> L9: t5 := *(p + 4)
              L9 -> L1: result := (t4 + t5)

            proc main() -> result: bv32 init L2 exit L3
              L2 -> L24: &literal := alloc literal[8]
              L10 -> L12: dealloc literal
              L11 -> L23: dealloc literal
              L12 -> L13: &literal := alloc literal[8] zeroed
              L13 -> L14: *&literal :=4 1
              L14 -> L15: *(&literal + 4) :=4 2
              L15 -> L16: t7 := call sum(&literal)
              L16 -> L17: dealloc literal
              L17 -> L18: &literal := alloc literal[4]
              L18 -> L19: *&literal :=4 3
              L19 -> L20: t9 := *&literal
              L20 -> L21: result := (t7 + t9)
              L21 -> L22: dealloc literal
              L22 -> L11: dealloc literal
              L23 -> L3: dealloc literal
              L24 -> L10: &literal := alloc literal[4]
        "#]],
    );
}

#[test]
fn heap_objects_and_memory_functions() {
    check(
        "void *malloc(unsigned long); void free(void *); void *memset(void *, int, unsigned long);
         void *memcpy(void *, const void *, unsigned long); struct p { int x; char y; };
         int main(void) { struct p *p = (struct p *)malloc(sizeof *p), q; memset(p, 0, sizeof *p);
         memcpy(&q, p, sizeof q); free(p); return q.x; }",
        expect![[r#"
            heap malloc@3[8]
            stack q[8]

            proc main() -> result: bv32 init L5 exit L1
              L5 -> L6: t3 := alloc malloc@3[8]
              L6 -> L7: p := t3
              L7 -> L8: &q := alloc q[8]
              L8 -> L9: *p :=4 0
              L9 -> L10: *(p + 4) :=1 0
              L10 -> L11: t5 := *p
              L11 -> L12: *&q :=4 t5
              L12 -> L13: t6 := *(p + 4)
              L13 -> L14: *(&q + 4) :=1 t6
              L14 -> L15: free p
              L15 -> L16: t7 := *&q
              L16 -> L17: result := t7
              L17 -> L1: dealloc q
        "#]],
    );
}

#[test]
fn memory_of_unknown_size_is_a_loop_over_bytes() {
    check(
        "void *memset(void *, int, unsigned long); char a[9];
         int main(int argc, char **argv) { memset(a, 1, argc); return 0; }",
        expect![[r#"
            static a[9]

            proc main(argc: bv32, argv: bv64) -> result: bv32 init L7 exit L1
              L7 -> L9: call __mazurka_memset(&a, 1, sext64(argc))
              L9 -> L1: result := 0

            proc __mazurka_memset(to: bv64, byte: bv32, size: bv64) init L10 exit L8
              L10 -> L11: at := 0
              L11 -> L12: assume (at <u size)
              L11 -> L8: assume !(at <u size)
              L12 -> L13: *(at + to) :=1 bits7_0(byte)
              L13 -> L11: at := (at + 1)
        "#]],
    );
}
