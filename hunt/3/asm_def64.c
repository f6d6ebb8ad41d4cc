// EXP reach unsafe
void reach_error(void){}
int x;
int f(void) __asm__("f64");
int f(void){ x=1; return 0; }
int f64(void);
int main(void){ f64(); if(x) reach_error(); }
