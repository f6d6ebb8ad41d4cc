// EXP reach unsafe
void reach_error(void){}
int x;
void f(void) __asm__("_longjmp");
void g(void) __asm__("_longjmp");
void g(void){ x=1; }
int main(void){ f(); if(x) reach_error(); }
