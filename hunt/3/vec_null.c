// EXP memsafety unsafe
typedef int v4 __attribute__((vector_size(16))); v4 b;
int main(void){ v4*p=0; b=*p; return 0;}
