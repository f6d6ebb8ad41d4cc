// EXP reach unsafe
void reach_error(void){}
int x;
#pragma redefine_extname f f64
int f(void);
int f64(void){ x=1; return 0; }
int main(void){ f(); if(x) reach_error(); }
