/* A reader-writer lock of two words between a writer and two readers, for ever: a writer takes it
   only if nobody is there, and readers never see a half-written pair. */
#include <assert.h>
#include <pthread.h>

_Atomic int writer, readers;
int x, y;
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static void read_lock(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(writer == 0);
    readers++;
    __VERIFIER_atomic_end();
}

static void read_unlock(void)
{
    readers--;
}

static void write_lock(void)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(writer == 0 && readers == 0);
    writer = 1;
    __VERIFIER_atomic_end();
}

static void write_unlock(void)
{
    writer = 0;
}

void *writing(void *arg)
{
    for (;;) {
        write_lock();
        x = x + 1;
        y = x;
        write_unlock();
    }
}

void *reading(void *arg)
{
    for (;;) {
        read_lock();
        assert(x == y);
        read_unlock();
    }
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, writing, 0);
    pthread_create(&b, 0, reading, 0);
    pthread_create(&c, 0, reading, 0);
    pthread_join(a, 0);
}
