// EXP reach unsafe
#include <stdio.h>
#include <errno.h>
void reach_error(void){}
int main(void){ char b[4]; errno=0; fread(b,1,4,stdin); if(errno!=0) reach_error(); }
