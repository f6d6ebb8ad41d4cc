// EXP reach unsafe
#include <stdlib.h>
#include <stdint.h>
void reach_error(void){}
int main(void){ void*p=malloc(SIZE_MAX); if(!p) reach_error(); }
