// EXP reach unsafe
#define _GNU_SOURCE
#include <time.h>
#include <stdlib.h>
void reach_error(void){}
int main(void){ time_t t=0; struct tm tm; setenv("TZ","XXX5YYY",1); int d=daylight; localtime_r(&t,&tm); tzset(); if(daylight!=d) reach_error(); }
