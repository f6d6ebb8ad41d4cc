#include <stdlib.h>
int main(void){ int*p=malloc(4); return 0; }
