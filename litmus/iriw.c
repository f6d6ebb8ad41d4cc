/* Independent reads of independent writes: all threads see the two writes in one order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1, r2, r3, r4;

static void *write_x(void *arg) { x = 1; return arg; }
static void *write_y(void *arg) { y = 1; return arg; }
static void *read_xy(void *arg) { r1 = x; r2 = y; return arg; }
static void *read_yx(void *arg) { r3 = y; r4 = x; return arg; }

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, write_x, 0);
    pthread_create(&t[1], 0, write_y, 0);
    pthread_create(&t[2], 0, read_xy, 0);
    pthread_create(&t[3], 0, read_yx, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
    return 0;
}
