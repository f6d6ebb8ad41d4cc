// EXP reach safe
#define _GNU_SOURCE
#include <fenv.h>
void reach_error(void){}
int main(void){ volatile double z=0; feenableexcept(FE_DIVBYZERO); volatile double d=1.0/z; reach_error(); }
