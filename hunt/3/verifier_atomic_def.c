// EXP race unsafe
#include <pthread.h>
int x; void __VERIFIER_atomic_begin(void){} void __VERIFIER_atomic_end(void){}
void*t(void*a){ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); t(0); pthread_join(p,0); }
