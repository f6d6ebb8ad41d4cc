// EXP reach safe
#include <stdio.h>
void reach_error(void){}
int main(void){ if(feof(stdin)||ferror(stdout)) reach_error(); }
