// EXP reach safe
#define _GNU_SOURCE
#include <pthread.h>
void reach_error(void){}
int main(void){ char b[16]; pthread_setname_np(pthread_self(),"ab"); pthread_getname_np(pthread_self(),b,16); if(b[0]!='a') reach_error(); }
