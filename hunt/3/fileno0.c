// EXP reach safe
#include <stdio.h>
void reach_error(void){}
int main(void){ if(fileno(stdin)!=0) reach_error(); }
