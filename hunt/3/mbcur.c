// EXP reach safe
#include <stdlib.h>
void reach_error(void){}
int main(void){ if(MB_CUR_MAX!=1) reach_error(); }
