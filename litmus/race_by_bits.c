// Only one thread has the address of x; another one rebuilds it.
#include <pthread.h>
#include <stdint.h>
_Bool bits[64];
void *writer(void *unused)
{
    uintptr_t address = 0;
    for (int bit = 0; bit < 64; bit++)
        if (bits[bit])
            address |= (uintptr_t)1 << bit;
    *(int *)address = 1;
    return unused;
}
int main(void)
{
    int x = 0;
    for (int bit = 0; bit < 64; bit++)
        bits[bit] = (uintptr_t)&x >> bit & 1;
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    x = 2;
    pthread_join(thread, 0);
    return x;
}
