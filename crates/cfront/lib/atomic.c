/* The functions behind macros of <stdatomic.h>. */

_Bool atomic_flag_test_and_set(volatile void *flag) {
    return __atomic_exchange_n((volatile unsigned char *)flag, 1, 5);
}

_Bool atomic_flag_test_and_set_explicit(volatile void *flag, int order) {
    (void)order;
    return __atomic_exchange_n((volatile unsigned char *)flag, 1, 5);
}

void atomic_flag_clear(volatile void *flag) {
    __atomic_store_n((volatile unsigned char *)flag, 0, 5);
}

void atomic_flag_clear_explicit(volatile void *flag, int order) {
    (void)order;
    __atomic_store_n((volatile unsigned char *)flag, 0, 5);
}

void atomic_thread_fence(int order) {
    (void)order;
}

void atomic_signal_fence(int order) {
    (void)order;
}
