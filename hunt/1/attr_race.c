// expect: race=unsafe
#include <pthread.h>
pthread_attr_t at;
void*h(void*a){return 0;}
void*f(void*a){pthread_t w;pthread_create(&w,&at,h,0);return 0;}
void*g(void*a){pthread_attr_setdetachstate(&at,1);return 0;}
int main(){pthread_t t,u;pthread_attr_init(&at);pthread_create(&t,0,f,0);pthread_create(&u,0,g,0);pthread_join(t,0);pthread_join(u,0);}
