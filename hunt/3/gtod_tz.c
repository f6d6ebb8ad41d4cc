// EXP reach unsafe
#include <sys/time.h>
void reach_error(void){}
int main(void){ struct timeval tv; struct timezone tz={7,7}; gettimeofday(&tv,&tz); if(tz.tz_minuteswest!=7) reach_error(); }
