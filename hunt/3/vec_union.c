// EXP reach unsafe
void reach_error(void){} typedef float v4 __attribute__((vector_size(16))); union U{v4 v; int i[4];} x,y;
int main(void){ x.i[2]=5; y.v=x.v; if(y.i[2]==5) reach_error(); }
