// EXP memsafety unsafe
#include <stdio.h>
int main(void){ FILE*f=fopen("/tmp/x","w"); if(!f) return 0; fclose(f); fclose(f); return 0; }
