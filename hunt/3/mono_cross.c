// EXP reach safe
#include <time.h>
void reach_error(void){}
int main(void){ struct timespec a; if(clock_getres(CLOCK_MONOTONIC,&a)==0 && (a.tv_nsec<0||a.tv_nsec>999999999)) reach_error(); }
