// EXP reach unsafe
#include <stdio.h>
void reach_error(void){}
int main(void){ char b[4]={1,1,1,1}; if(fread(b,4,1,stdin)==0 && b[0]!=1) reach_error(); }
