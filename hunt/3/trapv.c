// EXP reach safe
#pragma GCC optimize("trapv")
#include <limits.h>
void reach_error(void){}
int main(void){ volatile int a=INT_MAX; volatile int b=a+1; reach_error(); }
