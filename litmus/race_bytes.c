/* Two different bytes of one word do not race, and neither write is lost. */
#include <assert.h>
#include <pthread.h>

static unsigned word;

static void *first(void *arg) { ((unsigned char *)&word)[0] = 1; return arg; }
static void *second(void *arg) { ((unsigned char *)&word)[3] = 1; return arg; }

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(word == 0x1000001);
    return 0;
}
