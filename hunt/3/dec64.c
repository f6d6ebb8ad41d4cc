// EXP reach unsafe
void reach_error(void){}
int main(void){
#pragma STDC FLOAT_CONST_DECIMAL64 ON
 if(0.1+0.2==0.3) reach_error(); }
