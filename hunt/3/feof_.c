// EXP reach safe
#include <stdio.h>
void reach_error(void){}
int main(void){ if(getchar()==EOF && !feof(stdin) && !ferror(stdin)) reach_error(); }
