// EXP reach safe
#include <limits.h>
void reach_error(void){}
__attribute__((optimize("trapv"))) int main(void){ volatile int a=INT_MAX; volatile int b=a+1; reach_error(); }
