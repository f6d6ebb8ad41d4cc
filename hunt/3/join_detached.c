// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
void*t(void*a){for(;;);return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); pthread_detach(p); if(pthread_join(p,0)!=0) reach_error(); }
