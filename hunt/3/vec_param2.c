// EXP reach safe
void reach_error(void){} typedef int v4 __attribute__((vector_size(16)));
int f(v4 v){ return ((int*)&v)[1]; }
int main(void){ v4 a; ((int*)&a)[1]=5; if(f(a)!=5) reach_error(); }
