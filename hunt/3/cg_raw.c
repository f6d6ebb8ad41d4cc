// EXP reach safe
#include <time.h>
void reach_error(void){}
int main(void){ struct timespec a,b; clock_gettime(CLOCK_MONOTONIC_RAW,&a);clock_gettime(CLOCK_MONOTONIC_RAW,&b); if(b.tv_sec<a.tv_sec) reach_error(); }
