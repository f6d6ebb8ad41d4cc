// EXP reach safe
#include <stdlib.h>
void reach_error(void){}
int main(void){ int a=rand(); if(a<0||a>RAND_MAX) reach_error(); long b=random(); if(b<0||b>0x7fffffff) reach_error(); }
