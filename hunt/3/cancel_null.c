// EXP reach unsafe
#include <pthread.h>
void reach_error(void){}
int main(void){ if(pthread_setcancelstate(55,0)) reach_error(); }
