/* Three philosophers eat R times each. Whoever takes the fork with the smaller number first never
   waits in a circle; with -DBUG each takes the left one first, and all of them may wait for ever. */
#include <pthread.h>

#ifndef R
#define R 3
#endif

pthread_mutex_t fork0, fork1, fork2;
int eaten;

#define DINE(first, second)                                                                        \
    int round;                                                                                     \
    for (round = 0; round < R; round++) {                                                          \
        pthread_mutex_lock(&first);                                                                \
        pthread_mutex_lock(&second);                                                               \
        eaten = eaten + 1;                                                                         \
        pthread_mutex_unlock(&second);                                                             \
        pthread_mutex_unlock(&first);                                                              \
    }                                                                                              \
    return 0;

void *zero(void *arg) { DINE(fork0, fork1) }

void *one(void *arg) { DINE(fork1, fork2) }

#ifdef BUG
void *two(void *arg) { DINE(fork2, fork0) }
#else
void *two(void *arg) { DINE(fork0, fork2) }
#endif

int main(void)
{
    pthread_t t0, t1, t2;
    pthread_mutex_init(&fork0, 0);
    pthread_mutex_init(&fork1, 0);
    pthread_mutex_init(&fork2, 0);
    pthread_create(&t0, 0, zero, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
