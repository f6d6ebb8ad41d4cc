/* Thread-specific values. POSIX promises at least 128 keys and so do we. When a thread ends, the
   destructors of its values run, up to four times while they set new ones. */

enum { MOST_KEYS = 128, ROUNDS = 4, EAGAIN = 11, EINVAL = 22 };

static unsigned keys;
static void (*destructors[MOST_KEYS])(void *);
static _Thread_local void *values[MOST_KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    unsigned made = __atomic_fetch_add(&keys, 1, 5);
    if (made >= MOST_KEYS) {
        return EAGAIN;
    }
    __atomic_store_n(&destructors[made], destructor, 5);
    *key = made;
    return 0;
}

int pthread_key_delete(unsigned key) {
    if (key >= MOST_KEYS) {
        return EINVAL;
    }
    __atomic_store_n(&destructors[key], (void (*)(void *))0, 5);
    return 0;
}

void *pthread_getspecific(unsigned key) {
    return key < MOST_KEYS ? values[key] : (void *)0;
}

int pthread_setspecific(unsigned key, const void *value) {
    if (key >= MOST_KEYS) {
        return EINVAL;
    }
    values[key] = (void *)value;
    return 0;
}

void __mazurka_run_key_destructors(void) {
    unsigned made = __atomic_load_n(&keys, 5);
    for (int round = 0; round < ROUNDS; round++) {
        _Bool again = 0;
        for (unsigned key = 0; key < made; key++) {
            void *value = values[key];
            if (value) {
                void (*destructor)(void *) = __atomic_load_n(&destructors[key], 5);
                if (destructor) {
                    values[key] = (void *)0;
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
