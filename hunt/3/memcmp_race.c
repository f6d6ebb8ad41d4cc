// EXP race unsafe
#include <string.h>
#include <pthread.h>
char a[8]={1},b[8];
void*t(void*x){ a[5]=1; return 0;}
int main(void){ pthread_t p; pthread_create(&p,0,t,0); int r=memcmp(a,b,8); pthread_join(p,0); return r!=0; }
