// EXP memsafety unsafe
#include <stdio.h>
int main(void){ FILE*f=fopen("/nonexistent/x","w"); fprintf(f,"hello"); return 0; }
