// EXP reach unsafe
#define _GNU_SOURCE
#include <time.h>
void reach_error(void){}
int main(void){ time_t t=0; struct tm tm; tm.tm_zone=0; tm.tm_gmtoff=99; gmtime_r(&t,&tm); if(tm.tm_zone) reach_error(); }
