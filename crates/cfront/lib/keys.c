/* Thread-specific values. POSIX promises at least 128 keys and so do we. When a thread ends, the
   destructors of its values run, up to four times while they set new ones. A key that was deleted is used again:
   its number counts how often it was made (odd while it is in use), and a value belongs to one of these times. */

enum { MOST_KEYS = 128, ROUNDS = 4, EAGAIN = 11, EINVAL = 22 };

static unsigned keys, deleted;
static unsigned made[MOST_KEYS];
static void (*destructors[MOST_KEYS])(void *);
static _Thread_local unsigned owners[MOST_KEYS];
static _Thread_local void *values[MOST_KEYS];

/* A key that was deleted, or one that was never created. */
static unsigned free_key(void) {
    if (__atomic_load_n(&deleted, 5) > 0) {
        for (unsigned key = 0; key < MOST_KEYS; key++) {
            unsigned count = __atomic_load_n(&made[key], 5);
            if (count > 0 && count % 2 == 0 && __atomic_compare_exchange_n(&made[key], &count, count + 1, 0, 5, 5)) {
                __atomic_fetch_sub(&deleted, 1, 5);
                return key;
            }
        }
    }
    unsigned key = __atomic_fetch_add(&keys, 1, 5);
    if (key < MOST_KEYS) {
        __atomic_store_n(&made[key], 1, 5);
    }
    return key;
}

int pthread_key_create(unsigned *result, void (*destructor)(void *)) {
    unsigned key = free_key();
    if (key >= MOST_KEYS) {
        __atomic_fetch_sub(&keys, 1, 5);
        return EAGAIN;
    }
    __atomic_store_n(&destructors[key], destructor, 5);
    *result = key;
    return 0;
}

int pthread_key_delete(unsigned key) {
    if (key >= MOST_KEYS) {
        return EINVAL;
    }
    unsigned count = __atomic_load_n(&made[key], 5);
    if (count % 2 == 0 || !__atomic_compare_exchange_n(&made[key], &count, count + 1, 0, 5, 5)) {
        return EINVAL;
    }
    __atomic_fetch_add(&deleted, 1, 5);
    return 0;
}

void *pthread_getspecific(unsigned key) {
    if (key >= MOST_KEYS || owners[key] != __atomic_load_n(&made[key], 5)) {
        return (void *)0;
    }
    return values[key];
}

int pthread_setspecific(unsigned key, const void *value) {
    if (key >= MOST_KEYS) {
        return EINVAL;
    }
    unsigned count = __atomic_load_n(&made[key], 5);
    if (count % 2 == 0) {
        return EINVAL;
    }
    owners[key] = count;
    values[key] = (void *)value;
    return 0;
}

void __mazurka_run_key_destructors(void) {
    for (int round = 0; round < ROUNDS; round++) {
        _Bool again = 0;
        for (unsigned key = 0; key < __atomic_load_n(&keys, 5) && key < MOST_KEYS; key++) {
            void *value = values[key];
            if (value && owners[key] == __atomic_load_n(&made[key], 5)) {
                void (*destructor)(void *) = __atomic_load_n(&destructors[key], 5);
                values[key] = (void *)0;
                if (destructor) {
                    destructor(value);
                    again = 1;
                }
            }
        }
        if (!again) {
            return;
        }
    }
}

int tss_create(unsigned *key, void (*destructor)(void *)) {
    return pthread_key_create(key, destructor) ? 2 : 0;
}

void tss_delete(unsigned key) {
    pthread_key_delete(key);
}

void *tss_get(unsigned key) {
    return pthread_getspecific(key);
}

int tss_set(unsigned key, void *value) {
    return pthread_setspecific(key, value) ? 2 : 0;
}
