// EXP reach unsafe
#include <errno.h>
#include <stdlib.h>
void reach_error(void){}
int main(void){ errno=0; if(mblen("\xff",1)==-1 && errno==EILSEQ) reach_error(); }
