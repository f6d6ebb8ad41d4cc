/* One thread frees what another still uses. */
#include <stdlib.h>
#include <assert.h>
#include <pthread.h>

static int *cell;

static void *first(void *arg) { *cell = 1; return arg; }
static void *second(void *arg) { free(cell); return arg; }

int main(void)
{
    pthread_t a, b;
    cell = malloc(sizeof *cell);
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
