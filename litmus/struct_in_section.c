/* A struct copied in atomic sections is never torn, and sections do not race. */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct pair {
    int x, y;
};
static struct pair shared;

static void *first(void *arg)
{
    struct pair new = {1, 1};
    __VERIFIER_atomic_begin();
    shared = new;
    __VERIFIER_atomic_end();
    return arg;
}

static void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    struct pair copy = shared;
    __VERIFIER_atomic_end();
    assert(copy.x == copy.y);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
