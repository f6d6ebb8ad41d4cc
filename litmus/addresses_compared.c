// Pointers are compared and hashed, and nothing comes of it.
#include <assert.h>
#include <stdint.h>
struct node {
    struct node *next;
    int value;
};
struct node head, first, second;
int buckets[8];
int main(void)
{
    head.next = &first;
    first.next = &second;
    second.next = &head;
    for (struct node *at = head.next; at != &head; at = at->next) {
        at->value = 1;
        buckets[((uintptr_t)at >> 4) % 8]++;
    }
    assert(head.value == 0 && first.value + second.value == 2);
    return 0;
}
