/* Two kinds of callbacks in memory, told apart by a comparison: two functions never have one address. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef void callback(void *arg);

struct job {
    callback *run;
    void *arg;
};

static int ran;
static void one(void *arg) { ran += *(int *)arg; }
static void two(void *arg) { ran += 2 * *(int *)arg; }

int main(void)
{
    int number = 1;
    unsigned char *bytes = malloc(2 * sizeof(struct job));
    struct job first = { one, &number }, second = { two, &number };
    size_t size = sizeof first;
    if (bytes == NULL)
        return 1;
    memcpy(bytes, &first, size);
    memcpy(bytes + size, &second, size);
    for (int i = 0; i < 2; i++) {
        struct job *job = (struct job *)(bytes + i * size);
        if (job->run == one)
            one(job->arg);
        else
            two(job->arg);
    }
    assert(ran == 3);
    free(bytes);
    return 0;
}
