// EXP reach unsafe
#define _DEFAULT_SOURCE
#include <math.h>
void reach_error(void){}
int main(void){ signgam=7; double d=lgamma(-0.5); if(signgam!=7) reach_error(); }
