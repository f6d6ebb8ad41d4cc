// EXP reach unsafe
#include <stdio.h>
#include <errno.h>
void reach_error(void){}
int main(void){ int b; errno=0; scanf("%d",&b); if(errno!=0) reach_error(); }
