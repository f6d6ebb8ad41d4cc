/* Misuse of threads: which were joined or are being joined, and which were detached, each a bit by its handle. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_misuse(_Bool happens, const char *what);
void __mazurka_beyond(_Bool happens);
unsigned __mazurka_self(void);
int pthread_attr_getdetachstate(const void *attributes, int *state);

enum { MOST = 64, DETACHED = 1 };

static unsigned long long joined, detached;

static unsigned long long bit_of(unsigned long thread) {
    __mazurka_beyond(thread == 0 || thread > MOST);
    return 1ull << (thread - 1);
}

void __mazurka_before_pthread_join(unsigned long thread) {
    __mazurka_misuse(thread == __mazurka_self(), "join-self");
    unsigned long long bit = bit_of(thread);
    __mazurka_atomic_begin();
    unsigned long long was_joined = joined;
    unsigned long long was_detached = detached;
    joined = was_joined | bit;
    __mazurka_atomic_end();
    __mazurka_misuse((was_detached & bit) != 0, "join-detached");
    __mazurka_misuse((was_joined & bit) != 0, "join-twice");
}

/* Who was cancelled while it waited, or gave up, has joined nobody. */
void __mazurka_cancelled_join(unsigned long thread) {
    unsigned long long bit = bit_of(thread);
    __mazurka_atomic_begin();
    unsigned long long was_joined = joined;
    joined = was_joined & ~bit;
    __mazurka_atomic_end();
}

void __mazurka_before_pthread_timedjoin_np(unsigned long thread) {
    __mazurka_before_pthread_join(thread);
}

void __mazurka_after_pthread_timedjoin_np(int result, unsigned long thread) {
    if (result) {
        __mazurka_cancelled_join(thread);
    }
}

void __mazurka_before_pthread_tryjoin_np(unsigned long thread) {
    __mazurka_before_pthread_join(thread);
}

void __mazurka_after_pthread_tryjoin_np(int result, unsigned long thread) {
    __mazurka_after_pthread_timedjoin_np(result, thread);
}

void __mazurka_before_pthread_clockjoin_np(unsigned long thread) {
    __mazurka_before_pthread_join(thread);
}

void __mazurka_after_pthread_clockjoin_np(int result, unsigned long thread) {
    __mazurka_after_pthread_timedjoin_np(result, thread);
}

void __mazurka_before_pthread_detach(unsigned long thread) {
    unsigned long long bit = bit_of(thread);
    __mazurka_atomic_begin();
    unsigned long long was_joined = joined;
    unsigned long long was_detached = detached;
    detached = was_detached | bit;
    __mazurka_atomic_end();
    __mazurka_misuse((was_detached & bit) != 0, "detach-twice");
    __mazurka_misuse((was_joined & bit) != 0, "detach-joined");
}

void __mazurka_before_thrd_join(unsigned long thread) {
    __mazurka_before_pthread_join(thread);
}

void __mazurka_before_thrd_detach(unsigned long thread) {
    __mazurka_before_pthread_detach(thread);
}

void __mazurka_after_start(unsigned long thread, const void *attributes) {
    int state = 0;
    pthread_attr_getdetachstate(attributes, &state);
    if (state == DETACHED) {
        unsigned long long bit = bit_of(thread);
        __mazurka_atomic_begin();
        unsigned long long before = detached;
        detached = before | bit;
        __mazurka_atomic_end();
    }
}
