// EXP race unsafe
#include <pthread.h>
typedef int v4 __attribute__((vector_size(16))); v4 a,b;
void*t(void*x){ a=b; return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); a=b; pthread_join(p,0); return 0;}
