// EXP reach safe
#include <time.h>
void reach_error(void){}
int main(void){ time_t t=0; struct tm tm; gmtime_r(&t,&tm); if(tm.tm_year!=70) reach_error(); }
