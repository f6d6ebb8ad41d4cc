// EXP memsafety unsafe
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t *m;
void*t(void*a){ pthread_mutex_destroy(m); return 0;}
int main(void){ m=malloc(sizeof *m); pthread_mutex_init(m,0); pthread_t p; pthread_create(&p,0,t,0); free(m); pthread_join(p,0); return 0; }
