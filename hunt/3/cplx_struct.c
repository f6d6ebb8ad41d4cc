// EXP reach unsafe
void reach_error(void){} struct S{int k; _Complex float c;} x,y;
int main(void){ ((float*)&x.c)[0]=5; y=x; if(((float*)&y.c)[0]==5) reach_error(); }
