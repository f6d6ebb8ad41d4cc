/* Memory that grows keeps its contents. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *size) {
    int *list = malloc(2 * sizeof *list);
    list[0] = 1;
    list[1] = 2;
    list = realloc(list, *(int *)size * sizeof *list);
    list[2] = 3;
    assert(list[0] + list[1] + list[2] == 6);
    free(list);
    return 0;
}

int main(void) {
    pthread_t thread;
    int size = 3;
    pthread_create(&thread, 0, worker, &size);
    worker(&size);
    pthread_join(thread, 0);
    return 0;
}
