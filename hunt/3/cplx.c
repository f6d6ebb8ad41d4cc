// EXP reach unsafe
void reach_error(void){} _Complex double a,b;
int main(void){ ((double*)&a)[1]=5; b=a; if(((double*)&b)[1]==5) reach_error(); }
