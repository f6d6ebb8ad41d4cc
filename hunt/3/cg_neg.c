// EXP reach unsafe
#include <time.h>
void reach_error(void){}
int main(void){ struct timespec t; if(clock_gettime(-1,&t)!=0) reach_error(); }
