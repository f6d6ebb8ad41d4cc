// EXP reach safe
#include <stdlib.h>
void reach_error(void){}
int main(void){ long b=random(); if(b>0x7fffffff) reach_error(); }
