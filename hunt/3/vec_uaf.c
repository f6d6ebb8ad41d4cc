// EXP memsafety unsafe
#include <stdlib.h>
typedef int v4 __attribute__((vector_size(16))); v4 b;
int main(void){ v4*p=malloc(16); free(p); *p=b; return 0;}
