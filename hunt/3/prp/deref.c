#include <stdlib.h>
int main(void){ int*p=malloc(4); free(p); *p=1; return 0; }
