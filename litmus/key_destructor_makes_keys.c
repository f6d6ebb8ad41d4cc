/* A destructor that makes a key and sets its value: the destructor of that key runs too. */
#include <assert.h>
#include <pthread.h>

pthread_key_t outer, inner;
int outer_ran, inner_ran;

void end_inner(void *value) {
    inner_ran = value == &inner_ran;
}

void end_outer(void *value) {
    outer_ran = value == &outer_ran;
    pthread_key_create(&inner, end_inner);
    pthread_setspecific(inner, &inner_ran);
}

void *run(void *unused) {
    pthread_setspecific(outer, &outer_ran);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&outer, end_outer);
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    assert(outer_ran && inner_ran);
    return 0;
}
