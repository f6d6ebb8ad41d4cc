// EXP reach safe
#include <stdio.h>
void reach_error(void){}
int main(void){ int x=0; if(scanf("%1d",&x)==1 && x>9) reach_error(); }
