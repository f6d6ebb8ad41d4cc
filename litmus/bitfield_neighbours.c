/* Neighbouring bit-fields are one memory location: writing both from two threads loses one. */
#include <assert.h>
#include <pthread.h>

static struct {
    unsigned a : 4;
    unsigned b : 4;
} bits;

static void *first(void *arg) { bits.a = 1; return arg; }
static void *second(void *arg) { bits.b = 1; return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(bits.a == 1 && bits.b == 1);
    return 0;
}
