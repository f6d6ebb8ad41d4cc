// EXP reach unsafe
#include <pthread.h>
#include <signal.h>
void reach_error(void){}
int main(void){ pthread_kill(pthread_self(),32); reach_error(); }
