// EXP reach unsafe
#include <errno.h>
#include <stdlib.h>
#include <stdint.h>
void reach_error(void){}
int main(void){ errno=0; void*p=calloc(SIZE_MAX/2,4); if(!p && errno==ENOMEM) reach_error(); }
