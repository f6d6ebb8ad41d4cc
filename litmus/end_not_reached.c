/* Pointers into an array and to another object are compared, but never the end of the array. */
#include <assert.h>
#include <pthread.h>

struct node {
    struct node *next;
    int value;
};
static struct node head, nodes[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *insert(void *arg)
{
    struct node *node = &nodes[arg != 0];
    pthread_mutex_lock(&lock);
    node->value = 1;
    node->next = head.next;
    head.next = node;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread;
    int sum = 0;
    head.next = &head;
    pthread_create(&thread, 0, insert, 0);
    insert(&head);
    pthread_join(thread, 0);
    for (struct node *node = head.next; node != &head; node = node->next)
        sum += node->value;
    assert(sum == 2);
    return 0;
}
