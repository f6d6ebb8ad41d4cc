// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
pthread_barrier_t b;
int main(void){ if(pthread_barrier_init(&b,0,0xffffffffu)!=0) reach_error(); }
