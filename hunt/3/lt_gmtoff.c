// EXP reach unsafe
#include <time.h>
void reach_error(void){}
int main(void){ time_t t=0; struct tm tm; tm.tm_zone=0; tm.tm_gmtoff=99; localtime_r(&t,&tm); if(tm.tm_gmtoff!=99) reach_error(); }
