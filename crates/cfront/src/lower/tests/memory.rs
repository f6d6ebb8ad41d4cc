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
        expect![[""]],
    );
}

#[test]
fn local_initialisers() {
    check(
        "struct s { char c; int i[2]; }; int g;
         int main(void) { struct s a = { 1, { g } }; struct s b = a; return b.i[0]; }",
        expect![[""]],
    );
}

#[test]
fn bit_fields() {
    check(
        "struct s { unsigned a : 3; int b : 5; } g; struct t { char c; int d : 8; } h;
         int main(void) { g.a = 5; g.b += 1; h.d = 2; return g.b; }",
        expect![[""]],
    );
}

#[test]
fn bit_fields_of_statics() {
    check(
        "struct s { unsigned a : 3; int b : 5; int c; } g = { 5, -1, 7 };
         int main(void) { return g.a; }",
        expect![[""]],
    );
}

#[test]
fn records_are_copied_scalar_by_scalar() {
    check(
        "struct p { int x; char y; } a, b; union { int i; char c[4]; } u, v;
         int main(void) { a = b; u = v; return 0; }",
        expect![[""]],
    );
}

#[test]
fn records_as_arguments_and_results() {
    check(
        "struct p { int x, y; }; struct p swap(struct p a) { struct p b = { a.y, a.x }; return b; }
         int main(void) { struct p c = { 1, 2 }; return swap(c).x; }",
        expect![[""]],
    );
}

#[test]
fn compound_literals() {
    check(
        "struct p { int x, y; }; int sum(struct p *p) { return p->x + p->y; }
         int main(void) { return sum(&(struct p){ 1, 2 }) + (int){ 3 }; }",
        expect![[""]],
    );
}

#[test]
fn heap_objects_and_memory_functions() {
    check(
        "void *malloc(unsigned long); void free(void *); void *memset(void *, int, unsigned long);
         void *memcpy(void *, const void *, unsigned long); struct p { int x; char y; };
         int main(void) { struct p *p = (struct p *)malloc(sizeof *p), q; memset(p, 0, sizeof *p);
         memcpy(&q, p, sizeof q); free(p); return q.x; }",
        expect![[""]],
    );
}

#[test]
fn memory_of_unknown_size_is_a_loop_over_bytes() {
    check(
        "void *memset(void *, int, unsigned long); char a[9];
         int main(int argc, char **argv) { memset(a, 1, argc); return 0; }",
        expect![[""]],
    );
}
