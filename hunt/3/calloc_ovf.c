// EXP reach unsafe
#include <stdlib.h>
#include <stdint.h>
void reach_error(void){}
int main(void){ void*p=calloc(SIZE_MAX/2+1,2); if(!p) reach_error(); }
