// EXP reach unsafe
void reach_error(void){}
int x;
int main(void){ asm volatile("# c\n movl $1, x(%rip)"); if(x) reach_error(); }
