#define P(a,b) a##b
P(_Pra,gma)("GCC dependency \"/tmp/attack3/s/secret.h\"")
int main(void){return 0;}
