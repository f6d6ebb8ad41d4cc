/* The same with the names of C11: a mutex is destroyed that a thread may hold. */
#include <threads.h>

mtx_t m;

int works(void *arg)
{
    mtx_lock(&m);
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, works, 0);
    mtx_destroy(&m);
    thrd_join(t, 0);
    return 0;
}
