// EXP reach unsafe
#include <time.h>
#include <limits.h>
void reach_error(void){}
int main(void){ time_t t=LONG_MAX; struct tm tm; if(!localtime_r(&t,&tm)) reach_error(); }
