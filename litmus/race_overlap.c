/* A write of a word and a write of one of its bytes race. */
#include <assert.h>
#include <pthread.h>

static unsigned word;

static void *first(void *arg) { word = 0; return arg; }
static void *second(void *arg) { ((unsigned char *)&word)[3] = 1; return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(word == 0 || word == 0x1000000);
    return 0;
}
