/* The start routine comes from a table of functions. */
#include <assert.h>
#include <pthread.h>

static int x, y;

static void *set_x(void *arg) { x = 1; return arg; }
static void *set_y(void *arg) { y = 1; return arg; }

int main(void)
{
    void *(*routines[2])(void *) = {set_x, set_y};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, routines[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 1 && y == 1);
    return 0;
}
