// EXP reach unsafe
void reach_error(void){} _Float128 a,b;
int main(void){ ((char*)&a)[1]=5; b=a; if(((char*)&b)[1]==5) reach_error(); }
