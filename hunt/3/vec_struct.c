// EXP reach unsafe
void reach_error(void){} typedef int v4 __attribute__((vector_size(16))); struct S{int k; v4 v;} x,y;
int main(void){ ((int*)&x.v)[1]=5; y=x; if(((int*)&y.v)[1]==5) reach_error(); }
