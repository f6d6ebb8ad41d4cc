/* Two threads free one block that nobody looks at. */
#include <pthread.h>
#include <stdlib.h>

char *block;

void *let_go(void *unused) {
    free(block);
    return 0;
}

int main(void) {
    pthread_t one, two;
    block = malloc(12);
    pthread_create(&one, 0, let_go, 0);
    pthread_create(&two, 0, let_go, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
