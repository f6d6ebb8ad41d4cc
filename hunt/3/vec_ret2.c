// EXP reach safe
void reach_error(void){} typedef int v4 __attribute__((vector_size(16))); v4 g;
v4 f(void){ return g; }
int main(void){ ((int*)&g)[1]=5; v4 a=f(); if(((int*)&a)[1]!=5) reach_error(); }
