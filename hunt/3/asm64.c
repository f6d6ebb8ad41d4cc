// EXP reach unsafe
void reach_error(void){}
int x;
int f(void) __asm__("f64");
int f64(void){ x=1; return 0; }
int main(void){ f(); if(x) reach_error(); }
