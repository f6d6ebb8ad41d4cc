/* A key that was deleted is free for others, and starts without a value. */
#include <assert.h>
#include <pthread.h>

int main(void) {
    int x;
    for (int i = 0; i < 150; i++) {
        pthread_key_t key;
        assert(pthread_key_create(&key, 0) == 0);
        assert(pthread_getspecific(key) == 0);
        pthread_setspecific(key, &x);
        assert(pthread_key_delete(key) == 0);
    }
    return 0;
}
