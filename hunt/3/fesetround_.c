// EXP reach unsafe
#include <fenv.h>
void reach_error(void){}
int main(void){ volatile double a=1,b=3; double x=a/b; fesetround(FE_UPWARD); double y=a/b; if(x!=y) reach_error(); }
