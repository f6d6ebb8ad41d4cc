/* Initialisation that runs once. The word is 0 before, 1 while it runs, 2 after it. */

void __mazurka_atomic_begin(void);
void __mazurka_atomic_end(void);
void __mazurka_await(int condition);

int pthread_once(int *once, void (*routine)(void)) {
    __mazurka_atomic_begin();
    int state = *once;
    *once = state == 0 ? 1 : state;
    __mazurka_atomic_end();
    if (state == 0) {
        routine();
        __mazurka_atomic_begin();
        *once = 2;
        __mazurka_atomic_end();
        return 0;
    }
    __mazurka_atomic_begin();
    state = *once;
    __mazurka_await(state == 2);
    __mazurka_atomic_end();
    return 0;
}

void call_once(int *once, void (*routine)(void)) {
    pthread_once(once, routine);
}
