/* Misuse of spin locks, which are one word: the owner. What is no handle of a thread was never written by the library,
   or is what this file leaves in one that is destroyed. */

void __mazurka_misuse(_Bool happens, const char *what);
unsigned __mazurka_self(void);

enum { DESTROYED = 0x5eaddead, LAST_HANDLE = 0x7fffffff };

static unsigned owner_of(unsigned *lock) {
    unsigned owner = __atomic_load_n(lock, 5);
    __mazurka_misuse(owner == DESTROYED, "destroyed");
    __mazurka_misuse(owner > LAST_HANDLE, "uninitialised");
    return owner;
}

void __mazurka_again_pthread_spin_init(unsigned *lock) {
    unsigned owner = __atomic_load_n(lock, 5);
    __mazurka_misuse(owner != 0 && owner != DESTROYED, "init-in-use");
}

void __mazurka_before_pthread_spin_lock(unsigned *lock) {
    __mazurka_misuse(owner_of(lock) == __mazurka_self(), "relock");
}

void __mazurka_before_pthread_spin_trylock(unsigned *lock) {
    owner_of(lock);
}

void __mazurka_before_pthread_spin_unlock(unsigned *lock) {
    __mazurka_misuse(owner_of(lock) != __mazurka_self(), "unlock-not-held");
}

void __mazurka_before_pthread_spin_destroy(unsigned *lock) {
    unsigned owner = __atomic_exchange_n(lock, DESTROYED, 5);
    __mazurka_misuse(owner == DESTROYED, "destroyed");
    __mazurka_misuse(owner > LAST_HANDLE, "uninitialised");
    __mazurka_misuse(owner != 0, "destroy-held");
}
