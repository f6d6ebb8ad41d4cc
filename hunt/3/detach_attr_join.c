// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
void*t(void*a){for(;;);return 0;}
int main(void){ pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setdetachstate(&a,PTHREAD_CREATE_DETACHED); pthread_t p; pthread_create(&p,&a,t,0); if(pthread_join(p,0)==22) reach_error(); }
