// expect: reach=unsafe race=unsafe
#include <pthread.h>
#include <assert.h>
int x;
void*f(void*a){return 0;}
void*g(void*a){x=1;return 0;}
int main(){pthread_t t,u;pthread_create(&t,0,f,0);pthread_create(&u,0,g,0);pthread_join(t,0);pthread_join(t,0);x=2;assert(0);}
