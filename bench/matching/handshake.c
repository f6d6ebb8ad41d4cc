/* A sender raises a request and waits for the acknowledgement; what is sent does not matter to either. */
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
_Bool request, acknowledge, line, taken;
pthread_t thread;
void *sender(void *arg) {
    (void)arg;
    for (;;) {
        line = __VERIFIER_nondet_bool();
        request = 1;
        while (!acknowledge)
            ;
        request = 0;
        while (acknowledge)
            ;
    }
    return 0;
}
void *receiver(void *arg) {
    (void)arg;
    for (;;) {
        while (!request)
            ;
        taken = line;
        acknowledge = 1;
        while (request)
            ;
        acknowledge = 0;
    }
    return 0;
}
int main(void) {
    pthread_create(&thread, 0, sender, 0);
    pthread_create(&thread, 0, receiver, 0);
    pthread_exit(0);
}
