// EXP reach unsafe
#include <stdio.h>
void reach_error(void){}
int main(void){ char b[4]={1,1,1,1}; if(fgets(b,4,stdin)==0 && b[0]!=1) reach_error(); }
