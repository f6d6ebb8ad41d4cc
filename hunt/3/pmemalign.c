// EXP reach safe
#include <stdlib.h>
#include <stdint.h>
void reach_error(void){}
int main(void){ void*p; if(posix_memalign(&p,3,8)!=22) reach_error(); if(posix_memalign(&p,4,8)!=22) reach_error(); }
