// The watcher may look too early, and then nothing can go wrong whatever the others do. What it
// sees when it looks later is another matter: both threads may take back what they have added.
#include <assert.h>
#include <pthread.h>

int count, first_done, second_done;

void *first(void *unused)
{
    count++;
    if (count > 1)
        count--;
    first_done = 1;
    return 0;
}

void *second(void *unused)
{
    count++;
    if (count > 1)
        count--;
    second_done = 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    if (first_done == 1 && second_done == 1)
        assert(count == 1);
    return 0;
}
