// EXP reach safe
#include <stdlib.h>
void reach_error(void){}
int main(void){ srand(1); int a=rand(); srand(1); int b=rand(); if(a!=b) reach_error(); }
