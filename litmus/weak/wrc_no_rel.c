// WRC in which the thread in the middle does not release: not enough for C.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void reach_error(void);
enum { rlx = 0, acq = 2, rel = 3, acq_rel = 4, sc = 5 };
int x, y, z;
int a, b, c, d;

void *thread1(void *unused) {
    __atomic_store_n(&x, 1, rel);
    return 0;
}

void *thread2(void *unused) {
    a = __atomic_load_n(&x, acq);
    __atomic_store_n(&y, 1, rlx);
    return 0;
}

void *thread3(void *unused) {
    b = __atomic_load_n(&y, acq);
    c = __atomic_load_n(&x, rlx);
    return 0;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_create(&t3, 0, thread3, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    pthread_join(t3, 0);
    if (a == 1 && b == 1 && c == 0)
        reach_error();
    return 0;
}
