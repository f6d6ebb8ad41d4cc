/* N threads put four values each into a hash table by compare-and-swap. */
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifndef N
#define N 2
#endif
#define VALUES 4
#define SIZE 32

unsigned char table[SIZE];

void *indexer(void *arg) {
    unsigned char value = (unsigned char)(unsigned long)arg;
    unsigned char last = value + VALUES;
    unsigned char key = (value * 7) % SIZE;
    for (;;) {
        __VERIFIER_atomic_begin();
        if (table[key] == 0) {
            table[key] = value;
            value++;
            key = (value * 7) % SIZE;
            if (value == last) {
                __VERIFIER_atomic_end();
                return 0;
            }
        } else {
            key = (key + 1) % SIZE;
        }
        __VERIFIER_atomic_end();
    }
}

int main(void) {
    pthread_t a, b, c, d, e;
    pthread_create(&a, 0, indexer, (void *)(1UL + 0 * VALUES));
    pthread_create(&b, 0, indexer, (void *)(1UL + 1 * VALUES));
#if N > 2
    pthread_create(&c, 0, indexer, (void *)(1UL + 2 * VALUES));
#endif
#if N > 3
    pthread_create(&d, 0, indexer, (void *)(1UL + 3 * VALUES));
#endif
#if N > 4
    pthread_create(&e, 0, indexer, (void *)(1UL + 4 * VALUES));
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
#if N > 2
    pthread_join(c, 0);
#endif
#if N > 3
    pthread_join(d, 0);
#endif
#if N > 4
    pthread_join(e, 0);
#endif
    reach_error();
    return 0;
}
