// EXP reach unsafe
#include <errno.h>
#include <stdlib.h>
void reach_error(void){}
int main(void){ char b[16]; errno=0; if(wctomb(b,0x20ac)==-1 && errno!=0) reach_error(); }
