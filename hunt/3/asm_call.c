// EXP reach unsafe
void reach_error(void){}
int x; void f(void){ x=1; }
int main(void){ asm volatile("call f"); if(x) reach_error(); }
