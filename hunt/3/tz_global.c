// EXP reach unsafe
#define _GNU_SOURCE
#include <time.h>
#include <stdlib.h>
void reach_error(void){}
int main(void){ setenv("TZ","XXX5",1); long a=timezone; tzset(); if(timezone!=a) reach_error(); }
