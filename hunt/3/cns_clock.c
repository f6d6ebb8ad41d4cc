// EXP reach unsafe
#define _GNU_SOURCE
#include <time.h>
void reach_error(void){}
int main(void){ struct timespec t={0,1}; if(clock_nanosleep(77,0,&t,0)!=0) reach_error(); }
