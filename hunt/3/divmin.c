// EXP overflow unsafe
#include <stdlib.h>
#include <limits.h>
int main(void){ volatile int x=INT_MIN; return div(x,-1).quot==3; }
