/* The functions behind macros of <stdatomic.h>. */

_Bool atomic_flag_test_and_set(volatile void *flag) {
    return __atomic_exchange_n((volatile unsigned char *)flag, 1, 5);
}

_Bool atomic_flag_test_and_set_explicit(volatile void *flag, int order) {
    return __atomic_exchange_n((volatile unsigned char *)flag, 1, order);
}

void atomic_flag_clear(volatile void *flag) {
    __atomic_store_n((volatile unsigned char *)flag, 0, 5);
}

void atomic_flag_clear_explicit(volatile void *flag, int order) {
    __atomic_store_n((volatile unsigned char *)flag, 0, order);
}

void atomic_thread_fence(int order) {
    __atomic_thread_fence(order);
}

void atomic_signal_fence(int order) {
    __atomic_signal_fence(order);
}
