// The writes of a thread to one location are in its order.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3, acq_rel = 4, sc = 5 };
int x, y, z;
int a, b, c, d;

void *thread1(void *unused) {
    __atomic_store_n(&x, 1, rlx);
    __atomic_store_n(&x, 2, rlx);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, 0, thread1, 0);
    pthread_join(t1, 0);
    if (x == 1)
        reach_error();
    return 0;
}
