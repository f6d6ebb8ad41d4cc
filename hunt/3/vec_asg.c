// EXP reach unsafe
void reach_error(void){} typedef int v4 __attribute__((vector_size(16))); v4 a,b;
int main(void){ ((int*)&a)[3]=5; b=a; if(((int*)&b)[3]==5) reach_error(); }
