// A reader that notices when a writer has changed something meanwhile. Which memory orders does it need?
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int version, first, second;

void *writer(void *unused) {
    int now = atomic_load(&version);
    atomic_store(&version, now + 1);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store(&first, 1);
    atomic_store(&second, 1);
    atomic_store(&version, now + 2);
    return 0;
}

void *reader(void *unused) {
    int before = atomic_load(&version);
    int one = atomic_load(&first);
    int two = atomic_load(&second);
    atomic_thread_fence(memory_order_seq_cst);
    int after = atomic_load(&version);
    if (before == after && before % 2 == 0)
        assert(one == two);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
