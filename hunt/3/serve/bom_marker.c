# 2 "/tmp/attack3/s/secret.h"
int x[0.5];
int main(void){return 0;}
