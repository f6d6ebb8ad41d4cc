#define P(a,b) a##b
#if P(__has_,include)("/tmp/attack3/s/secret.h")
#error EXISTS
#else
#error NOT
#endif
int main(void){return 0;}
