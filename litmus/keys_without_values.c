/* Every thread has a table of 128 values, read at an index that only the program knows: long
   formulas for a program in which nothing can happen. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *look(void *arg)
{
    return pthread_getspecific(key);
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, look, 0);
    pthread_join(thread, &result);
    assert(!result);
    return 0;
}
