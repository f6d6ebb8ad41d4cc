// EXP reach safe
#include <stdio.h>
void reach_error(void){}
int main(void){ int x=0; if(scanf("%hhu",&x)==1 && x>255) reach_error(); }
