// A read inside an atomic section and a plain write race; while the section lasts, the writer cannot move.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int shared;
int *place = &shared;

void *look(void *argument) {
    __VERIFIER_atomic_begin();
    if (shared) {
    }
    __VERIFIER_atomic_end();
    return argument;
}

void *change(void *argument) {
    *place = 0;
    return argument;
}

int main(void) {
    pthread_t looks, changes;
    pthread_create(&looks, 0, look, 0);
    pthread_create(&changes, 0, change, 0);
    pthread_join(looks, 0);
    pthread_join(changes, 0);
    return 0;
}
