/* N threads put four values each into a hash table by compare-and-swap. */
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

#ifndef N
#define N 2
#endif
#define VALUES 4
/* A power of two with room for all values: then 7 * value is a different place for each of them. */
#define SIZE (N <= 2 ? 8 : N <= 4 ? 16 : 32)

unsigned char table[SIZE];
unsigned char done[N];
pthread_t thread;

void *indexer(void *arg) {
    unsigned char me = (unsigned char)(unsigned long)arg;
    unsigned char value = me * VALUES + 1;
    unsigned char last = value + VALUES;
    unsigned char key = (value * 7) % SIZE;
    for (;;) {
        __VERIFIER_atomic_begin();
        if (table[key] == 0) {
            table[key] = value;
            value++;
            key = (value * 7) % SIZE;
            if (value == last) {
                done[me] = 1;
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
    pthread_create(&thread, 0, indexer, (void *)0);
    pthread_create(&thread, 0, indexer, (void *)1);
#if N > 2
    pthread_create(&thread, 0, indexer, (void *)2);
#endif
#if N > 3
    pthread_create(&thread, 0, indexer, (void *)3);
#endif
#if N > 4
    pthread_create(&thread, 0, indexer, (void *)4);
#endif
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(done[0] & done[1]
#if N > 2
                      & done[2]
#endif
#if N > 3
                      & done[3]
#endif
#if N > 4
                      & done[4]
#endif
    );
    __VERIFIER_atomic_end();
    reach_error();
    return 0;
}
