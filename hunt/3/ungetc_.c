// EXP reach safe
#include <stdio.h>
void reach_error(void){}
int main(void){ if(ungetc('a',stdin)=='a' && getchar()!='a') reach_error(); }
