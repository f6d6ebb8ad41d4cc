// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
int last;
void d1(void*p){ if(last==2) reach_error(); last=1; }
void d2(void*p){ last=2; }
pthread_key_t a,b;
void*t(void*x){ pthread_setspecific(a,&a); pthread_setspecific(b,&b); return 0;}
int main(void){ pthread_key_create(&a,d1); pthread_key_create(&b,d2); pthread_t p; pthread_create(&p,0,t,0); pthread_join(p,0); }
