/* Threads that start threads of their own kind and join them do not join each other. */
#include <assert.h>
#include <pthread.h>

int depth[3] = { 0, 1, 2 };
int ended;

void *routine(void *at) {
    int level = *(int *)at;
    if (level > 0) {
        pthread_t child;
        pthread_create(&child, 0, routine, &depth[level - 1]);
        pthread_join(child, 0);
    }
    ended++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, routine, &depth[2]);
    pthread_join(thread, 0);
    assert(ended == 3);
    return 0;
}
