// EXP reach safe
#include <stdlib.h>
void reach_error(void){}
int main(void){ unsigned s=1,t=1; if(rand_r(&s)!=rand_r(&t)) reach_error(); }
